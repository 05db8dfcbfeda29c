"""The person at the notebook: a second client on the same kernel, as JupyterLab is one."""

import asyncio
from queue import Empty
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.session import Session

from tests.waiting import until


class Person:
    """Runs cells of their own, and remembers what the kernel published."""

    def __init__(self, client: AsyncKernelClient) -> None:
        self.client = client
        self.published: list[dict[str, Any]] = []
        self._way_in = client.control_channel
        self._replies: dict[str, dict[str, Any]] = {}
        self._tasks: list[asyncio.Task] = []

    @classmethod
    async def at(cls, manager: Any) -> "Person":
        client = manager.client_factory(
            session=Session(key=manager.session.key, config=manager.session.config)
        )
        client.load_connection_info(manager.get_connection_info())
        client.start_channels(hb=False)
        person = cls(client)
        if manager.kernel_spec.language != "python":
            # Not every kernel answers on control; then nobody joins while a cell runs.
            person._way_in = client.shell_channel
        person._tasks = [
            asyncio.create_task(person._listen()),
            asyncio.create_task(person._hear_replies()),
        ]
        await until(person._reached, "the kernel's published messages at the person's client")
        return person

    def _reached(self) -> bool:
        if not self.published:
            request = self.client.session.msg("kernel_info_request", {})
            self._way_in.send(request)
        return bool(self.published)

    def send(self, code: str, **options: Any) -> str:
        """Press Shift+Enter; returns the request's id."""
        return self.client.execute(code, allow_stdin=False, **options)

    async def reply(self, message_id: str, seconds: float = 20.0) -> dict[str, Any]:
        """The content of the reply, once it is there."""
        await until(lambda: message_id in self._replies, "the person's reply", seconds=seconds)
        return self._replies[message_id]

    async def run(self, code: str, **options: Any) -> dict[str, Any]:
        """Run a cell to its end."""
        return await self.reply(self.send(code, **options))

    async def running(self, message_id: str) -> None:
        """Return when the kernel has taken the cell up."""
        await until(lambda: self.heard(message_id, "execute_input"), "the person's cell running")

    def heard(self, message_id: str, kind: str) -> list[dict[str, Any]]:
        """What was published of one kind for a request."""
        return [
            message["content"]
            for message in self.published
            if message["parent_header"].get("msg_id") == message_id and message["msg_type"] == kind
        ]

    def printed(self, message_id: str) -> str:
        """What a cell of theirs printed."""
        return "".join(content["text"] for content in self.heard(message_id, "stream"))

    async def value(self, expression: str) -> str:
        """The repr of an expression, without a trace in history."""
        reply = await self.run("", silent=True, user_expressions={"it": expression})
        return reply["user_expressions"]["it"]["data"]["text/plain"]

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.client.stop_channels()
        self.client.context.destroy(linger=0)

    async def _listen(self) -> None:
        while True:
            try:
                self.published.append(await self.client.get_iopub_msg(timeout=1))
            except Empty:
                continue

    async def _hear_replies(self) -> None:
        while True:
            try:
                reply = await self.client.get_shell_msg(timeout=1)
            except Empty:
                continue
            self._replies[reply["parent_header"]["msg_id"]] = reply["content"]
