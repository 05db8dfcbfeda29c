"""Whether a step stays as quick when a turn grows: what CaveLab adds to the first and last steps.

One turn in mode `auto` asks for a small cell again and again, of a scripted model without latency.
A step goes from a model's last token to its next request; a raw client's request and reply on the
same kernel, measured before and behind the turn, is taken off. What litellm alone needs from one
call's last token to its next call stands beside it, and the server's processor time a step, which
others' work on the same machine makes no longer by as much.

`python -m tests.bench.steps [steps]`
"""

import asyncio
import sys
import time
from itertools import pairwise

from jupyter_client.asynchronous.client import AsyncKernelClient

from tests.bench.figures import milliseconds, p50_p95
from tests.bench.person import client_of, run_cell
from tests.bench.scripted import cell_by_cell, library_alone, serving
from tests.fakes.model_server import ModelServer
from tests.fakes.record import Recorded
from tests.server.process import Served
from tests.talk import Person
from tests.waiting import until

STEPS = 200
WINDOW = 20
"""Steps that are taken together at either end."""
RAW = 40
CODE = "1 + 1"


async def _raw(client: AsyncKernelClient) -> list[float]:
    took = []
    for _ in range(RAW):
        began = time.perf_counter()
        await run_cell(client, CODE)
        took.append(time.perf_counter() - began)
    return took


def _between(asked: list[Recorded]) -> list[float]:
    """Seconds from each call's last token to the next call."""
    return [later.at - (earlier.when("ended") or 0) for earlier, later in pairwise(asked)]


async def _spent(served: Served, model: ModelServer, steps: int) -> list[float]:
    """The server's processor seconds by the time of each call, until the last step is taken."""
    cpu: list[float] = []

    def took() -> bool:
        cpu.extend([served.cpu_seconds] * (len(model.requests) - len(cpu)))
        return len(cpu) > steps

    # A look through all frames of the talk at each moment would take its time from the steps.
    await until(took, "the last step", seconds=600)
    return cpu


async def _measure(served: Served, model: ModelServer, steps: int) -> None:
    browser = await served.browser()
    target = await browser.notebook()
    person = await Person.at(browser, target, mode="auto")
    async with client_of(served, target["kernel_id"]) as client:
        raw = await _raw(client)
        await person.say("go")
        cpu = await _spent(served, model, steps)
        await person.ended(1)
        raw += await _raw(client)
    took = _between(model.requests)
    _, alone = await library_alone(model, CODE, RAW)
    print(milliseconds("raw client: request → reply", raw))
    print(milliseconds("litellm alone: last token → next request", _between(alone)))
    base = p50_p95(raw)[0]
    for name, part in ((f"1–{WINDOW}", took[:WINDOW]), (f"the last {WINDOW}", took[-WINDOW:])):
        print(milliseconds(f"a step of {steps}, {name} (raw p50 off)", [t - base for t in part]))
    for name, first in ((f"1–{WINDOW}", 1), (f"the last {WINDOW}", steps - WINDOW)):
        per_step = (cpu[first + WINDOW] - cpu[first]) / WINDOW
        print(f"processor time of the server a step, {name:<12} {per_step * 1e3:.1f} ms")


async def main(steps: int) -> None:
    """Start a server and a scripted model, take the steps, and print."""
    async with (
        ModelServer(cell_by_cell(CODE, steps)) as model,
        serving(model, max_runs=steps + 1) as served,
    ):
        await _measure(served, model, steps)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS))
