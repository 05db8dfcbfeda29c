"""A client for tests: the real websocket of a real server, with a real kernel and a fake model."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import tornado.httpclient
import tornado.websocket
from jupyter_server.serverapp import ServerApp

from cave_lab.protocol.events import Event, decode_event
from cave_lab.state import ThreadState, replay
from tests.waiting import until

Frame = dict[str, Any]
Found = Callable[[Frame], Any]


class Refused(Exception):
    """The server rejected a command."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(f"{frame['code']}: {frame['message']}")
        self.code: str = frame["code"]
        self.message: str = frame["message"]


@dataclass
class Talk:
    """One connection; frames are read in the background and kept in order."""

    frames: list[Frame] = field(default_factory=list)
    closed: bool = False
    socket: tornado.websocket.WebSocketClientConnection = field(init=False)

    def _take(self, message: str | bytes | None) -> None:
        if message is None:
            self.closed = True
        else:
            self.frames.append(json.loads(message))

    @property
    def hello(self) -> Frame:
        """The first frame."""
        return next(frame for frame in self.frames if frame["type"] == "hello")

    async def raw(self, text: str | bytes, *, binary: bool = False) -> None:
        """Send a frame as it stands."""
        await self.socket.write_message(text, binary=binary)

    async def send(self, type_: str, **fields: Any) -> str:
        """Send a command without waiting for its reply; returns its id."""
        command_id = fields.pop("command_id", None) or uuid4().hex
        await self.raw(json.dumps({"type": type_, "command_id": command_id, **fields}))
        return command_id

    async def reply(self, command_id: str) -> Frame:
        """Wait for the reply to a command."""

        def replied(frame: Frame) -> bool:
            kinds = ("command.ok", "command.rejected")
            return frame["type"] in kinds and frame["command_id"] == command_id

        return await self.saw(replied, f"a reply to {command_id}")

    async def ask(self, type_: str, **fields: Any) -> Any:
        """Send a command and return its result; raises Refused."""
        frame = await self.reply(await self.send(type_, **fields))
        if frame["type"] == "command.rejected":
            raise Refused(frame)
        return frame["result"]

    async def saw(self, found: Found, what: str, *, after: int = 0, seconds: float = 60) -> Frame:
        """Wait for a frame, looking from index `after` on."""

        def look() -> Any:
            return next((frame for frame in self.frames[after:] if found(frame)), None)

        frame: Frame = await until(look, what, seconds=seconds)
        return frame

    async def event(
        self, type_: str, *, after: int = 0, seconds: float = 60, **fields: Any
    ) -> Frame:
        """Wait for an event of a type whose fields have these values."""

        def found(frame: Frame) -> bool:
            return frame["type"] == type_ and all(frame.get(k) == v for k, v in fields.items())

        return await self.saw(found, f"{type_} {fields}", after=after, seconds=seconds)

    def events(self, thread_id: str) -> list[Event]:
        """The journaled events of a thread that came so far."""
        return [
            decode_event(json.dumps(frame))
            for frame in self.frames
            if "seq" in frame and "at" in frame and frame.get("thread_id") == thread_id
        ]

    def state(self, thread_id: str) -> ThreadState:
        """The thread as its events fold here."""
        state = replay(self.events(thread_id))
        assert state is not None
        return state

    async def was_closed(self, seconds: float = 20) -> int | None:
        """Wait until the server hangs up; returns its code, None if it just cut the line."""
        await until(lambda: self.closed, "the server hang up", seconds=seconds)
        self.socket.close()
        return self.socket.close_code

    async def close(self) -> None:
        """Hang up."""
        self.socket.close()
        await until(lambda: self.closed, "the socket closed")


class Browser:
    """The person's browser, as far as it matters here: cookies, an Origin, and connections."""

    def __init__(self, host: str, base_url: str, token: str) -> None:
        self.host = host
        self.base_url = base_url
        self.token = token
        self.root = f"http://{host}{base_url}"
        self.cookie = ""
        self.xsrf = ""
        self._talks: list[Talk] = []

    async def sign_in(self) -> None:
        """See the login page, then be opened with the token: each leaves a cookie."""
        await self._visit("login")
        await self._visit(f"login?token={self.token}")

    async def _visit(self, page: str) -> None:
        client = tornado.httpclient.AsyncHTTPClient()
        found = await client.fetch(
            self.root + page,
            headers={"Cookie": self.cookie},
            follow_redirects=False,
            raise_error=False,
        )
        pairs = [header.split(";")[0] for header in found.headers.get_list("Set-Cookie")]
        self.cookie = "; ".join([*filter(None, [self.cookie]), *pairs])
        xsrf = [pair.split("=", 1)[1] for pair in pairs if pair.startswith("_xsrf=")]
        self.xsrf = xsrf[0] if xsrf else self.xsrf

    def headers(self, **more: str) -> dict[str, str]:
        """What the browser sends along on a page of this server."""
        return {
            "Cookie": self.cookie,
            "Origin": f"http://{self.host}",
            "X-XSRFToken": self.xsrf,
            **more,
        }

    @property
    def token_headers(self) -> dict[str, str]:
        """What a program sends along that has only read the token."""
        return {"Authorization": f"token {self.token}"}

    async def connect(self, headers: dict[str, str] | None = None, query: str = "") -> Talk:
        """Open the websocket; raises HTTPClientError when the server refuses."""
        request = tornado.httpclient.HTTPRequest(
            f"ws://{self.host}{self.base_url}cave-lab/channel{query}",
            headers=self.headers() if headers is None else headers,
        )
        talk = Talk()
        talk.socket = await tornado.websocket.websocket_connect(
            request, on_message_callback=talk._take
        )
        self._talks.append(talk)
        await until(lambda: talk.frames or talk.closed, "hello")
        return talk

    async def fetch(
        self,
        path: str,
        *,
        method: str = "GET",
        body: Any = None,
        headers: dict[str, str] | None = None,
    ) -> tornado.httpclient.HTTPResponse:
        """Ask the REST edge."""
        return await tornado.httpclient.AsyncHTTPClient().fetch(
            f"{self.root}{path}",
            method=method,
            headers=self.headers() if headers is None else headers,
            body=None if body is None else json.dumps(body),
            raise_error=False,
        )

    async def close(self) -> None:
        """Hang up all connections."""
        for talk in self._talks:
            await talk.close()


