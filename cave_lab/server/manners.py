"""How each model is spoken to: the person's decisions and what was learned, kept in the journal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final, Literal

from pydantic import JsonValue, ValidationError

from cave_lab.journal.journal import Journal
from cave_lab.model.port import ModelChoice
from cave_lab.protocol.rest import LearnedFormat, ModelMemory, ModelName, ModelOptions
from cave_lab.thread.services import Learned, Manner

SETTING: Final = "models"

Hint = Callable[[ModelChoice], Awaitable[bool | None]]
"""Whether a model is known to have tools, by a table or its own server."""
WindowHint = Callable[[ModelChoice], Awaitable[int | None]]
"""What one call to a model may hold, by its own server or a table."""

Reason = Learned | Literal["called_the_tool"]


class ModelManners:
    """Implements `Manners`; memory is kept by owner and by the model's name and address.

    It is read each time: another server of the same person writes to the same journal.
    """

    def __init__(self, journal: Journal, hint: Hint, window: WindowHint, sees: Hint) -> None:
        self._journal = journal
        self._hint = hint
        self._window_hint = window
        self._sees_hint = sees
        self._windows: dict[ModelName, int] = {}
        self._seeing: dict[ModelName, bool] = {}
        self._blind: set[ModelName] = set()
        """Models that have refused images."""
        self._hints: dict[ModelName, bool] = {}
        """What was found out, until the person chooses again: a server may have another model a
        day later."""
        self._changing = asyncio.Lock()
        """All memories of an owner are one setting: two changes at once would lose one."""

    # ── what a turn asks

    async def of(self, owner: str, choice: ModelChoice) -> Manner:
        """The person's word, else what was learned, else what is known, else fenced blocks."""
        memory = await self._memory(owner, _name(choice))
        format = memory.options.format or (memory.learned.format if memory.learned else None)
        if format is None:
            format = "tools" if await self._has_tools(choice) else "fences"
        options = memory.options
        return Manner(
            format,
            options.plain_fences_run,
            options.effort,
            options.window or await self._window(choice),
            await self._sees(choice, options.sees),
        )

    async def learn(self, owner: str, choice: ModelChoice, reason: Reason) -> bool:
        """Remember what was seen of a model; False if the person decided otherwise."""
        name = _name(choice)
        format: Literal["tools", "fences"] = "tools" if reason == "called_the_tool" else "fences"
        learned = LearnedFormat(format=format, reason=reason, at=datetime.now(UTC))
        async with self._changing:
            memory = await self._memory(owner, name)
            if memory.options.format is not None:
                return False
            await self._put(owner, name, memory.model_copy(update={"learned": learned}))
        return True

    async def _has_tools(self, choice: ModelChoice) -> bool:
        name = _name(choice)
        if name not in self._hints:
            told = await self._hint(choice)
            if told is None:
                # Asked again the next time: its server may not have been started yet.
                return False
            self._hints[name] = told
        return self._hints[name]

    async def _sees(self, choice: ModelChoice, decided: bool | None) -> bool:
        name = _name(choice)
        if decided is not None or name in self._blind:
            return bool(decided) and name not in self._blind
        if name not in self._seeing:
            told = await self._sees_hint(choice)
            if told is None:
                return False
            self._seeing[name] = told
        return self._seeing[name]

    def blind(self, choice: ModelChoice) -> None:
        """Give a model no more images, until the person decides again: it has refused them."""
        self._blind.add(_name(choice))

    async def _window(self, choice: ModelChoice) -> int | None:
        name = _name(choice)
        if name not in self._windows:
            told = await self._window_hint(choice)
            if told is None:
                # Asked again the next time: some servers know it once they have loaded the model.
                return None
            self._windows[name] = told
        return self._windows[name]

    # ── what the settings show and change

    async def memories(self, owner: str) -> list[ModelMemory]:
        """The models of which something was decided or learned."""
        return list((await self._read(owner)).values())

    async def options(self, owner: str, name: ModelName) -> ModelOptions:
        """What the person decided about a model."""
        return (await self._memory(owner, _plain(name))).options

    async def decide(self, owner: str, name: ModelName, options: ModelOptions) -> None:
        """Keep what the person decided about a model; its server is asked anew."""
        await self._change(owner, _plain(name), {"options": options})

    async def forget(self, owner: str, name: ModelName) -> None:
        """Forget what was learned of a model, not what the person decided."""
        await self._change(owner, _plain(name), {"learned": None})

    async def _change(self, owner: str, name: ModelName, update: dict[str, object]) -> None:
        self._hints.pop(name, None)
        self._windows.pop(name, None)
        self._seeing.pop(name, None)
        self._blind.discard(name)
        async with self._changing:
            memory = await self._memory(owner, name)
            await self._put(owner, name, memory.model_copy(update=update))

    # ── the journal

    async def _memory(self, owner: str, name: ModelName) -> ModelMemory:
        return (await self._read(owner)).get(name) or ModelMemory(**dict(name))

    async def _read(self, owner: str) -> dict[ModelName, ModelMemory]:
        stored = await self._journal.get_setting(owner, SETTING)
        memories = map(_readable, stored if isinstance(stored, list) else ())
        return {_plain(memory): memory for memory in memories if memory is not None}

    async def _put(self, owner: str, name: ModelName, memory: ModelMemory) -> None:
        known = {**await self._read(owner), name: memory}
        kept: list[JsonValue] = [
            one.model_dump(mode="json")
            for one in known.values()
            if one.learned is not None or one.options != ModelOptions()
        ]
        await self._journal.set_setting(owner, SETTING, kept)


def _readable(stored: JsonValue) -> ModelMemory | None:
    try:
        return ModelMemory.model_validate(stored)
    except ValidationError:
        # Written by another version: it is learned again.
        return None


def _name(choice: ModelChoice) -> ModelName:
    return ModelName(model=choice.name, api_base=choice.api_base or None)


def _plain(name: ModelName) -> ModelName:
    """The name alone; an address that was left empty is none."""
    return ModelName(model=name.model, api_base=name.api_base or None)
