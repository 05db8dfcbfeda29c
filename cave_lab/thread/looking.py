"""Looks at variables and outputs without a cell, for the model and for the person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT
from cave_lab.kernel.port import Detail
from cave_lab.limits import Limits
from cave_lab.model.messages import bounds_of
from cave_lab.privacy.modes import values_wanted
from cave_lab.protocol.content import LookAction, Looked, MentionPart, Part
from cave_lab.protocol.ids import TurnId
from cave_lab.protocol.thread_events import VariablesLooked
from cave_lab.thread.host import Host
from cave_lab.thread.pages import OutputPages, is_reference
from cave_lab.thread.shares import names_of, shared
from cave_lab.thread.windows import window_in

_COLUMN = re.compile(r"column\s+(?P<column>.+)", re.DOTALL)
_START = re.compile(r"from\s+(?P<start>\d{1,12})")
_PAGE = re.compile(r"page\s+(?P<number>\d{1,9})")

_UNKNOWN = (
    "There is no detail “{detail}”: schema, head, column NAME, from N (of a text) or "
    "page N (of an output)."
)
_NO_PAGES = "Only outputs have pages."
_TOO_MANY = "Not looked at: one look takes at most {most} names."

Looker = Literal["model", "user"]


@dataclass(frozen=True)
class Page:
    """A page of an output, the first is 1."""

    number: int = 1


class Looking:
    """The looks of one turn."""

    def __init__(self, host: Host, turn_id: TurnId) -> None:
        self._host = host
        self._turn_id = turn_id
        self._outputs = OutputPages(host)

    async def look(self, action: LookAction, call: int, by: Looker) -> None:
        """Look, and write down what was seen; what can't be seen says why in its place.

        Returns when it is written: the model is told what the journal holds. Raises TurnCut and
        JournalError.
        """
        most = self._host.services.limits.looked_names
        names, more = action.names[:most], _all(action.names[most:], "")
        answers = await self._host.cut.guard(self._answers(names, action.detail.strip(), by))
        if more:
            answers.append(Looked(name=names_of(more), note=_TOO_MANY.format(most=most)))
        await self._host.recorder.full(
            VariablesLooked(
                **DRAFT,
                turn_id=self._turn_id,
                call=call,
                by=by,
                names=names,
                detail=action.detail,
                answers=answers,
            )
        )

    async def mentioned(self, content: Sequence[Part], call: int) -> None:
        """Look at the variables that the person names in a message behind so many calls."""
        mentions = [part for part in content if isinstance(part, MentionPart)]
        names = list(dict.fromkeys(part.name for part in mentions if part.kind == "variable"))
        if names:
            detail = "head" if values_wanted(self._host.state.privacy, "user") else ""
            await self.look(LookAction(names=names, detail=detail), call, "user")

    async def _answers(self, names: Sequence[str], words: str, by: Looker) -> list[Looked]:
        detail, bounds = detail_of(words), await self._bounds()
        room = bounds.looks_chars if by == "model" else bounds.mentioned_chars
        if detail is None:
            return shared(_all(names, _UNKNOWN.format(detail=words)), room)
        outputs = [name for name in names if self._outputs.has(name)]
        variables = [name for name in names if name not in outputs]
        found = {looked.name: looked for looked in await self._variables(variables, detail, by)}
        number = detail.number if isinstance(detail, Page) else 1
        for name in outputs:
            found[name] = await self._outputs.look(name, number, bounds.page_chars)
        return shared([found[name] for name in names], room)

    async def _bounds(self) -> Limits:
        """What the model has room for."""
        state, services = self._host.state, self._host.services
        choice = services.choice(state.owner, state.model)
        manner = await services.manners.of(state.owner, choice)
        window = window_in(state, choice.name, manner.window, services.limits)
        return bounds_of(window, services.limits)

    async def _variables(
        self, names: Sequence[str], detail: Detail | Page, by: Looker
    ) -> Sequence[Looked]:
        if not names:
            return []
        if isinstance(detail, Page):
            return [self._or_output(looked) for looked in _all(names, _NO_PAGES)]
        return [self._or_output(looked) for looked in await self._seen(names, detail, by)]

    async def _seen(self, names: Sequence[str], detail: Detail, by: Looker) -> Sequence[Looked]:
        unavailable = self._unavailable() if by == "user" else None
        if unavailable is not None:
            # Found out a moment ago, and not quickly.
            return _all(names, unavailable)
        try:
            link = await self._host.bind()
            if link is None:
                raise errors.NoKernel
            values = values_wanted(self._host.state.privacy, by)
            redact = self._host.services.redact
            return await link.look(names, detail, values=values, redact=redact)
        except errors.KernelError as error:
            return _all(names, str(error))

    def _unavailable(self) -> str | None:
        """Why the kernel's variables could not be seen when the turn began."""
        seen = self._host.state.turns[-1].seen
        return None if seen is None else seen.unavailable

    def _or_output(self, looked: Looked) -> Looked:
        """A name that neither a variable has nor an output, though outputs are named so."""
        missing = looked.variable is None and looked.text is None
        unknown = missing and is_reference(looked.name)
        return self._outputs.unknown(looked.name) if unknown else looked


def detail_of(words: str) -> Detail | Page | None:
    """Read how closely to look; None if the words say nothing known."""
    if words in ("", "schema"):
        return Detail()
    if words == "head":
        return Detail("head")
    if found := _COLUMN.fullmatch(words):
        return Detail("column", column=found["column"].strip())
    if found := _START.fullmatch(words):
        return Detail("slice", start=int(found["start"]))
    if found := _PAGE.fullmatch(words):
        return Page(int(found["number"]))
    return None


def _all(names: Sequence[str], note: str) -> list[Looked]:
    return [Looked(name=name, note=note) for name in names]
