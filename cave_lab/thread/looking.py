"""Looks at variables and outputs without a cell, for the model and for the person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT
from cave_lab.kernel.port import Detail
from cave_lab.privacy.modes import values_wanted
from cave_lab.protocol.content import LookAction, Looked
from cave_lab.protocol.ids import TurnId
from cave_lab.protocol.thread_events import VariablesLooked
from cave_lab.thread.host import Host

_COLUMN = re.compile(r"column\s+(?P<column>.+)", re.DOTALL)
_START = re.compile(r"from\s+(?P<start>\d{1,12})")
_UNKNOWN = "There is no detail “{detail}”: schema, head, column NAME or from N."


class Looking:
    """The looks of one turn."""

    def __init__(self, host: Host, turn_id: TurnId) -> None:
        self._host = host
        self._turn_id = turn_id

    async def look(self, action: LookAction, call: int, by: Literal["model", "user"]) -> None:
        """Look, and write down what was seen; what can't be seen says why in its place."""
        names = action.names[: self._host.services.limits.looked_names]
        answers = await self._host.cut.guard(self._answers(names, action.detail.strip(), by))
        await self._host.recorder.soft(
            VariablesLooked(
                **DRAFT,
                turn_id=self._turn_id,
                call=call,
                by=by,
                names=names,
                detail=action.detail,
                answers=list(answers),
            )
        )

    async def _answers(
        self, names: Sequence[str], words: str, by: Literal["model", "user"]
    ) -> Sequence[Looked]:
        detail = detail_of(words)
        if detail is None:
            return _all(names, _UNKNOWN.format(detail=words))
        try:
            link = await self._host.bind()
            if link is None:
                raise errors.NoKernel
            values = values_wanted(self._host.state.privacy, by)
            return await link.look(names, detail, values=values)
        except errors.KernelError as error:
            return _all(names, str(error))


def detail_of(words: str) -> Detail | None:
    """Read how closely to look; None if the words say nothing known."""
    if words in ("", "schema"):
        return Detail()
    if words == "head":
        return Detail("head")
    if found := _COLUMN.fullmatch(words):
        return Detail("column", column=found["column"].strip())
    if found := _START.fullmatch(words):
        return Detail("slice", start=int(found["start"]))
    return None


def _all(names: Sequence[str], note: str) -> list[Looked]:
    return [Looked(name=name, note=note) for name in names]
