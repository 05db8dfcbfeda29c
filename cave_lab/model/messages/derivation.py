"""Goes through a thread and tells each turn in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cave_lab.model.enclosed import enclose
from cave_lab.model.looked_text import looked_text
from cave_lab.model.messages.memory import Memory
from cave_lab.model.messages.shortening import BEGIN, Place, Shortening, shortening
from cave_lab.model.messages.told import Answered, answered, interruption, parts_text, steers_of
from cave_lab.model.messages.view import View
from cave_lab.model.port import (
    ActionCall,
    AssistantMessage,
    CellCall,
    LookCall,
    ModelMessage,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from cave_lab.model.results import result_text
from cave_lab.model.stubs import look_stub, result_stub
from cave_lab.protocol.ids import BlobId
from cave_lab.state.values import (
    Item,
    LookItem,
    NoticeItem,
    RefusedItem,
    RunItem,
    RunState,
    TextItem,
    ThreadState,
    TurnState,
)

_SUMMED_UP = "(Earlier messages of this thread were left out to save room. In short:)"
_LEFT_OUT = (
    "(Earlier messages of this thread were left out to save room; what was computed is in the "
    "kernel's variables.)"
)
_ALIVE = "(All of the kernel's variables at that moment:)"


@dataclass(frozen=True)
class Placed:
    """A message, and the call that it came of; a turn's question stands before all its calls."""

    place: Place
    message: ModelMessage


def derive(state: ThreadState, view: View) -> list[ModelMessage]:
    """All messages of the next call: prompt, then turn by turn, the kernel's state last."""
    return [each.message for each in placed(state, view)]


def placed(state: ThreadState, view: View) -> list[Placed]:
    """All messages of the next call with their places."""
    return [Placed(BEGIN, SystemMessage(view.system)), *_Derivation(state, view).messages()]


