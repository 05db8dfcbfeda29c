"""The two tools, and what becomes of a model's call of one."""

from __future__ import annotations

from typing import Any

from cave_lab.limits import Limits
from cave_lab.model.arguments import CodeStream, read_arguments
from cave_lab.model.looks import read_look
from cave_lab.model.port import ActionReady, ActionUnusable, FinishReason, ToolChunk
from cave_lab.model.words import fit, writable
from cave_lab.protocol.content import LookAction, RunCellAction

RUN_CELL = "run_cell"
LOOK = "look"

_RUN_CELL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": RUN_CELL,
        "description": "Run one cell in the live kernel. At most one call per reply; you are "
        "given its result.",
        "parameters": {
            "type": "object",
            # The purpose first: it is streamed first, and thought of first.
            "properties": {
                "purpose": {
                    "type": "string",
                    "description": "What the cell is for: one short sentence.",
                },
                "code": {"type": "string", "description": "The cell's source."},
                "scratch": {
                    "type": "boolean",
                    "description": "True for a quick check that need not be kept.",
                },
            },
            "required": ["purpose", "code"],
            "additionalProperties": False,
        },
    },
}

_LOOK: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": LOOK,
        "description": "See variables, or a page of an output that was cut, without a cell.",
        "parameters": {
            "type": "object",
            "properties": {
                "names": {"type": "array", "items": {"type": "string"}},
                "detail": {
                    "type": "string",
                    "description": "schema (default), head, column NAME, from N (of a text), "
                    "page N (of an output).",
                },
            },
            "required": ["names"],
            "additionalProperties": False,
        },
    },
}

TOOLS = (_RUN_CELL, _LOOK)
"""What a model may call; in this order, which caches of prompts rely on."""

TWO_ACTIONS = ActionUnusable(
    "two_actions", "Two actions came in one reply, so nothing was run: one cell is run at a time."
)
BROKEN = ActionUnusable(
    "broken_arguments",
    "The arguments of the action were not valid JSON with the texts “purpose” and “code”, "
    "so nothing was run.",
)
EMPTY = ActionUnusable("empty_code", "The action held no code, so nothing was run.")
CUT = ActionUnusable(
    "cut", "The reply was cut off before its action was complete, so nothing of it was run."
)
CHAT = ActionUnusable("mode", "This thread only talks, so nothing was run.")

_FLAGS = {"true": True, "false": False, "none": False}


class _Call:
    def __init__(self, chunk: ToolChunk) -> None:
        self.index = chunk.index
        self.call_id = chunk.call_id or ""
        self.name = ""
        self.arguments = ""

    def owns(self, chunk: ToolChunk) -> bool:
        """Some servers give every call the same index; then a new id begins a new call."""
        another = bool(chunk.name and chunk.call_id and chunk.call_id != self.call_id)
        return chunk.index == self.index and not another


class CallReader:
    """Collects the fragments of tool calls; shows code as it comes, judges when all is there."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._calls: list[_Call] = []
        self._code = CodeStream()

    @property
    def begun(self) -> bool:
        """Whether the model asked for anything yet."""
        return bool(self._calls)

    def feed(self, chunk: ToolChunk) -> str:
        """Take a fragment and give the code that it adds to the cell being written."""
        call = next((c for c in reversed(self._calls) if c.owns(chunk)), None)
        if call is None:
            call = _Call(chunk)
            self._calls.append(call)
        call.name = call.name or chunk.name or ""
        call.arguments += chunk.arguments
        return self._code.feed(chunk.arguments) if self._is_shown(call) else ""

    def outcome(self, reason: FinishReason) -> ActionReady | ActionUnusable:
        """Say what the call came to, when the reply has ended for this reason."""
        if reason in ("length", "refusal"):
            return CUT
        if len(self._calls) > 1:
            return TWO_ACTIONS
        [call] = self._calls
        match call.name:
            case "run_cell":
                action: RunCellAction | LookAction | ActionUnusable = self._read(call.arguments)
            case "look":
                action = read_look(call.arguments)
            case _:
                return self._unknown(call.name)
        if isinstance(action, ActionUnusable):
            return action
        return ActionReady(call.call_id, action)

    def _is_shown(self, call: _Call) -> bool:
        return call.name == RUN_CELL and len(self._calls) == 1

    def _unknown(self, name: str) -> ActionUnusable:
        shown = fit(name, str, self._limits.purpose_chars)
        known = f"“{RUN_CELL}” and “{LOOK}”"
        sentence = f"There is no tool “{shown}”, so nothing was run. There are {known}."
        return ActionUnusable("unknown_tool", sentence)

    def _read(self, arguments: str) -> RunCellAction | ActionUnusable:
        try:
            values = read_arguments(arguments)
        except (ValueError, TypeError):
            return BROKEN
        code, purpose = values.get("code"), values.get("purpose", "")
        if not isinstance(code, str) or not isinstance(purpose, str) or not writable(code):
            return BROKEN
        # Some models write the word as a text.
        scratch = _FLAGS.get(str(values.get("scratch")).casefold())
        if scratch is None:
            return BROKEN
        if not code.strip():
            return EMPTY
        purpose = fit(purpose, str, self._limits.purpose_chars)
        return RunCellAction(code=code, purpose=purpose, scratch=scratch)
