"""Whether a step stays as quick when a turn grows: what CaveLab adds to the first and last steps.

One turn in mode `auto` asks for a small cell again and again, of a scripted model without latency.
A step goes from a model's last token to its next request; a raw client's request and reply on the
same kernel, measured before and behind the turn, is taken off.

`python -m tests.bench.steps [steps]`
"""

import asyncio
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from jupyter_client.asynchronous.client import AsyncKernelClient

from cave_lab.model.script import Cell, Say, ScriptedTurn, Trajectory, When
from tests.bench.figures import milliseconds, p50_p95
from tests.bench.person import client_of, run_cell
from tests.fakes.model_server import ModelServer
from tests.server.process import Served
from tests.talk import Person

STEPS = 200
WINDOW = 20
"""Steps that are taken together at either end."""
RAW = 40
KEY = "CAVE_LAB_TEST_API_KEY"
CODE = "1 + 1"


def _script(steps: int) -> Trajectory:
    cell = Cell(CODE, "Add")
    return Trajectory(
        "steps",
        (
            ScriptedTurn("first", When(role="user"), (cell,), times=1),
            ScriptedTurn("next", When(role="tool"), (cell,), times=steps - 1),
            ScriptedTurn("last", When(role="tool"), (Say("Done."),)),
        ),
    )


async def _raw(client: AsyncKernelClient) -> list[float]:
    took = []
    for _ in range(RAW):
        began = time.perf_counter()
        await run_cell(client, CODE)
        took.append(time.perf_counter() - began)
    return took


async def _measure(served: Served, model: ModelServer, steps: int) -> None:
    browser = await served.browser()
    target = await browser.notebook()
    person = await Person.at(browser, target, mode="auto")
    async with client_of(served, target["kernel_id"]) as client:
        raw = await _raw(client)
        await person.say("go")
        await person.ended(1, seconds=600)
        raw += await _raw(client)
    asked = model.requests
    took = [later.at - (earlier.when("ended") or 0) for earlier, later in pairwise(asked)]
    print(milliseconds("raw client: request → reply", raw))
    base = p50_p95(raw)[0]
    for name, part in ((f"1–{WINDOW}", took[:WINDOW]), (f"the last {WINDOW}", took[-WINDOW:])):
        print(milliseconds(f"a step of {steps}, {name} (raw p50 off)", [t - base for t in part]))


async def main(steps: int) -> None:
    """Start a server and a scripted model, take the steps, and print."""
    async with ModelServer(_script(steps)) as model:
        with tempfile.TemporaryDirectory() as folder:
            served = Served(
                Path(folder),
                cave_lab={
                    "model": "openai/scripted",
                    "api_base": model.url,
                    "key_env": KEY,
                    "max_runs": steps + 1,
                },
                environ={KEY: "canary-key-0123456789"},
            )
            await served.start()
            try:
                await _measure(served, model, steps)
            finally:
                await served.stop()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS))
