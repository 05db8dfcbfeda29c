"""A real kernel and a plain client of it, for tests of what runs inside."""

import asyncio
import itertools
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from cave_lab.kernel.probe import ProbeOptions, injection_code
from tests.kernel.probe.kernels import KernelPython

ANSWER_SECONDS = 30.0
MESSAGE = dict[str, Any]
GENERATION = "generation-1"
HEARD_SECONDS = 1.0
"""So long a published message is waited for before the kernel is asked to publish another."""


class Lab:
    """Sends requests, and keeps what comes back under the request that asked for it."""

    def __init__(self, manager: AsyncKernelManager, client: AsyncKernelClient) -> None:
        self.manager = manager
        self.client = client
        self.published: dict[str, list[MESSAGE]] = defaultdict(list)
        self.questions: list[MESSAGE] = []
        self._replies: dict[str, asyncio.Future[MESSAGE]] = {}
        self._idle: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._numbers = itertools.count(1)

    # ── reading

    async def read_replies(self, next_message: Callable[..., Awaitable[MESSAGE]]) -> None:
        while True:
            message = await next_message(timeout=None)
            reply = self._replies.get(message["parent_header"].get("msg_id", ""))
            if reply is not None and not reply.done():
                reply.set_result(message)

    async def read_published(self) -> None:
        while True:
            message = await self.client.get_iopub_msg(timeout=None)
            parent = message["parent_header"].get("msg_id", "")
            self.published[parent].append(message)
            if message["content"].get("execution_state") == "idle":
                self._idle[parent].set()

    async def read_questions(self) -> None:
        while True:
            self.questions.append(await self.client.get_stdin_msg(timeout=None))

    # ── its life

    async def restart(self) -> None:
        """Restart the kernel; returns when it answers and what it publishes is heard again."""
        await self.manager.restart_kernel(now=True)
        while not await self._heard():
            continue

    async def _heard(self) -> bool:
        """A subscription reaches the new process a moment after the requests do."""
        identity = self.send("kernel_info_request", {})
        await self.reply(identity)
        try:
            async with asyncio.timeout(HEARD_SECONDS):
                await self._idle[identity].wait()
        except TimeoutError:
            return False
        return True

    # ── asking

    def send(self, message_type: str, content: dict[str, Any], *, control: bool = False) -> str:
        """Send a request; its id."""
        message = self.client.session.msg(message_type, content)
        return self.send_message(message, control=control)

    def send_message(self, message: MESSAGE, *, control: bool = False) -> str:
        identity: str = message["header"]["msg_id"]
        self._replies[identity] = asyncio.get_running_loop().create_future()
        channel = self.client.control_channel if control else self.client.shell_channel
        channel.send(message)
        # The send went past the asyncio socket and may have taken the sign that a reply is there.
        channel.socket._schedule_remaining_events()
        return identity

    async def reply(self, identity: str, seconds: float = ANSWER_SECONDS) -> MESSAGE:
        """The reply to a request."""
        async with asyncio.timeout(seconds):
            return await self._replies[identity]

    async def finished(self, identity: str) -> MESSAGE:
        """The reply, once all that was published with the request has arrived."""
        reply = await self.reply(identity)
        async with asyncio.timeout(ANSWER_SECONDS):
            await self._idle[identity].wait()
        return reply

    def answered(self, identity: str) -> bool:
        return self._replies[identity].done()

    async def ask(self, name: str, *, control: bool = True, **content: Any) -> dict[str, Any]:
        """The content of the probe's answer to one of its requests."""
        identity = self.send(f"cave_lab_{name}_request", content, control=control)
        found: dict[str, Any] = (await self.reply(identity))["content"]
        return found

    async def variables(self, **content: Any) -> dict[str, Any]:
        limits = {"max_rows": 500, "max_columns": 50, "budget_ms": 1_000, "previews": False}
        return await self.ask("variables", **{**limits, **content})

    async def rows(self, **content: Any) -> dict[str, dict[str, Any]]:
        return {row["name"]: row for row in (await self.variables(**content))["rows"]}

    async def inject(
        self, generation: str = GENERATION, *, hook_budget_ms: int = 2_000, **options: Any
    ) -> None:
        """Put the probe in; its budget is one that a busy machine does not use up."""
        options["hook_budget_ms"] = hook_budget_ms
        code = injection_code(ProbeOptions(generation, **options))
        reply = await self.finished(self.send("execute_request", cell(code, silent=True)))
        assert reply["content"]["status"] == "ok", reply["content"]["evalue"]

    # ── cells

    def start_cell(self, code: str, **content: Any) -> str:
        """Send a cell of the person; its message id."""
        return self.send("execute_request", cell(code, **content))

    async def run_cell(self, code: str, **content: Any) -> MESSAGE:
        return await self.finished(self.start_cell(code, **content))

    async def value(self, expression: str) -> str:
        """What an expression evaluates to, without a cell of its own in the history."""
        content = cell("", silent=True, user_expressions={"it": expression})
        reply = await self.finished(self.send("execute_request", content))
        found = reply["content"]["user_expressions"]["it"]
        assert found["status"] == "ok", found
        text: str = found["data"]["text/plain"]
        return text

    def start_run(self, code: str, *, generation: str = GENERATION, **content: Any) -> str:
        """Send a guarded run; its message id, which is its run id."""
        message = self.client.session.msg("cave_lab_execute_request", cell(code, **content))
        run_id = message["header"]["msg_id"]
        message["content"].update(generation=generation, run_id=run_id)
        return self.send_message(message)

    async def run(self, code: str, **content: Any) -> MESSAGE:
        return await self.finished(self.start_run(code, **content))

    async def changes(self, identity: str) -> dict[str, Any]:
        return await self.ask("changes", run_id=identity)

    async def changed_by(self, code: str) -> dict[str, str]:
        """The kind of change of each name that a guarded run changed."""
        answer = await self.changes((await self.run(code))["parent_header"]["msg_id"])
        assert answer["known"]
        return {change["name"]: change["kind"] for change in answer["changes"]}

    def text(self, identity: str) -> str:
        """All that was printed under a request."""
        messages = self.published[identity]
        return "".join(m["content"]["text"] for m in messages if m["msg_type"] == "stream")

    def types(self, identity: str) -> list[str]:
        """The types of all that was published under a request, with the states of the kernel."""
        return [
            message["content"].get("execution_state", message["msg_type"])
            for message in self.published[identity]
        ]

    def has_started(self, identity: str) -> bool:
        return "execute_input" in self.types(identity)


