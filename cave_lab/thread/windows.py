"""How much a call may hold, and when the talk before it is shortened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cave_lab.limits import Limits
from cave_lab.state.values import CompactedItem, ThreadState, TurnState


@dataclass(frozen=True)
class Room:
    """The room of one call, in tokens."""

    window: int
    """All that the model takes, the answer included."""
    most: int
    """A prompt over this is shortened."""
    enough: int
    """Down to here."""


def room_of(window: int, limits: Limits) -> Room:
    """Divide a window between the prompt and the answer; of a tiny one each gets a half."""
    shared = min(int(window * limits.window_share), window - limits.answer_tokens)
    most = max(window // 2, shared)
    return Room(window, most, int(most * limits.compacted_share))


def window_in(state: ThreadState, model: str, told: int | None, limits: Limits) -> int:
    """The window of a model, as told, or less if it has refused less in this thread."""
    refused = [size for turn in state.turns for size in _refused(turn, model)]
    return bounded(told or limits.unknown_window, refused, limits)


def bounded(window: int, refused: Sequence[int], limits: Limits) -> int:
    """A window in the light of what was refused as too long for it."""
    return min([window, *(size for size in refused if size >= limits.least_window)])


def _refused(turn: TurnState, model: str) -> list[int]:
    """The sizes of calls that a model found too long, as we had estimated them."""
    by_call: dict[int, int] = {}
    for item in turn.items:
        if isinstance(item, CompactedItem) and item.reason == "overflow":
            by_call.setdefault(item.call, item.before_tokens)

    def asked(call: int) -> str | None:
        before = [made.model for made in turn.calls if made.call <= call]
        return before[-1] if before else None

    return [size for call, size in by_call.items() if asked(call) == model]
