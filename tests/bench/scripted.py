"""A server in a process of its own, whose model is a script."""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cave_lab.model.script import Cell, Say, ScriptedTurn, Trajectory, When
from tests.fakes.model_server import ModelServer
from tests.fakes.record import Recorded
from tests.server.process import Served

_KEY = "CAVE_LAB_TEST_API_KEY"


@asynccontextmanager
async def serving(model: ModelServer, **options: Any) -> AsyncIterator[Served]:
    """Start a server with a scripted model and more options of CaveLab's; stop it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        served = Served(
            Path(folder),
            cave_lab={
                "model": "openai/scripted",
                "api_base": model.url,
                "key_env": _KEY,
                **options,
            },
            environ={_KEY: "canary-key-0123456789"},
        )
        await served.start()
        try:
            yield served
        finally:
            await served.stop()


def cell_by_cell(code: str, count: int) -> Trajectory:
    """One turn that asks for the same cell so often, and then is done."""
    cell = Cell(code, "Go on")
    return Trajectory(
        "cell by cell",
        (
            ScriptedTurn("first", When(role="user"), (cell,), times=1),
            ScriptedTurn("next", When(last=("Finished",), role="tool"), (cell,), times=count - 1),
            ScriptedTurn("last", When(role="tool"), (Say("Done."),)),
        ),
    )


async def library_alone(
    model: ModelServer, code: str, calls: int
) -> tuple[list[float], list[Recorded]]:
    """Let litellm alone ask for a cell so often, one call behind the other.

    Returns when each stream had ended for it, and its calls as the model saw them.
    """
    model.load(Trajectory("raw", (ScriptedTurn("any", When(), (Cell(code, "Go on"),)),)))
    before = len(model.requests)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.raw_model", model.url, str(calls)),
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate()
    ends = json.loads(printed)
    return ends, model.requests[before:][-len(ends) :]
