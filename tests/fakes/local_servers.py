"""Model servers of a person's machine, and what else may listen on their ports.

What each answers is as its sources and documents have it, and llama.cpp as a real one answered.
"""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import pytest

from tests.fakes.http import HttpAnswer, HttpRequest, read_request


class LocalAnswer(HttpAnswer):
    """An answer that may also be no HTTP at all."""

    async def exactly(self, data: bytes) -> None:
        """Send these bytes and nothing else."""
        await self._send(data)


Behaviour = Callable[[HttpRequest, LocalAnswer], Awaitable[None]]


class LocalServer:
    """A server on a free port of this machine that records who came and what was asked."""

    def __init__(self, behaviour: Behaviour, *, host: str = "127.0.0.1", port: int = 0) -> None:
        self.requests: list[HttpRequest] = []
        self.connections = 0
        self.hung_up = 0
        self._behaviour = behaviour
        self._host = host
        self.port = port

    async def __aenter__(self) -> Self:
        self._tasks = asyncio.TaskGroup()
        await self._tasks.__aenter__()
        self._open: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._accept, self._host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()
        for connection in self._open:
            connection.cancel()
        await self._tasks.__aexit__(kind, error, trace)

    @property
    def url(self) -> str:
        """The base URL of its OpenAI format."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def asked(self) -> list[tuple[str, str]]:
        """Each request by method and path, in no telling order."""
        return sorted((request.method, request.path) for request in self.requests)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        connection = self._tasks.create_task(self._serve(reader, writer))
        self._open.add(connection)
        connection.add_done_callback(self._open.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await read_request(reader)
            if request is None:
                return
            self.requests.append(request)
            work = asyncio.ensure_future(self._behaviour(request, LocalAnswer(writer)))
            await self._until_hung_up(work, reader)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up += 1
        finally:
            writer.close()

    async def _until_hung_up(
        self, work: asyncio.Future[None], reader: asyncio.StreamReader
    ) -> None:
        gone = asyncio.ensure_future(reader.read())
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                self.hung_up += 1
            else:
                await work
        finally:
            for task in (work, gone):
                task.cancel()
            for task in (work, gone):
                with suppress(asyncio.CancelledError, ConnectionError):
                    await task


def paths(
    answers: dict[str, Any], otherwise: tuple[int, Any] = (404, {"error": "no"})
) -> Behaviour:
    """Answer JSON by path, whatever the query."""

    async def behave(request: HttpRequest, answer: LocalAnswer) -> None:
        path = request.path.partition("?")[0]
        status, body = (200, answers[path]) if path in answers else otherwise
        await answer.json(status, body)

    return behave


def openai_list(*names: str, owned_by: str | None = None) -> dict[str, Any]:
    """The models as the OpenAI format lists them."""
    owner = {} if owned_by is None else {"owned_by": owned_by}
    return {"object": "list", "data": [{"id": name, "object": "model", **owner} for name in names]}


def ollama(*names: str, capabilities: list[str] | None = None) -> Behaviour:
    """Ollama: a list, and what it shows of a model; older ones name no capabilities."""
    shown: dict[str, Any] = {"details": {"family": "llama"}, "modified_at": "2026-11-01T10:00:00Z"}
    if capabilities is not None:
        shown["capabilities"] = capabilities
    return paths(
        {
            "/api/tags": {"models": [{"name": name, "model": name, "size": 1} for name in names]},
            "/api/show": shown,
        }
    )


def lm_studio(*names: str, capabilities: list[str] | None = None, type: str = "llm") -> Behaviour:
    """LM Studio, which answers what it does not know with 200 and an error."""
    more = {} if capabilities is None else {"capabilities": capabilities}
    rows = [{"id": name, "object": "model", "type": type, **more} for name in names]
    return paths(
        {
            "/v1/models": openai_list(*names, owned_by="organization_owner"),
            "/api/v0/models": {"object": "list", "data": rows},
        },
        otherwise=(200, {"error": "Unexpected endpoint or method."}),
    )


def llama_cpp(*names: str, imitates_ollama: bool = False, **props: Any) -> Behaviour:
    """llama.cpp's server with the given properties; some builds imitate Ollama."""
    answers: dict[str, Any] = {
        "/v1/models": {"models": [], **openai_list(*names, owned_by="llamacpp")},
        "/props": {"total_slots": 1, "chat_template": "{% for m in messages %}", **props},
    }
    if imitates_ollama:
        answers["/api/show"] = {"details": {"family": ""}, "capabilities": ["completion"]}
    return paths(answers)


def vllm(*names: str) -> Behaviour:
    """The server of vLLM."""
    return paths({"/v1/models": openai_list(*names, owned_by="vllm")})


def jan(*names: str) -> Behaviour:
    """Jan, which proxies its models."""
    return paths({"/v1/models": openai_list(*names, owned_by="user")})


def refuses(body: str) -> Behaviour:
    """Answer everything with 401."""

    async def behave(_request: HttpRequest, answer: LocalAnswer) -> None:
        await answer.whole(401, body.encode(), "text/plain")

    return behave


def says(body: bytes, content_type: str = "application/json") -> Behaviour:
    """Answer everything with this body."""

    async def behave(_request: HttpRequest, answer: LocalAnswer) -> None:
        await answer.whole(200, body, content_type)

    return behave


def raw(data: bytes) -> Behaviour:
    """Send these bytes, HTTP or not, and close."""

    async def behave(_request: HttpRequest, answer: LocalAnswer) -> None:
        await answer.exactly(data)

    return behave


def redirects(to: str) -> Behaviour:
    """Send everybody elsewhere."""

    async def behave(_request: HttpRequest, answer: LocalAnswer) -> None:
        await answer.whole(302, b"", headers={"Location": to})

    return behave


async def silent(_request: HttpRequest, _answer: LocalAnswer) -> None:
    """Take the request and never answer."""
    await asyncio.Event().wait()


async def dripping(_request: HttpRequest, answer: LocalAnswer) -> None:
    """Send a chunk now and then, for ever."""
    while True:
        await answer.raw(json.dumps({"object": "list"}))
        await asyncio.sleep(0.02)


async def endless(_request: HttpRequest, answer: LocalAnswer) -> None:
    """Send as fast as it is taken, for ever."""
    while True:
        await answer.raw(" " * 65_536)


def _has_the_other_loopback() -> bool:
    with socket.socket(socket.AF_INET6) as tried:
        try:
            tried.bind(("::1", 0))
        except OSError:
            return False
    return True


needs_ipv6 = pytest.mark.skipif(
    not (socket.has_ipv6 and _has_the_other_loopback()), reason="this machine has no ::1"
)