def cell(code: str, *, silent: bool = False, **content: Any) -> dict[str, Any]:
    """The content of an execute request as CaveLab sends it."""
    return {
        "code": code,
        "silent": silent,
        "store_history": not silent,
        "user_expressions": {},
        "allow_stdin": False,
        "stop_on_error": False,
        **content,
    }


@asynccontextmanager
async def started_lab(python: KernelPython) -> AsyncIterator[Lab]:
    """A kernel of its own, ready and without a probe."""
    folder = tempfile.TemporaryDirectory(prefix="lab-")
    # Sockets in a folder of their own: ports picked at random clash when many kernels start.
    manager = AsyncKernelManager(transport="ipc", connection_file=f"{folder.name}/kernel.json")
    manager._kernel_spec = KernelSpec(
        argv=[python.path, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        language="python",
        display_name=python.name,
    )
    await manager.start_kernel()
    client = manager.client()
    client.start_channels()
    try:
        await client.wait_for_ready(timeout=60)
        lab = Lab(manager, client)
        async with asyncio.TaskGroup() as readers:
            tasks = [
                readers.create_task(lab.read_replies(client.get_shell_msg)),
                readers.create_task(lab.read_replies(client.get_control_msg)),
                readers.create_task(lab.read_questions()),
                readers.create_task(lab.read_published()),
            ]
            yield lab
            for task in tasks:
                task.cancel()
    finally:
        client.stop_channels()
        await manager.shutdown_kernel(now=True)
        folder.cleanup()
