"""Which items of a turn the model hears of, and with which call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from cave_lab.errors import KernelSilent, NoKernel
from cave_lab.model.looked_text import looked_text
from cave_lab.protocol.content import CellPart, MentionPart, Part, TextPart
from cave_lab.protocol.words import PrivacyMode, StopReason
from cave_lab.state.values import (
    Item,
    LookItem,
    NoticeItem,
    RefusedItem,
    RunItem,
    SteerItem,
    TextItem,
    ThreadState,
    TurnState,
)

BROKEN_CODE = "broken_code"
"""The code of the notice that a block which the person chose can't even be read."""
ANSWER_CUT = "answer_cut"
"""The code of the notice that an answer reached the model's limit and goes on."""

_TOLD = frozenset({NoKernel.code, KernelSilent.code, BROKEN_CODE, ANSWER_CUT})
"""Notices that the model is told: why a cell was not sent (its own end does not say it again), and
that it may go on."""


class Answered(NamedTuple):
    """What came of one call, as far as the model hears of it."""

    call: int
    items: Sequence[Item]


def answered(turn: TurnState, state: ThreadState) -> list[Answered]:
    """The calls of a turn that something came of; those that failed left nothing to tell."""
    pairs = groupby(_told(turn.items, state), key=itemgetter(0))
    return [Answered(call, [item for _, item in items]) for call, items in pairs]


def has_result(each: Answered, state: ThreadState) -> bool:
    """Whether a call asked for something that a result was told of."""
    for item in each.items:
        match item:
            case RunItem() if state.runs[item.run_id].sha256 is not None:
                return True
            case LookItem(by="model"):
                return True
            case _:
                pass
    return False


def _told(items: Sequence[Item], state: ThreadState) -> Iterator[tuple[int, Item]]:
    """Pair what the model should hear of with its call; what others add goes with the last."""
    call = 0
    for item in items:
        match item:
            case TextItem() | RefusedItem() | LookItem(by="model"):
                call = item.call
            case RunItem():
                call = item.call
                if state.runs[item.run_id].replaces is not None:
                    continue
            case SteerItem():
                pass
            case LookItem() if item.call > 0:
                pass
            case NoticeItem() if item.code in _TOLD:
                pass
            case _:
                continue
        yield call, item


def by_the_person(items: Sequence[Item]) -> list[SteerItem | LookItem]:
    """What the person said and named beside the calls of a turn."""
    return [
        item
        for item in items
        if isinstance(item, SteerItem) or (isinstance(item, LookItem) and item.by == "user")
    ]


def steers_of(
    items: Sequence[Item],
    privacy: PrivacyMode,
    tell: Callable[[LookItem, PrivacyMode], str] = looked_text,
) -> list[str]:
    """What the person said in the middle of a turn, and saw of what they named there."""
    steers: list[str] = []
    for item in items:
        match item:
            case SteerItem():
                steers.append(f"The person adds: {parts_text(item.content)}")
            case LookItem(by="user"):
                steers.append(tell(item, privacy))
            case _:
                pass
    return steers


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


def interruption(before: TurnState | None) -> str:
    """How the turn before ended, if that was no ordinary end."""
    reason = before.stop_reason if before is not None else None
    return _INTERRUPTIONS.get(reason, "") if reason else ""
