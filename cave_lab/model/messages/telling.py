"""Tells one part of a thread as messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cave_lab.model.enclosed import enclose
from cave_lab.model.looked_text import looked_text
from cave_lab.model.messages.memory import Memory
from cave_lab.model.messages.parts import Answer, Question, Ran
from cave_lab.model.messages.shortening import Shortening
from cave_lab.model.messages.told import parts_text, steers_of
from cave_lab.model.messages.view import Terms
from cave_lab.model.port import (
    ActionCall,
    AssistantMessage,
    CellCall,
    LookCall,
    ModelMessage,
    ResultMessage,
    UserMessage,
)
from cave_lab.model.results import result_text
from cave_lab.model.stubs import look_stub, result_stub
from cave_lab.state.values import Item, LookItem, NoticeItem, RefusedItem, TextItem

_SUMMED_UP = "(Earlier messages of this thread were left out to save room. In short:)"
_LEFT_OUT = (
    "(Earlier messages of this thread were left out to save room; what was computed is in the "
    "kernel's variables.)"
)
_ALIVE = "(All of the kernel's variables at that moment:)"


class Telling:
    """Tells part after part, to a model that knows what was told before."""

    def __init__(self, terms: Terms, memory: Memory) -> None:
        self._terms = terms
        self._memory = memory

    def tell(self, part: Question | Answer) -> list[ModelMessage]:
        """The messages of a part."""
        return [self._question(part)] if isinstance(part, Question) else self._answer(part)

    # ── the person's side

    def _question(self, part: Question) -> UserMessage:
        self._memory.see(part.outline)
        sections = [part.before]
        if part.left_out is not None:
            sections += self._left_out(part.left_out)
        if part.seen is not None:
            sections.append(self._memory.variables(part.seen))
        sections.append(self._memory.notebook(part.outline, part.anchor))
        sections.append(parts_text(part.content))
        sections += [looked_text(look, self._terms.privacy) for look in part.mentioned]
        sections += steers_of(part.passed, self._terms.privacy, look_stub)
        sections.append(self._memory.update(part.newer, part.anchor))
        return self._said(*sections)

    def _left_out(self, short: Shortening) -> Iterator[str]:
        """What stands for the talk that was left out, and what the kernel holds of it."""
        if short.summary is not None:
            yield f"{_SUMMED_UP}\n{enclose('summary', short.summary)}"
        if short.trimmed:
            yield _LEFT_OUT
        if short.manifest is not None:
            yield f"{_ALIVE}\n{self._memory.manifest(short.manifest)}"

    def _said(self, *sections: str) -> UserMessage:
        return UserMessage(self._terms.redact("\n".join(part for part in sections if part)))

    # ── the model's side

    def _answer(self, part: Answer) -> list[ModelMessage]:
        text = "".join(item.text for item in part.items if isinstance(item, TextItem))
        added = [item.text for item in part.items if isinstance(item, NoticeItem)]
        added += steers_of(part.items, self._terms.privacy)
        images: Sequence[str] = ()
        if part.ran is not None:
            action, result = self._run(part, part.ran)
            images = () if part.in_a_line else part.ran.figures
        elif looks := _of_the_model(part.items):
            action, result = self._look(part, looks[0])
        else:
            refused = [item.text for item in part.items if isinstance(item, RefusedItem)]
            notes = [*refused, *added, self._memory.update(part.newer, part.anchor)]
            return self._words(text, notes, unusable=bool(refused))
        sections = [result, *added, self._memory.update(part.newer, part.anchor)]
        told = self._terms.redact("\n".join(section for section in sections if section))
        return [
            AssistantMessage(self._terms.redact(text), action, part.kept),
            ResultMessage(action.call_id, told, images),
        ]

    def _words(self, text: str, notes: Sequence[str], *, unusable: bool) -> list[ModelMessage]:
        said = text or ("(an action that could not be used)" if unusable else "")
        answer: list[ModelMessage] = []
        if said:
            answer.append(AssistantMessage(self._terms.redact(said)))
        return [*answer, self._said(*notes)] if any(notes) else answer

    def _run(self, part: Answer, ran: Ran) -> tuple[ActionCall, str]:
        terms, run = self._terms, ran.run
        self._memory.ran(ran.ran)
        call_id = _call_id(run.call, run.run_id)
        action = CellCall(call_id, terms.redact(run.code), terms.redact(run.purpose), run.scratch)
        if part.in_a_line:
            return action, result_stub(run, ran.ran, terms.privacy, terms.redact)
        left = terms.limits.past_result_chars if ran.shorter else None
        return action, result_text(
            run,
            ran.ran,
            terms.privacy,
            terms.redact,
            cut_to=left,
            page_chars=terms.limits.page_chars,
        )

    def _look(self, part: Answer, look: LookItem) -> tuple[ActionCall, str]:
        redact = self._terms.redact
        call_id = _call_id(look.call, part.turn_id)
        names = tuple(map(redact, look.names))
        tell = look_stub if part.in_a_line else looked_text
        return LookCall(call_id, names, redact(look.detail)), tell(look, self._terms.privacy)


def _call_id(call: int, of: str) -> str:
    return f"call_{call}_{of[-12:]}"


def _of_the_model(items: Sequence[Item]) -> list[LookItem]:
    return [item for item in items if isinstance(item, LookItem) and item.by == "model"]
