"""A real language model for tests, small and wordy: what it says is not judged, only that it does.

SmolLM2 135M behind llama.cpp's OpenAI-style server, in a process of its own. It starts in half a
second, so each test has its own, whose counts begin at nought.
"""

import asyncio
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import tornado.httpclient

from tests.fakes.real_model_process import Options
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0
END_SECONDS = 20.0


@dataclass(frozen=True)
class Counted:
    """The tokens that the server itself counted since it began."""

    prompt: int
    completion: int


class RealModel:
    """The server; lives as long as its `async with`."""

    def __init__(
        self, *, key: str = "", context: int = 2_048, most: int = -1, endless: bool = False
    ) -> None:
        self.context = context
        self.url = ""
        """The base URL that a client of the API is given."""
        self._root = ""
        self._options = Options(key, context, most, endless)
        self._process: asyncio.subprocess.Process

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.fakes.real_model_process"),
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            await self._start()
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self._end()

    async def _start(self) -> None:
        told, said = self._process.stdin, self._process.stdout
        assert told is not None
        assert said is not None
        told.write(json.dumps(asdict(self._options)).encode() + b"\n")
        line = await asyncio.wait_for(said.readline(), START_SECONDS)
        assert line, "the real model's process ended; its error is in the captured stderr"
        self._root = line.decode().strip()
        self.url = f"{self._root}/v1"
        await until(self._healthy, "the real model ready", seconds=START_SECONDS)

    async def _end(self) -> None:
        if self._process.returncode is None:
            self._process.terminate()
        await asyncio.wait_for(self._process.wait(), END_SECONDS)

    async def _healthy(self) -> bool:
        return (await self._get("health")).code == 200

    async def _get(self, path: str) -> tornado.httpclient.HTTPResponse:
        return await tornado.httpclient.AsyncHTTPClient().fetch(
            f"{self._root}/{path}",
            headers={"Authorization": f"Bearer {self._options.key}"},
            raise_error=False,
        )

    async def idle(self) -> bool:
        """Whether the server works for nobody."""
        slots = json.loads((await self._get("slots")).body)
        return not any(slot["is_processing"] for slot in slots)

    async def counted(self) -> Counted:
        """What it has read and written; a prompt counts in full, also what it still knew of it."""
        lines = (await self._get("metrics")).body.decode().splitlines()
        pairs = (line.split(" ") for line in lines if line.startswith("llamacpp:"))
        totals = {name.removeprefix("llamacpp:"): int(float(value)) for name, value in pairs}
        return Counted(
            prompt=totals["prompt_tokens_total"] + totals["prompt_tokens_cached_total"],
            completion=totals["tokens_predicted_total"],
        )
