"""A block of an answer that the person runs by a click."""

from __future__ import annotations

from collections.abc import Sequence

from cave_lab import errors
from cave_lab.protocol.content import CellPart, Part
from cave_lab.state.values import ThreadState
from cave_lab.thread.services import Origin


def own_cell(content: Sequence[Part]) -> CellPart | None:
    """The cell that a message asks for instead of an answer."""
    return next((part for part in content if isinstance(part, CellPart)), None)


def check_own_cell(
    content: Sequence[Part], state: ThreadState, origin: Origin, *, busy: bool
) -> None:
    """Raise unless a cell in the message may run now: the click that sent it is its approval."""
    cell = own_cell(content)
    if cell is None:
        return
    if not origin.may_approve:
        raise errors.Forbidden("Only the panel runs a block of an answer. Nothing was run.")
    if state.mode == "chat":
        raise errors.ModeNotAllowed(
            "The thread is in chat mode, which never runs anything. Change the mode, then run it."
        )
    if busy:
        raise errors.LimitReached("A turn is running. Run the block when it has ended.")
    if len(content) > 1 or not cell.code.strip():
        raise errors.InvalidCommand("A message that runs a block holds that block alone.")
