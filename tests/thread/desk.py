"""All threads of a server without kernels, a scripted model, and one reader at its port."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cave_lab.journal.journal import Journal
from cave_lab.limits import Limits
from cave_lab.model.replies import ModelReplies
from cave_lab.model.script import Item, ScriptedTurn, Trajectory
from cave_lab.model.scripted import ScriptedModel
from cave_lab.protocol.commands import COMMAND_ADAPTER
from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import ThreadId, new_id
from cave_lab.state import ThreadState, replay
from cave_lab.thread.service import ThreadService
from cave_lab.thread.thread import Thread
from tests.security.services import services_over
from tests.thread.readers import Reader
from tests.waiting import until


class Desk:
    """What a panel does with one thread."""

    def __init__(
        self,
        journal: Journal,
        limits: Limits,
        *answer: Item,
        pace: float | None = None,
        prompt: Callable[..., str] | None = None,
    ) -> None:
        script = Trajectory("script", (ScriptedTurn("any", answer=answer),))
        services = services_over(journal)
        self.service = ThreadService(
            replace(
                services,
                limits=limits,
                replies=ModelReplies(limits, ScriptedModel(script, pace)),
                system_prompt=prompt or services.system_prompt,
            )
        )
        self.reader = Reader()
        self.thread_id = ThreadId("none")

    async def do(self, type_: str, reader: Reader | None = None, **fields: Any) -> Any:
        """Hand a command in."""
        fields.setdefault("command_id", new_id("command"))
        if type_ != "thread.create":
            fields.setdefault("thread_id", self.thread_id)
        command = COMMAND_ADAPTER.validate_python({"type": type_, **fields})
        return await self.service.handle(command, reader or self.reader)

    async def begin(self, **settings: Any) -> None:
        """Make a thread and follow it."""
        made = await self.do("thread.create", target={}, settings=settings)
        self.thread_id = made.thread_id
        await self.do("thread.open")

    async def say(self, words: str = "hello", **fields: Any) -> Any:
        """Send a message."""
        return await self.do("message.send", content=[{"type": "text", "text": words}], **fields)

    async def thread(self) -> Thread:
        """The thread behind the port."""
        return await self.service.get(self.thread_id, "local")

    @property
    def state(self) -> ThreadState:
        """The thread as the reader folds it."""
        state = replay(self.reader.events)
        assert state is not None
        return state

    def ends(self) -> list[str]:
        """Why turns ended, as the reader was told."""
        return [event.stop_reason for event in self.of("turn.ended")]  # type: ignore[union-attr]

    def of(self, type_: str) -> list[Event]:
        """The events of a type that the reader was told of."""
        return [event for event in self.reader.events if event.type == type_]

    async def ended(self, turn: int = 1) -> str:
        """Wait for the n-th end of a turn."""
        await until(lambda: len(self.ends()) >= turn, f"the end of turn {turn}")
        return self.ends()[turn - 1]

    async def idle(self) -> None:
        """Wait until no turn runs."""
        thread = await self.thread()
        await until(lambda: not thread.busy, "the turn to be over")
