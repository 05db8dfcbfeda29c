"""How long after Stop the model's side sees that nobody listens any more.

A real server in a process of its own, a scripted model over real sockets, and a real websocket.
The clock runs from just before the command is sent until the model's socket is closed, or, while
another try is waited for and no socket is open, until the turn's end has come back. The goal is
100 ms for every socket.

`python -m tests.bench.stop [rounds]`
"""

import asyncio
import sys

from cave_lab.model.script import Say, ScriptedTurn
from tests.bench.figures import p50_p95
from tests.bench.scripted import serving
from tests.fakes.model_server import ModelServer
from tests.server.process import Served
from tests.server.scenarios import script
from tests.server.stopping import MOMENTS, Moment, stop_at
from tests.talk import Person

ROUNDS = 30
GOAL = 0.1
"""Seconds."""


def _line(moment: Moment, seconds: list[float]) -> str:
    middle, high = p50_p95(seconds)
    late = sum(one > GOAL for one in seconds)
    figures = "   ".join(
        f"{name} {value * 1e3:6.1f} ms"
        for name, value in (("p50", middle), ("p95", high), ("max", max(seconds)))
    )
    what = (
        f"over {GOAL * 1e3:g} ms: {late} of {len(seconds)}" if moment.open else "to the turn's end"
    )
    return f"{moment.name:<28} {figures}   {what}"


async def _measure(served: Served, model: ModelServer, rounds: int) -> None:
    browser = await served.browser()
    target = await browser.notebook()
    people = {}
    for plain in (False, True):
        name = "openai/plain" if plain else "openai/scripted"
        people[plain] = await Person.at(browser, target, mode="auto", model=name)
        model.load(script(ScriptedTurn("hello", answer=(Say("Hello."),))))
        await people[plain].say("hello")  # what is loaded for the first call is not measured
        await people[plain].ended(seconds=120)
    for moment in MOMENTS:
        person = people[moment.plain]
        print(_line(moment, [await stop_at(person, model, moment) for _ in range(rounds)]))


async def main(rounds: int) -> None:
    """Start a server and a scripted model, measure, and print."""
    async with ModelServer() as model, serving(model) as served:
        await _measure(served, model, rounds)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
