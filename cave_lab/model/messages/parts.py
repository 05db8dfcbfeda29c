"""Divides a thread into what its messages are told from, a part for each message or exchange.

A part holds all that its words depend on besides what was told before it: parts that are equal are
told in the same words. Parts are tuples, for all of them are made and compared before each call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cave_lab.model.messages.shortening import Place, Shortening, shortening
from cave_lab.model.messages.told import Answered, answered, by_the_person, interruption
from cave_lab.model.messages.view import View
from cave_lab.protocol.content import Outline, Part
from cave_lab.protocol.ids import BlobId, CellId, TurnId
from cave_lab.state.values import (
    Item,
    LookItem,
    RunItem,
    RunState,
    ThreadState,
    TurnState,
    VariablesView,
)


class Question(NamedTuple):
    """What the person said, and all that stands with it."""

    place: Place
    before: str
    """How the turn before ended, if that is told."""
    left_out: Shortening | None
    """What stands here for talk that was left out, if any was."""
    seen: VariablesView | None
    outline: Outline | None
    anchor: CellId | None
    content: Sequence[Part]
    mentioned: Sequence[LookItem]
    passed: Sequence[Item]
    """What the person said later in the turn, with calls that are left out."""
    newer: Outline | None
    """The notebook as the person changed it until the first call that is told."""


class Ran(NamedTuple):
    """A run as it was proposed and as it went, which is another one if the person edited it."""

    run: RunState
    ran: RunState
    figures: Sequence[str]
    shorter: bool
    """Whether only the ends of its output are told any more."""


class Answer(NamedTuple):
    """What came of one call of the model."""

    place: Place
    turn_id: TurnId
    items: Sequence[Item]
    ran: Ran | None
    in_a_line: bool
    """Whether its result is told in a line."""
    kept: str | None
    """What the provider wants back of it."""
    anchor: CellId | None
    newer: Outline | None
    """The notebook as the person changed it until the next call."""


def parts_of(state: ThreadState, view: View) -> Iterator[Question | Answer]:
    """The parts of a thread in order, without those that were left out."""
    return _Division(state, view).parts()


class _Division:
    """One thread being divided."""

    def __init__(self, state: ThreadState, view: View) -> None:
        self._state = state
        self._view = view
        self._short = shortening(state)
        self._edited = {run.replaces: run for run in state.runs.values() if run.replaces}

    def parts(self) -> Iterator[Question | Answer]:
        before: TurnState | None = None
        for index, turn in enumerate(self._state.turns):
            if self._short.asks(index):
                yield from self._turn(index, turn, before)
            before = turn

    def _turn(
        self, index: int, turn: TurnState, before: TurnState | None
    ) -> Iterator[Question | Answer]:
        calls = answered(turn, self._state)
        told = calls
        if self._short.begins_in(index):
            told = [each for each in calls if self._short.tells(Place(index, each.call))]
        passed = calls[: len(calls) - len(told)]
        ends = [*(each.call for each in told), None]
        changed, kept = _changed(turn), _kept(turn)
        yield Question(
            Place(index, -1),
            interruption(before),
            self._short if self._short.begins_in(index) else None,
            None if self._superseded(index) else turn.seen,
            self._outline(turn.outline),
            turn.anchor,
            turn.content,
            _in_the_message(turn),
            [item for each in passed for item in by_the_person(each.items)],
            self._newer(turn, changed, -1, ends[0]),
        )
        for each, until in zip(told, ends[1:], strict=True):
            place = Place(index, each.call)
            yield Answer(
                place,
                turn.turn_id,
                each.items,
                self._ran(place, each),
                place < self._short.stubs_before,
                self._view.kept.get(kept[each.call]) if each.call in kept else None,
                turn.anchor,
                self._newer(turn, changed, each.call, until),
            )

    def _superseded(self, index: int) -> bool:
        """Whether a newer table than that of a turn has been told before it."""
        return self._short.manifest is not None and index <= self._short.seen_in

    # ── the notebook

    def _outline(self, name: BlobId | None) -> Outline | None:
        return self._view.outlines.get(name) if name is not None else None

    def _newer(
        self,
        turn: TurnState,
        changed: Sequence[tuple[int, BlobId]],
        after: int,
        until: int | None,
    ) -> Outline | None:
        """How it was when it last changed behind a call, up to the call `until`.

        Each outline is the whole notebook: the last one knows better than those before.
        """
        last = None
        for call, name in changed:
            if after < call and (until is None or call <= until):
                last = name
        coming = until is None and after <= len(turn.calls) and turn is self._state.turns[-1]
        return self._outline((self._view.newer if coming else None) or last)

    # ── the model's side

    def _ran(self, place: Place, each: Answered) -> Ran | None:
        for item in each.items:
            if isinstance(item, RunItem):
                run = self._state.runs[item.run_id]
                if run.sha256 is not None:
                    return self._as_it_went(place, run)
        return None

    def _as_it_went(self, place: Place, run: RunState) -> Ran:
        ran = self._edited.get(run.run_id, run)
        # A long output is told while its turn runs. Later what it was is in the kernel.
        past = place.turn < len(self._state.turns) - 1
        shorter = past and ran.excerpt is not None and ran.excerpt.cut
        return Ran(run, ran, self._view.figures.get(ran.run_id, ()), shorter)


def _changed(turn: TurnState) -> list[tuple[int, BlobId]]:
    """Before which calls the person changed the notebook, and what it is stored as."""
    return [(made.call, made.outline) for made in turn.calls if made.outline is not None]


def _kept(turn: TurnState) -> dict[int, BlobId]:
    """What was kept of the replies, by call."""
    return {made.call: made.kept for made in turn.calls if made.kept is not None}


def _in_the_message(turn: TurnState) -> list[LookItem]:
    """What the person named in the message; what they named later comes where they did."""
    looks = [item for item in turn.items if isinstance(item, LookItem)]
    return [look for look in looks if look.by == "user" and look.call == 0]
