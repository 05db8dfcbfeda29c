"""What CaveLab adds between a model's last token and the kernel, and from the kernel to the model.

A scripted model without latency asks for one small cell after the other in mode `auto`. Each cell
prints the time at which it runs, so all times are of one clock. The way from a request to the cell,
and from the cell to the reply, is measured with a raw client on the same kernel, in turns with the
turn's runs, and taken off. What litellm alone needs after the last token stands beside it.

`python -m tests.bench.latency [runs]`
"""

import asyncio
import sys
import time
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient

from tests.bench.figures import milliseconds, p50_p95
from tests.bench.person import client_of
from tests.bench.scripted import cell_by_cell, library_alone, serving
from tests.fakes.model_server import ModelServer
from tests.fakes.record import Recorded
from tests.server.process import Served
from tests.talk import Person

RUNS = 60
CODE = "import time; print(time.time())"


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


def _to_the_end(ends: list[float], asked: list[Recorded]) -> list[float]:
    """Seconds from the last token of a call to the end of its stream, with litellm alone."""
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
        model.load(cell_by_cell(CODE, runs))
        await person.say("measure")
        await person.ended(2, seconds=300)
        after = await _raw(client, runs // 2)
    there, back, both = ([*first, *second] for first, second in zip(before, after, strict=True))
    asked = model.requests[warm:]
    alone = _to_the_end(*await library_alone(model, CODE, runs))
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
    async with (
        ModelServer(cell_by_cell(CODE, 3)) as model,
        serving(model, max_runs=runs + 1) as served,
    ):
        await _measure(served, model, runs)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS))
