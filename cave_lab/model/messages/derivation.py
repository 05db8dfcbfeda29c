"""Goes through a thread and tells each part in order, anew only where its words may be others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat

from cave_lab.model.messages.lessons import Lesson
from cave_lab.model.messages.memory import Memory
from cave_lab.model.messages.parts import Answer, Question, parts_of
from cave_lab.model.messages.shortening import BEGIN, Place
from cave_lab.model.messages.telling import Telling
from cave_lab.model.messages.view import Terms, View
from cave_lab.model.port import ModelMessage, SystemMessage
from cave_lab.state.values import ThreadState


@dataclass(frozen=True)
class Placed:
    """A message, and the call that it came of; a turn's question stands before all its calls."""

    place: Place
    message: ModelMessage


@dataclass(frozen=True)
class _Told:
    """How a part was told, to a model that had been taught what the parts before it teach."""

    part: Question | Answer
    messages: Sequence[Placed]
    lessons: Sequence[Lesson]


class Derivation:
    """The messages of one thread; each call tells a little more than the one before.

    A part is told as it was before if it is the same, and if those before it teach the same.
    """

    def __init__(self) -> None:
        self._terms: Terms | None = None
        self._told: Sequence[_Told] = ()

    def placed(self, state: ThreadState, view: View) -> list[Placed]:
        """All messages of the next call: prompt, then turn by turn."""
        terms = Terms(state.privacy, view.redact, view.limits)
        before = self._told if terms == self._terms else ()
        self._terms, self._told = terms, _tell(state, view, terms, before)
        prompt = Placed(BEGIN, SystemMessage(view.system))
        return [prompt, *(message for told in self._told for message in told.messages)]


def derive(state: ThreadState, view: View) -> list[ModelMessage]:
    """All messages of the next call, derived from the first on."""
    return [each.message for each in Derivation().placed(state, view)]


def _tell(state: ThreadState, view: View, terms: Terms, before: Sequence[_Told]) -> Sequence[_Told]:
    memory = Memory(terms)
    telling = Telling(terms, memory)
    taught_alike = True
    told: list[_Told] = []
    for part, earlier in zip(parts_of(state, view), chain(before, repeat(None)), strict=False):
        if taught_alike and earlier is not None and earlier.part == part:
            memory.recall(earlier.lessons)
            told.append(earlier)
            continue
        messages = [Placed(part.place, message) for message in telling.tell(part)]
        told.append(_Told(part, messages, memory.learnt()))
        taught_alike &= earlier is not None and earlier.lessons == told[-1].lessons
    return told
