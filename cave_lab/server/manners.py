"""How each model is spoken to: the person's decisions and what was learned, kept in the journal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final, Literal

from pydantic import TypeAdapter, ValidationError

from cave_lab.journal.journal import Journal
from cave_lab.model.port import ModelChoice
from cave_lab.protocol.rest import LearnedFormat, ModelMemory, ModelName, ModelOptions
from cave_lab.thread.services import Learned, Manner

SETTING: Final = "models"

_MEMORIES: TypeAdapter[list[ModelMemory]] = TypeAdapter(list[ModelMemory])

Hint = Callable[[ModelChoice], Awaitable[bool | None]]
"""Whether a model is known to have tools, by a table or its own server."""

Reason = Learned | Literal["called_the_tool"]


class ModelManners:
    """Implements `Manners`; memory is kept by owner and by the model's name and address."""

    def __init__(self, journal: Journal, hint: Hint) -> None:
        self._journal = journal
        self._hint = hint
        self._known: dict[str, dict[ModelName, ModelMemory]] = {}
        self._hints: dict[ModelName, bool | None] = {}
        """Asked once for each choice of a model: a server may have another model a day later."""

    # ── what a turn asks

    async def of(self, owner: str, choice: ModelChoice) -> Manner:
        """The person's word, else what was learned, else what is known, else fenced blocks."""
        memory = (await self._read(owner)).get(_name(choice))
        options = memory.options if memory is not None else ModelOptions()
        format = options.format or (memory.learned.format if memory and memory.learned else None)
        if format is None:
            format = "tools" if await self._has_tools(choice) else "fences"
        return Manner(format, options.plain_fences_run, options.effort)

    async def learn(self, owner: str, choice: ModelChoice, reason: Reason) -> bool:
        """Remember what was seen of a model; False if the person decided otherwise."""
        name = _name(choice)
        memory = (await self._read(owner)).get(name) or ModelMemory(**dict(name))
        if memory.options.format is not None:
            return False
        format: Literal["tools", "fences"] = "tools" if reason == "called_the_tool" else "fences"
        learned = LearnedFormat(format=format, reason=reason, at=datetime.now(UTC))
        await self._put(owner, name, memory.model_copy(update={"learned": learned}))
        return True

    async def _has_tools(self, choice: ModelChoice) -> bool:
        name = _name(choice)
        if name not in self._hints:
            self._hints[name] = await self._hint(choice)
        return bool(self._hints[name])

    # ── what the settings show and change

    async def memories(self, owner: str) -> list[ModelMemory]:
        """The models of which something was decided or learned."""
        return list((await self._read(owner)).values())

    async def options(self, owner: str, name: ModelName) -> ModelOptions:
        """What the person decided about a model."""
        memory = (await self._read(owner)).get(name)
        return memory.options if memory is not None else ModelOptions()

    async def decide(self, owner: str, name: ModelName, options: ModelOptions) -> None:
        """Keep what the person decided about a model; its server is asked anew."""
        self._hints.pop(name, None)
        memory = (await self._read(owner)).get(name) or ModelMemory(**dict(name))
        await self._put(owner, name, memory.model_copy(update={"options": options}))

    async def forget(self, owner: str, name: ModelName) -> None:
        """Forget what was learned of a model, not what the person decided."""
        self._hints.pop(name, None)
        memory = (await self._read(owner)).get(name)
        if memory is not None:
            await self._put(owner, name, memory.model_copy(update={"learned": None}))

    # ── the journal

    async def _read(self, owner: str) -> dict[ModelName, ModelMemory]:
        if owner not in self._known:
            stored = await self._journal.get_setting(owner, SETTING)
            self._known[owner] = {_plain(memory): memory for memory in _readable(stored)}
        return self._known[owner]

    async def _put(self, owner: str, name: ModelName, memory: ModelMemory) -> None:
        known = {**await self._read(owner), name: memory}
        kept = {
            one: memory
            for one, memory in known.items()
            if memory.learned is not None or memory.options != ModelOptions()
        }
        value = _MEMORIES.dump_python(list(kept.values()), mode="json")
        await self._journal.set_setting(owner, SETTING, value)
        self._known[owner] = kept


def _readable(stored: object) -> list[ModelMemory]:
    try:
        return _MEMORIES.validate_python(stored or [])
    except ValidationError:
        # Written by another version: it is learned again.
        return []


def _name(choice: ModelChoice) -> ModelName:
    return ModelName(model=choice.name, api_base=choice.api_base)


def _plain(memory: ModelMemory) -> ModelName:
    return ModelName(model=memory.model, api_base=memory.api_base)
