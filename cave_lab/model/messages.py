"""Derives what the model is given from the folded thread, under the privacy mode in force.

Messages are never stored as the truth: a stricter mode applies to the past too. They are derived
from the first on, and each depends only on what came before it, so that those of earlier calls stay
as they are and can be cached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from cave_lab.errors import KernelSilent, NoKernel
from cave_lab.limits import Limits
from cave_lab.model.enclosed import enclose
from cave_lab.model.looked_text import looked_text
from cave_lab.model.outline_text import outline_text
from cave_lab.model.port import (
    AssistantMessage,
    CellCall,
    LookCall,
    ModelMessage,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from cave_lab.model.results import result_text
from cave_lab.model.variables_text import Names, names_after, names_of, variables_text
from cave_lab.privacy.modes import variables_out
from cave_lab.protocol.content import CellPart, MentionPart, Outline, Part, TextPart
from cave_lab.protocol.ids import BlobId, CellId
from cave_lab.protocol.words import StopReason
from cave_lab.state.values import (
    Item,
    LookItem,
    NoticeItem,
    RefusedItem,
    RunItem,
    RunState,
    SteerItem,
    TextItem,
    ThreadState,
    TurnState,
    VariablesView,
)


@dataclass(frozen=True)
class View:
    """What the derivation needs besides the thread."""

    system: str
    redact: Callable[[str], str]
    limits: Limits
    outlines: Mapping[BlobId, Outline]
    newer: BlobId | None = None
    """The outline to be told with the coming call, if the person changed the notebook."""
    kept: Mapping[BlobId, str] = field(default_factory=dict)
    """What providers may want back of their replies, by what the call says it was kept as."""


def derive(state: ThreadState, view: View) -> list[ModelMessage]:
    """All messages of the next call: prompt, then turn by turn, the kernel's state last."""
    return [SystemMessage(view.system), *_Derivation(state, view).messages()]


