"""What CaveLab adds between a model's last token and the kernel, and from the kernel to the model.

A scripted model without latency asks for one small cell after the other in mode `auto`. Each cell
prints the time at which it runs, so all times are of one clock. The way from a request to the cell,
and from the cell to the reply, is measured with a raw client on the same kernel, in turns with the
turn's runs, and taken off. What litellm alone needs after the last token stands beside it.

`python -m tests.bench.latency [runs]`
"""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient

from cave_lab.model.script import Cell, Say, ScriptedTurn, Trajectory, When
from tests.bench.figures import milliseconds, p50_p95
from tests.bench.person import client_of
from tests.fakes.model_server import ModelServer
from tests.server.process import Served
from tests.talk import Person

RUNS = 60
CODE = "import time; print(time.time())"
KEY = "CAVE_LAB_TEST_API_KEY"


def _script(runs: int) -> Trajectory:
    cell = Cell(CODE, "Print the time")
    return Trajectory(
        "bench",
        (
            ScriptedTurn("first", When(role="user"), (cell,), times=1),
            ScriptedTurn("next", When(last=("Finished",), role="tool"), (cell,), times=runs - 1),
            ScriptedTurn("last", When(role="tool"), (Say("Done."),)),
        ),
    )


async def _raw(
    client: AsyncKernelClient, count: int
) -> tuple[list[float], list[float], list[float]]:
    """Seconds from request to cell, from cell to reply, and in all."""
    there, back, both = [], [], []
    for _ in range(count):
        sent = time.time()
        message_id = client.execute(CODE)
        ran = replied = 0.0
        while not (ran and replied):
            reply = asyncio.ensure_future(client.get_shell_msg(timeout=30))
            while not ran:
                message = await client.get_iopub_msg(timeout=30)
                if message["parent_header"].get("msg_id") == message_id:
                    ran = float(message["content"].get("text", 0) or 0)
            message = await reply
            if message["parent_header"].get("msg_id") == message_id:
                replied = time.time()
        there.append(ran - sent)
        back.append(replied - ran)
        both.append(replied - sent)
    return there, back, both


async def _raw_model(model: ModelServer, calls: int) -> list[float]:
    """Seconds from the last token of a call to the end of its stream, with litellm alone."""
    model.load(Trajectory("raw", (ScriptedTurn("any", When(), (Cell(CODE, "Print the time"),)),)))
    began = len(model.requests)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.raw_model", model.url, str(calls)),
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate()
    ends = json.loads(printed)
    asked = model.requests[began:][-len(ends) :]
    return [end - (call.when("ended") or 0) for end, call in zip(ends, asked, strict=True)]


def _times(person: Person) -> list[float]:
    runs = person.state.runs.values()
    return [float(run.excerpt.head) for run in runs if run.excerpt is not None]


async def _measure(served: Served, model: ModelServer, runs: int) -> None:
    browser = await served.browser()
    target: dict[str, Any] = await browser.notebook()
    person = await Person.at(browser, target, mode="auto")
    await person.say("warm up")  # imports and first connections are not what is measured
    await person.ended(1, seconds=120)
    warm, began = len(model.requests), len(_times(person))
    async with client_of(served, target["kernel_id"]) as client:
        before = await _raw(client, runs // 2)
        model.load(_script(runs))
        await person.say("measure")
        await person.ended(2, seconds=300)
        after = await _raw(client, runs // 2)
    there, back, both = ([*first, *second] for first, second in zip(before, after, strict=True))
    asked = model.requests[warm:]
    alone = await _raw_model(model, runs)
    ran = _times(person)[began:]
    to_cell = [cell - (r.when("ended") or 0) for r, cell in zip(asked, ran, strict=False)]
    to_model = [r.at - cell for r, cell in zip(asked[1:], ran, strict=True)]
    print(milliseconds("raw client: request → cell", there))
    print(milliseconds("raw client: cell → reply", back))
    print(milliseconds("raw client: request → reply", both))
    print(milliseconds("litellm alone: last token → end of stream", alone))
    print(milliseconds("CaveLab: last token → cell", to_cell))
    print(milliseconds("CaveLab: cell → next model request", to_model))
    wire, request = (p50_p95(there)[0], p50_p95(back)[0])
    print(
        milliseconds("last token → request on the wire (raw p50 off)", [t - wire for t in to_cell])
    )
    print(milliseconds("reply → next model request (raw p50 off)", [t - request for t in to_model]))


async def main(runs: int) -> None:
    """Start a server and a scripted model, measure, and print."""
    with tempfile.TemporaryDirectory() as folder:
        async with ModelServer(_script(3)) as model:
            served = Served(
                Path(folder),
                cave_lab={
                    "model": "openai/scripted",
                    "api_base": model.url,
                    "key_env": KEY,
                    "max_runs": runs + 1,
                },
                environ={KEY: "canary-key-0123456789"},
            )
            await served.start()
            try:
                await _measure(served, model, runs)
            finally:
                await served.stop()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS))