class _Derivation:
    """One derivation on its way through the thread."""

    def __init__(self, state: ThreadState, view: View) -> None:
        self._state = state
        self._view = view
        self._edited = {run.replaces: run for run in state.runs.values() if run.replaces}
        self._short: Shortening = shortening(state)
        self._memory = Memory(view, state.privacy)

    def messages(self) -> Iterator[Placed]:
        before: TurnState | None = None
        for index, turn in enumerate(self._state.turns):
            if self._short.asks(index):
                yield from self._turn(index, turn, before)
            before = turn

    def _turn(self, index: int, turn: TurnState, before: TurnState | None) -> Iterator[Placed]:
        calls = answered(turn, self._state)
        told = [each for each in calls if self._short.tells(Place(index, each.call))]
        passed = calls[: len(calls) - len(told)]
        until = told[0].call if told else None
        question = self._question(index, turn, before, passed, until)
        yield Placed(Place(index, -1), question)
        for number, each in enumerate(told):
            place = Place(index, each.call)
            until = told[number + 1].call if number + 1 < len(told) else None
            for message in self._answer(place, turn, each, until):
                yield Placed(place, message)

    # ── the person's side

    def _question(
        self,
        index: int,
        turn: TurnState,
        before: TurnState | None,
        passed: Sequence[Answered],
        until: int | None,
    ) -> UserMessage:
        """What the person said, up to the call `until`; of `passed` calls only their own words."""
        self._memory.see(turn.outline)
        sections = [interruption(before)]
        if self._short.begins_in(index):
            sections += self._head()
        if turn.seen is not None and not self._superseded(index):
            sections.append(self._memory.variables(turn.seen))
        sections.append(self._memory.notebook(turn.outline, turn.anchor))
        sections.append(parts_text(turn.content))
        sections += self._mentioned(turn)
        sections += [
            steer for each in passed for steer in steers_of(each.items, self._state.privacy)
        ]
        sections.append(self._update(turn, -1, until))
        return self._said(*sections)

    def _head(self) -> Iterator[str]:
        """What stands for the talk that was left out, and what the kernel holds of it."""
        if self._short.summary is not None:
            yield f"{_SUMMED_UP}\n{enclose('summary', self._short.summary)}"
        if self._short.trimmed:
            yield _LEFT_OUT
        if self._short.manifest is not None:
            yield f"{_ALIVE}\n{self._memory.manifest(self._short.manifest)}"

    def _superseded(self, index: int) -> bool:
        """Whether a newer table than that of a turn has been told before it."""
        return self._short.manifest is not None and index <= self._short.seen_in

    def _mentioned(self, turn: TurnState) -> list[str]:
        """What the person named in this message; what they named later comes where they did."""
        looks = (item for item in turn.items if isinstance(item, LookItem))
        first = [look for look in looks if look.by == "user" and look.call == 0]
        return [looked_text(look, self._state.privacy) for look in first]

    def _said(self, *sections: str) -> UserMessage:
        return UserMessage(self._view.redact("\n".join(part for part in sections if part)))

    def _update(self, turn: TurnState, after: int, until: int | None) -> str:
        """What the person changed in the notebook behind a call, up to the call `until`."""
        made = [(made.call, made.outline) for made in turn.calls]
        if turn is self._state.turns[-1] and until is None:
            made.append((len(turn.calls) + 1, self._view.newer))
        blobs: list[BlobId] = [
            blob
            for call, blob in made
            if blob is not None and after < call and (until is None or call <= until)
        ]
        return self._memory.update(blobs, turn.anchor)

    # ── the model's side

    def _answer(
        self, place: Place, turn: TurnState, each: Answered, until: int | None
    ) -> list[ModelMessage]:
        text = "".join(item.text for item in each.items if isinstance(item, TextItem))
        added = [item.text for item in each.items if isinstance(item, NoticeItem)]
        added += steers_of(each.items, self._state.privacy)
        runs = [self._state.runs[item.run_id] for item in each.items if isinstance(item, RunItem)]
        run = next((run for run in runs if run.sha256 is not None), None)
        images: Sequence[str] = ()
        if run is not None:
            action, result = self._run(place, run)
            images = self._figures(place, run)
        elif looks := _of_the_model(each.items):
            action, result = self._look(place, turn, looks[0])
        else:
            refused = [item.text for item in each.items if isinstance(item, RefusedItem)]
            notes = [*refused, *added, self._update(turn, each.call, until)]
            return self._words(text, notes, unusable=bool(refused))
        parts = [result, *added, self._update(turn, each.call, until)]
        told = self._view.redact("\n".join(part for part in parts if part))
        kept = self._kept(turn, each.call)
        return [
            AssistantMessage(self._view.redact(text), action, kept),
            ResultMessage(action.call_id, told, images),
        ]

    def _words(self, text: str, notes: Sequence[str], *, unusable: bool) -> list[ModelMessage]:
        said = text or ("(an action that could not be used)" if unusable else "")
        answer: list[ModelMessage] = [AssistantMessage(self._view.redact(said))] if said else []
        return [*answer, self._said(*notes)] if any(notes) else answer

    def _run(self, place: Place, run: RunState) -> tuple[ActionCall, str]:
        redact = self._view.redact
        ran = self._edited.get(run.run_id, run)
        self._memory.ran(ran)
        call_id = f"call_{run.call}_{run.run_id[-12:]}"
        action = CellCall(call_id, redact(run.code), redact(run.purpose), run.scratch)
        if place < self._short.stubs_before:
            return action, result_stub(run, ran, self._state.privacy, redact)
        # A long output is told while its turn runs. Later what it was is in the kernel.
        past = place.turn < len(self._state.turns) - 1
        left = self._view.limits.past_result_chars if past else None
        return action, result_text(run, ran, self._state.privacy, redact, cut_to=left)

    def _figures(self, place: Place, run: RunState) -> Sequence[str]:
        """The figures of a run; a result that is told in one line has none."""
        ran = self._edited.get(run.run_id, run)
        return () if place < self._short.stubs_before else self._view.figures.get(ran.run_id, ())

    def _look(self, place: Place, turn: TurnState, look: LookItem) -> tuple[ActionCall, str]:
        redact = self._view.redact
        call_id = f"call_{look.call}_{turn.turn_id[-12:]}"
        names = tuple(map(redact, look.names))
        tell = look_stub if place < self._short.stubs_before else looked_text
        return LookCall(call_id, names, redact(look.detail)), tell(look, self._state.privacy)

    def _kept(self, turn: TurnState, call: int) -> str | None:
        blobs = [made.kept for made in turn.calls if made.call == call and made.kept is not None]
        return self._view.kept.get(blobs[-1]) if blobs else None


def _of_the_model(items: Sequence[Item]) -> list[LookItem]:
    return [item for item in items if isinstance(item, LookItem) and item.by == "model"]