class _Derivation:
    """One derivation on its way through the thread, with what the model knows so far."""

    def __init__(self, state: ThreadState, view: View) -> None:
        self._state = state
        self._view = view
        self._edited = {run.replaces: run for run in state.runs.values() if run.replaces}
        self._table: VariablesView | None = None
        """The last table of variables that was told."""
        self._known: Names = {}
        self._cells: dict[str, str] = {}
        """The digests of the cells that were told, or that the model wrote, by cell id."""

    def messages(self) -> Iterator[ModelMessage]:
        before: TurnState | None = None
        for turn in self._state.turns:
            yield self._question(turn, before)
            yield from self._answer(turn)
            before = turn

    # ── the person's side

    def _question(self, turn: TurnState, before: TurnState | None) -> UserMessage:
        sections = [_interruption(before.stop_reason if before else None)]
        if turn.seen is not None:
            sections.append(enclose("variables", self._variables(turn.seen)))
        if turn.outline is not None:
            sections.append(self._notebook(turn.outline, turn.anchor))
        sections.append(parts_text(turn.content))
        sections += self._mentioned(turn)
        sections.append(self._update(turn, 1))
        return self._said(*sections)

    def _mentioned(self, turn: TurnState) -> list[str]:
        """What the person named in this message; what they named later comes where they did."""
        looks = (item for item in turn.items if isinstance(item, LookItem))
        first = [look for look in looks if look.by == "user" and look.call == 0]
        return [looked_text(look, self._state.privacy) for look in first]

    def _said(self, *sections: str) -> UserMessage:
        return UserMessage(self._view.redact("\n".join(part for part in sections if part)))

    def _variables(self, seen: VariablesView) -> str:
        now = seen.model_copy(
            update={"variables": variables_out(self._state.privacy, seen.variables)}
        )
        text = variables_text(now, self._table, self._known, self._view.limits)
        if now.unavailable is None:
            self._table, self._known = now, names_of(now)
        return text

    def _notebook(self, blob: BlobId, anchor: CellId | None, *, update: bool = False) -> str:
        outline = self._view.outlines.get(blob)
        if outline is None:
            return ""
        limit = self._view.limits.outline_chars
        cells = outline_text(
            outline, self._cells, anchor, self._state.privacy, limit, self._view.redact
        )
        self._cells |= cells.told
        return enclose("notebook", cells.text) if cells.told or not update else ""

    def _update(self, turn: TurnState, call: int) -> str:
        """What the person changed in the notebook before this call of the turn."""
        known = {made.call: made.outline for made in turn.calls}
        coming = turn is self._state.turns[-1] and call == len(turn.calls) + 1
        blob = self._view.newer if coming else known.get(call)
        if blob is None:
            return ""
        told = self._notebook(blob, turn.anchor, update=True)
        return f"The person changed the notebook meanwhile:\n{told}" if told else ""

    # ── the model's side

    def _answer(self, turn: TurnState) -> Iterator[ModelMessage]:
        for call, items in groupby(self._told(turn.items), key=lambda pair: pair[0]):
            yield from self._call(turn, call, [item for _, item in items])

    def _told(self, items: Sequence[Item]) -> Iterator[tuple[int, Item]]:
        """Pair what the model should hear of with its call; steers and notices go with the last."""
        call = 0
        for item in items:
            match item:
                case TextItem() | RefusedItem():
                    call = item.call
                case LookItem(by="model"):
                    call = item.call
                case LookItem() if item.call > 0:
                    pass
                case RunItem():
                    call = item.call
                    if self._state.runs[item.run_id].replaces is not None:
                        continue
                case SteerItem():
                    pass
                case NoticeItem() if item.code in _TOLD:
                    pass
                case _:
                    continue
            yield call, item

    def _call(self, turn: TurnState, call: int, items: Sequence[Item]) -> list[ModelMessage]:
        text = "".join(item.text for item in items if isinstance(item, TextItem))
        runs = [self._state.runs[item.run_id] for item in items if isinstance(item, RunItem)]
        proposed = [run for run in runs if run.sha256 is not None]
        added = self._added(items)
        if proposed:
            return self._run(turn, proposed[0], text, added)
        looks = [item for item in items if isinstance(item, LookItem) and item.by == "model"]
        if looks:
            return self._look(turn, looks[0], text, added)
        refused = [item.text for item in items if isinstance(item, RefusedItem)]
        said = text or ("(an action that could not be used)" if refused else "")
        notes = [*refused, *added, self._update(turn, call + 1)]
        answer: list[ModelMessage] = [AssistantMessage(self._view.redact(said))] if said else []
        return [*answer, self._said(*notes)] if any(notes) else answer

    def _added(self, items: Sequence[Item]) -> list[str]:
        """What came from others than the model: notices first, then the person's words."""
        added = [item.text for item in items if isinstance(item, NoticeItem)]
        for item in items:
            if isinstance(item, SteerItem):
                added.append(f"The person adds: {parts_text(item.content)}")
            elif isinstance(item, LookItem) and item.by == "user":
                added.append(looked_text(item, self._state.privacy))
        return added

    def _run(
        self, turn: TurnState, run: RunState, text: str, added: Sequence[str]
    ) -> list[ModelMessage]:
        redact = self._view.redact
        ran = self._edited.get(run.run_id, run)
        if ran.cell_id is not None and ran.sha256 is not None:
            self._cells[ran.cell_id] = ran.sha256
        self._known = names_after(self._known, ran.variables, ran.generation)
        call_id = f"call_{run.call}_{run.run_id[-12:]}"
        action = CellCall(call_id, redact(run.code), redact(run.purpose), run.scratch)
        result = result_text(run, ran, self._state.privacy, redact)
        parts = [result, *map(redact, added), redact(self._update(turn, run.call + 1))]
        return [
            AssistantMessage(redact(text), action, self._kept(turn, run.call)),
            ResultMessage(call_id, "\n".join(part for part in parts if part)),
        ]

    def _look(
        self, turn: TurnState, look: LookItem, text: str, added: Sequence[str]
    ) -> list[ModelMessage]:
        redact = self._view.redact
        call_id = f"call_{look.call}_{turn.turn_id[-12:]}"
        names = tuple(map(redact, look.names))
        action = LookCall(call_id, names, redact(look.detail))
        result = looked_text(look, self._state.privacy)
        parts = [result, *added, self._update(turn, look.call + 1)]
        return [
            AssistantMessage(redact(text), action, self._kept(turn, look.call)),
            ResultMessage(call_id, redact("\n".join(part for part in parts if part))),
        ]

    def _kept(self, turn: TurnState, call: int) -> str | None:
        blobs = [made.kept for made in turn.calls if made.call == call and made.kept is not None]
        return self._view.kept.get(blobs[-1]) if blobs else None


BROKEN_CODE = "broken_code"
"""The code of the notice that a block which the person chose can't even be read."""
ANSWER_CUT = "answer_cut"
"""The code of the notice that an answer reached the model's limit and goes on."""

_TOLD = frozenset({NoKernel.code, KernelSilent.code, BROKEN_CODE, ANSWER_CUT})
"""Notices that the model is told: why a cell was not sent (its own end does not say it again), and
that it may go on."""

_INTERRUPTIONS: dict[StopReason, str] = {
    "cancelled": "(The person stopped your last turn.)",
    "interrupted": "(The server was restarted during your last turn.)",
    "kernel_lost": "(The kernel lost its memory during your last turn.)",
    "journal_unavailable": "(Your last turn broke off: it could not be written down.)",
    "internal_error": "(Your last turn broke off by a fault of CaveLab.)",
    "max_runs": "(Your last turn ended because it had used its runs.)",
    "max_tokens": "(Your last turn ended because it had used its tokens.)",
    "max_time": "(Your last turn ended because it had used its time.)",
    "max_cost": "(Your last turn ended because it had used its money.)",
}


def _interruption(reason: StopReason | None) -> str:
    return _INTERRUPTIONS.get(reason, "") if reason else ""


def parts_text(parts: Sequence[Part]) -> str:
    """A message's parts as text; a mention is its name."""
    texts = []
    for part in parts:
        match part:
            case TextPart():
                texts.append(part.text)
            case MentionPart():
                texts.append(f"@{part.name}")
            case CellPart():
                texts.append("(The person runs this block of your answer themselves.)")
            case _:
                texts.append("[attachment]")
    return "".join(texts)
