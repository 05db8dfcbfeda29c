"""What of the talk the model is no longer told in full, read from a thread's compactions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, assert_never

from cave_lab.model.messages.told import answered, has_result
from cave_lab.privacy.modes import no_laxer
from cave_lab.protocol.words import PrivacyMode
from cave_lab.state.values import CompactedItem, ThreadState, VariablesView


class Place(NamedTuple):
    """A point of the talk: before a call of a turn, the turn by its index in the thread."""

    turn: int
    call: int


BEGIN = Place(0, 0)


@dataclass(frozen=True)
class Shortening:
    """What the compactions so far come to; by itself, that all is told."""

    stubs_before: Place = BEGIN
    """Results before it are told in a line."""
    talk_from: Place = BEGIN
    """Where the talk begins that is told; the question of its turn is, whatever the call."""
    summary: str | None = None
    """What the model wrote of the talk before."""
    trimmed: bool = False
    """Whether some of it was left out without being summed up."""
    manifest: VariablesView | None = None
    """What lived in the kernel when the talk was shortened."""
    seen_in: int = -1
    """The turn in which that was seen: what turns up to this one saw is older."""

    def tells(self, place: Place) -> bool:
        """Whether what belongs to a call is told."""
        return place >= self.talk_from

    def asks(self, turn: int) -> bool:
        """Whether a turn's question is told."""
        return turn >= self.talk_from.turn

    def begins_in(self, turn: int) -> bool:
        """Whether what was left out stands before this turn's question."""
        shortened = self.summary is not None or self.trimmed
        return shortened and turn == self.talk_from.turn


def shortening(state: ThreadState) -> Shortening:
    """Sum up the compactions of a thread that hold under the privacy mode in force."""
    places = {turn.turn_id: index for index, turn in enumerate(state.turns)}
    now = Shortening()
    for index, turn in enumerate(state.turns):
        for item in turn.items:
            if isinstance(item, CompactedItem) and item.up_to_turn in places:
                place = Place(places[item.up_to_turn], item.up_to_call)
                now = _after(now, item, place, index, state.privacy)
    return now


def results_in(state: ThreadState) -> list[Place]:
    """The places of all results, in order."""
    return [
        Place(index, each.call)
        for index, turn in enumerate(state.turns)
        for each in answered(turn, state)
        if has_result(each, state)
    ]


def _after(
    now: Shortening, item: CompactedItem, place: Place, index: int, privacy: PrivacyMode
) -> Shortening:
    match item.tier:
        case "stubs":
            return replace(now, stubs_before=max(now.stubs_before, place))
        case "summary":
            # Made of more than may leave now, it could tell what the messages no longer tell.
            if item.summary is None or not no_laxer(item.privacy, privacy):
                return now
            return replace(
                now,
                talk_from=max(now.talk_from, place),
                summary=item.summary,
                trimmed=False,
                manifest=_manifest(item),
                seen_in=index,
            )
        case "trimmed":
            return replace(
                now,
                talk_from=max(now.talk_from, place),
                trimmed=True,
                manifest=_manifest(item),
                seen_in=index,
            )
        case _:
            assert_never(item.tier)


def _manifest(item: CompactedItem) -> VariablesView | None:
    """The variables of that moment; None if there was no kernel to ask."""
    if item.generation is None:
        return None
    return VariablesView(
        generation=item.generation,
        variables=item.variables,
        total=item.variables_total,
        omitted={},
        unavailable=None,
    )