class Lab(Browser):
    """A running server with CaveLab in this process, and the person's browser."""

    def __init__(self, app: ServerApp, port: int) -> None:
        super().__init__(f"127.0.0.1:{port}", app.base_url, app.identity_provider.token)
        self.app = app
        self.port = port

    async def domain(self) -> Any:
        """The rooms below the edge, for what a client can't see."""
        (extension,) = self.app.extension_manager.extension_apps["cave_lab"]
        return await extension.domain()

    async def notebook(self, path: str = "analysis.ipynb", kernel: str = "python3") -> Frame:
        """Make a notebook with a running kernel; returns the target of its thread."""
        file = self.app.contents_manager.root_dir
        cells: list[Any] = []
        with open(f"{file}/{path}", "w") as out:
            json.dump({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, out)
        session = await self.app.session_manager.create_session(
            path=path, name=path, type="notebook", kernel_name=kernel
        )
        return {
            "notebook": {"path": path},
            "session_id": session["id"],
            "kernel_id": session["kernel"]["id"],
            "language": "python",
        }


@asynccontextmanager
async def lab_of(app: ServerApp, port: int) -> AsyncIterator[Lab]:
    """A Lab that is signed in and cleaned up."""
    lab = Lab(app, port)
    await lab.sign_in()
    try:
        yield lab
    finally:
        await lab.close()


class Person:
    """A person at the panel: one thread, in words and clicks."""

    def __init__(self, talk: Talk, thread_id: str, target: Frame) -> None:
        self.talk = talk
        self.thread_id = thread_id
        self.target = target

    @classmethod
    async def at(cls, lab: Browser, target: Frame, **settings: Any) -> "Person":
        """Open a panel on a notebook and begin a thread."""
        talk = await lab.connect()
        result = await talk.ask("thread.create", target=target, settings=settings)
        person = cls(talk, result["thread_id"], target)
        await talk.ask("thread.open", thread_id=person.thread_id)
        return person

    @property
    def state(self) -> ThreadState:
        """The thread as it folds here."""
        return self.talk.state(self.thread_id)

    async def say(self, text: str, **fields: Any) -> Any:
        """Send a message."""
        content = [{"type": "text", "text": text}]
        return await self.do("message.send", content=content, **fields)

    async def do(self, type_: str, **fields: Any) -> Any:
        """Send a command about this thread."""
        return await self.talk.ask(type_, thread_id=self.thread_id, **fields)

    async def asked(self, after: int = 0) -> Frame:
        """Wait for a cell that waits for an answer."""
        return await self.talk.event("approval.requested", after=after)

    async def answer(self, asked: Frame, outcome: str = "run", **fields: Any) -> Any:
        """Answer it."""
        return await self.do(
            "approval.answer",
            approval_id=asked["approval_id"],
            sha256=asked["sha256"],
            outcome=outcome,
            **fields,
        )

    async def ended(self, turn: int = 1, *, seconds: float = 60) -> str:
        """Wait for the end of the n-th turn; returns its stop reason."""

        def reasons() -> list[str]:
            return [f["stop_reason"] for f in self.talk.frames if f["type"] == "turn.ended"]

        await until(lambda: len(reasons()) >= turn, f"the end of turn {turn}", seconds=seconds)
        return reasons()[turn - 1]


async def run_as_person(lab: Lab, target: Frame, code: str) -> Any:
    """Run a cell of the person's own through the notebook's kernel, as their browser does."""
    kernel = lab.app.kernel_manager.get_kernel(target["kernel_id"])
    client = kernel.client_factory(parent=kernel)
    client.load_connection_info(kernel.get_connection_info())
    client.start_channels()
    try:
        ready: Any = kernel.ready
        await ready
        message_id = client.execute(code)
        while True:
            reply = await client.get_shell_msg(timeout=60)
            if reply["parent_header"].get("msg_id") == message_id:
                return reply["content"]
    finally:
        client.stop_channels()
