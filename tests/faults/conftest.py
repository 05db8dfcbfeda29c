import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class JournalProcess:
    """A running `journal_process`."""

    process: asyncio.subprocess.Process

    async def line(self) -> Any:
        """The next thing it says; None when it has ended."""
        assert self.process.stdout is not None
        async with asyncio.timeout(30):
            said = await self.process.stdout.readline()
        # A kill may cut the last line short: that was not said.
        return json.loads(said) if said.endswith(b"\n") else None

    async def rest(self) -> list[Any]:
        """All that it still says until it ends."""
        said = []
        while (line := await self.line()) is not None:
            said.append(line)
        await self.process.wait()
        return said

    async def kill(self) -> list[Any]:
        """Kill it outright; return what it had said before."""
        self.process.kill()
        return await self.rest()

    async def end(self) -> list[Any]:
        """Let it close its journal and end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self.rest()


Launch = Callable[..., Awaitable[JournalProcess]]


@pytest.fixture
async def launch() -> AsyncIterator[Launch]:
    """Start a `journal_process` in a role on a folder; whatever still runs is killed at the end."""
    running: list[asyncio.subprocess.Process] = []

    async def start(role: str, folder: Path, seed: str = "0") -> JournalProcess:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "tests.faults.journal_process", role, str(folder), seed),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=ROOT,
        )
        running.append(process)
        return JournalProcess(process)

    yield start
    for process in running:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journal"
