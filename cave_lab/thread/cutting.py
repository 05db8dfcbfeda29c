"""Finds where a talk can be cut: between calls, so that a call and its result stay together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cave_lab.model.messages import Place


@dataclass(frozen=True)
class Weight:
    """A message of the talk by its place, and its tokens."""

    place: Place
    tokens: int


def first_that_fits(talk: Sequence[Weight], end: Place, *rooms: int) -> Place | None:
    """The earliest place from which the talk fits the first room, else the next, else its end.

    The end leaves out all but the question of the last turn: only if nothing else fits any room.
    None if there is nothing to leave out at all.
    """
    cuts = _cuts(talk, end)
    before = [cut for cut in cuts if _stays_of(talk, cut) != _stays_of(talk, end)]
    for room in rooms:
        for cut in before:
            if sum(weight.tokens for weight in _stays_of(talk, cut)) <= room:
                return cut
    return cuts[-1] if cuts else None


def left_out(talk: Sequence[Weight], cut: Place) -> int:
    """The tokens of what is not told any more."""
    return sum(each.tokens for each in talk) - sum(each.tokens for each in _stays_of(talk, cut))


def is_passed(talk: Sequence[Weight], cut: Place) -> bool:
    """Whether calls of the very turn that is cut are left out."""
    places = (weight.place for weight in talk)
    return any(place.turn == cut.turn and 0 <= place.call < cut.call for place in places)


def _cuts(talk: Sequence[Weight], end: Place) -> list[Place]:
    """The places at which something would be left out, from the first on."""
    places = {Place(each.place.turn, max(each.place.call, 0)) for each in talk}
    cuts = sorted(place for place in places | {end} if place <= end)
    return [cut for cut in cuts if len(_stays_of(talk, cut)) < len(talk)]


def _stays_of(talk: Sequence[Weight], cut: Place) -> list[Weight]:
    """What is told from a place on, and the question of its turn."""
    return [
        each
        for each in talk
        if each.place >= cut or (each.place.turn == cut.turn and each.place.call < 0)
    ]
