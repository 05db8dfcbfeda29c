"""What ten turns on one data frame cost in prompt tokens, and how much of that can be cached.

The talk of `tests.bench.session` goes through the whole server, in a real notebook's kernel; the
scripted model gives an answer only if what it says stands in the request. Tokens are counted by the
same tokenizer for both sides, tools and message frames included.

`python -m tests.bench.memory [PYTHON]`: with a Python that has `cave-agent==0.8.0` and `pandas`,
the same talk is held through CaveAgent beside it.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from cave_lab.model.litellm import load
from cave_lab.model.script import Cell, Say, ScriptedTurn, Trajectory, When, find
from tests.bench.person import client_of, run_cell
from tests.bench.scripted import serving
from tests.bench.session import FRAME, TURNS
from tests.fakes.model_server import ModelServer
from tests.server.process import Served
from tests.talk import Person

PEER = Path(__file__).with_name("peer.py")
MESSAGE_FRAME = 4
"""Tokens of the frame of a message in most chat templates."""


def _script() -> Trajectory:
    turns: list[ScriptedTurn] = []
    for number, turn in enumerate(TURNS, 1):
        cell = Cell(turn.code, turn.words)
        turns += [
            ScriptedTurn(f"cell {number}", When(last=(turn.words,), role="user"), (cell,)),
            ScriptedTurn(
                f"answer {number}",
                When(request=turn.needs, code=(turn.code,), role="tool"),
                (Say(turn.answer),),
            ),
        ]
    return Trajectory("ten turns", tuple(turns))


async def _ours(served: Served, model: ModelServer) -> list[list[Any]]:
    """What each call was given: the tools, then the messages."""
    browser = await served.browser()
    target: dict[str, Any] = await browser.notebook()
    async with client_of(served, target["kernel_id"]) as client:
        await run_cell(client, FRAME)
    person = await Person.at(browser, target, mode="auto")
    for number, turn in enumerate(TURNS, 1):
        await person.say(turn.words)
        reason = await person.ended(number, seconds=120)
        if reason != "end_turn" or model.mismatches:
            raise SystemExit(f"Turn {number} ended with {reason}. {model.mismatches}")
    return [[request.body["tools"], *request.body["messages"]] for request in model.requests]


async def _peers(python: str) -> list[list[Any]]:
    given = {"frame": FRAME, "turns": [asdict(turn) for turn in TURNS]}
    process = await asyncio.create_subprocess_exec(
        *(python, str(PEER)), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate(json.dumps(given).encode())
    if process.returncode:
        raise SystemExit(f"The peer's talk ended with {process.returncode}.")
    calls: list[list[Any]] = json.loads(printed)
    return calls


def _lacking(calls: Sequence[Sequence[Any]]) -> int:
    """Answers of which something does not stand in the request of their call."""
    given = [json.dumps(call, ensure_ascii=False) for call in calls[1::2]]
    return sum(
        any(find(need, text) is None for need in turn.needs)
        for turn, text in zip(TURNS, given, strict=True)
    )


class _Counter:
    """Counts what a model reads of a request: tools, texts and calls, and a frame for each."""

    def __init__(self) -> None:
        self._encoding = load().encoding

    def tokens(self, part: Any) -> int:
        """The tokens of the list of tools, or of one message."""
        if isinstance(part, list):
            return self._count(json.dumps(part))
        calls = [call["function"] for call in part.get("tool_calls", ())]
        texts = [part.get("content") or ""]
        texts += [text for call in calls for text in (call["name"], call["arguments"])]
        return sum(map(self._count, texts)) + MESSAGE_FRAME * (1 + len(calls))

    def _count(self, text: str) -> int:
        return len(self._encoding.encode(text, disallowed_special=()))


def _report(name: str, calls: Sequence[Sequence[Any]]) -> str:
    tokens = _Counter().tokens
    total, first = sum(tokens(part) for call in calls for part in call), calls[0]
    again = before = 0
    for earlier, later in pairwise(calls):
        same = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(earlier, later, strict=False))
        )
        again += sum(map(tokens, earlier[:same]))
        before += sum(map(tokens, earlier))
    return (
        f"{name:<12} {len(calls)} calls   {total:>8,} prompt tokens   "
        f"prefix reused {again / before:.3f}   first call {sum(map(tokens, first)):,}   "
        f"answers not derivable {_lacking(calls)} of {len(TURNS)}"
    )


async def main(python: str | None) -> None:
    """Hold the talk and print the figures."""
    async with ModelServer(_script()) as model, serving(model) as served:
        ours = await _ours(served, model)
    print(_report("CaveLab", ours))
    if python is not None:
        print(_report("CaveAgent", await _peers(python)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else None))
