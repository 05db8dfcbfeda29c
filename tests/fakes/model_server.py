"""A model server on real HTTP that plays a trajectory, in the OpenAI and the Anthropic format.

In a test: `async with ModelServer(script) as server`. By itself, for a browser's tests:
`python -m tests.fakes.model_server --port 0 --script file.json --log requests.jsonl`, which prints
its base URL. It is driven by `POST /__script__` (a trajectory), `GET /__requests__` (the record),
and `POST /__release__` (`{"gate": name}` lets one answer through that gate).
"""

import argparse
import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Awaitable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cave_lab.model.pieces import pieces, seconds_of
from cave_lab.model.script import (
    STATUS_FAULTS,
    Gate,
    ScriptedTurn,
    Trajectory,
    choose,
    explain,
    trajectory_from,
    trajectory_from_file,
)
from tests.fakes import openai
from tests.fakes.answers import FormattedAnswer, answer_for
from tests.fakes.counting import Counting
from tests.fakes.faults import strike
from tests.fakes.http import HttpAnswer, HttpRequest, read_request
from tests.fakes.record import Record, Recorded

NOTHING = Trajectory("nothing", ())
ROOMY = 200_000
"""A window in which no test's talk is ever shortened."""


class ModelServer:
    """A fake provider on 127.0.0.1; a request that no turn fits is refused with an explanation."""

    def __init__(
        self,
        script: Trajectory = NOTHING,
        *,
        port: int = 0,
        log: Path | None = None,
        keep_alive: bool = False,
        window: int | None = ROOMY,
        counting: Counting | None = None,
    ) -> None:
        self.script = script
        self.window = window
        """What a server on this machine says that its models take; None says nothing."""
        self.counting = counting
        """What counts requests and refuses those that are too long, if anything does."""
        self.record = Record(log)
        self._port = port
        self._keep_alive = keep_alive
        self._used: Counter[str] = Counter()
        self._gates: defaultdict[str, asyncio.Semaphore] = defaultdict(_closed)

    # ── life

    async def __aenter__(self) -> Self:
        self._tasks = asyncio.TaskGroup()
        await self._tasks.__aenter__()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        self._connections: set[asyncio.Task[None]] = set()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        await self._tasks.__aexit__(kind, error, trace)

    @property
    def root(self) -> str:
        """Where the control endpoints are."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        """The base URL that a client of the API is given."""
        return f"{self.root}/v1"

    # ── what a test drives

    def load(self, script: Trajectory) -> None:
        """Play another script from now on; its turns are all unused."""
        self.script = script
        self._used.clear()

    def release(self, gate: str) -> None:
        """Let one answer, waiting or still to come, through a gate."""
        self._gates[gate].release()

    @property
    def requests(self) -> list[Recorded]:
        """The chat requests so far."""
        return self.record.requests

    @property
    def connections(self) -> int:
        """How many connections are open, in use or kept for the next request."""
        return len(self._connections)

    @property
    def mismatches(self) -> list[str]:
        """Why requests found no turn of the script."""
        return [r.mismatch for r in self.requests if r.mismatch]

    # ── one connection

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = self._tasks.create_task(self._serve(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (request := await read_request(reader)) is not None:
                answer = HttpAnswer(writer, keep_alive=self._keep_alive)
                await self._route(request, reader, answer)
                if not (self._keep_alive and answer.complete):
                    break
        except UnicodeDecodeError:
            # What speaks TLS to it is answered as by any plain server.
            writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    async def _route(
        self, request: HttpRequest, reader: asyncio.StreamReader, answer: HttpAnswer
    ) -> None:
        match request.method, request.path:
            case "POST", "/__script__":
                self.load(trajectory_from(request.json()))
                await answer.json(200, {})
            case "POST", "/__release__":
                self.release(request.json()["gate"])
                await answer.json(200, {})
            case "GET", "/__requests__":
                await answer.json(200, self.record.data())
            case "GET", "/v1/models":
                await answer.json(200, {"object": "list", "data": [{"id": "fake"}]})
            case "POST", "/api/show":
                none = openai.has_no_tools(str(request.json().get("model", "")))
                capabilities = ["completion"] if none else ["completion", "tools"]
                told = {"capabilities": capabilities, "modified_at": "2026-01-01T00:00:00Z"}
                loaded = {} if self.window is None else {"parameters": f"num_ctx {self.window}"}
                await answer.json(200, {**told, **loaded})
            case "GET", _:
                # Questions to other kinds of servers on this machine.
                await answer.json(404, {"error": {"message": "no such route", "type": "fake"}})
            case _:
                await self._model_call(request, reader, answer)

    async def _model_call(
        self, request: HttpRequest, reader: asyncio.StreamReader, answer: HttpAnswer
    ) -> None:
        recorded = self.record.begin(request)
        try:
            told = answer_for(request.path, recorded.body, answer)
            if told is not None:
                await _unless_hung_up(self._chat(recorded, answer, told), reader, recorded)
            else:
                await answer.json(404, {"error": {"message": "no such route", "type": "fake"}})
        finally:
            self.record.end(recorded)

    # ── one answer

    async def _chat(self, recorded: Recorded, answer: HttpAnswer, told: FormattedAnswer) -> None:
        refused = told.refusal()
        turn = choose(self.script, told.seen, self._used)
        if refused is not None:
            await answer.json(400, refused)
        elif turn is None:
            recorded.mismatch = explain(self.script, told.seen)
            error = {"message": recorded.mismatch, "type": "script", "code": "script_mismatch"}
            await answer.json(400, {"error": error})
        else:
            recorded.turn = turn.name
            self._used[turn.name] += 1
            if self.counting is not None:
                turn = self.counting.counted(turn, recorded.body)
            await self._play(turn, recorded, answer, told)
            recorded.note("ended")

    async def _play(
        self, turn: ScriptedTurn, recorded: Recorded, answer: HttpAnswer, told: FormattedAnswer
    ) -> None:
        fault = turn.fault
        if fault is None or fault.kind == "slow_headers":
            if fault is not None:
                await strike(fault, answer)
            await self._stream(turn, recorded, told)
            await told.end(turn)
        else:
            if turn.answer and fault.kind not in STATUS_FAULTS:
                await self._stream(turn, recorded, told)
            recorded.note("fault")
            await strike(fault, answer)

    async def _stream(self, turn: ScriptedTurn, recorded: Recorded, told: FormattedAnswer) -> None:
        await told.begin(turn)
        recorded.note("begun")
        for piece in pieces(turn, told.seen, told.format):
            if isinstance(piece, Gate):
                recorded.note("gate", piece.gate)
                await self._gates[piece.gate].acquire()
                recorded.note("released", piece.gate)
            else:
                await asyncio.sleep(seconds_of(piece, turn.tokens_per_second))
                await told.piece(piece)


def _closed() -> asyncio.Semaphore:
    return asyncio.Semaphore(0)


async def _unless_hung_up(
    work: Awaitable[None], reader: asyncio.StreamReader, recorded: Recorded
) -> None:
    """Do the work, but stop and note it as soon as the client closes the connection."""
    answering = asyncio.ensure_future(work)
    listening = asyncio.ensure_future(reader.read())
    try:
        await asyncio.wait({answering, listening}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done() or isinstance(answering.exception(), ConnectionError):
            recorded.note("hung_up")
        else:
            answering.result()
    finally:
        for task in (answering, listening):
            task.cancel()
        await asyncio.gather(answering, listening, return_exceptions=True)


async def _main(arguments: argparse.Namespace) -> None:
    script = trajectory_from_file(arguments.script) if arguments.script else NOTHING
    async with ModelServer(script, port=arguments.port, log=arguments.log) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


def _arguments(words: list[str]) -> Any:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    parser.add_argument("--log", type=Path)
    return parser.parse_args(words)


if __name__ == "__main__":
    asyncio.run(_main(_arguments(sys.argv[1:])))
