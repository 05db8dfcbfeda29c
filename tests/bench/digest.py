"""What our looking costs the person's kernel: a look at all variables, and the hook around a cell.

Times are taken inside the kernel, by the probe's own clock and by timers in front of and behind its
callbacks. `python -m tests.bench.digest [cells]`
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from cave_lab.kernel.link import Link
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.content import NotebookRef, Target
from tests.bench.figures import milliseconds
from tests.kernel.conftest import PATH, Server
from tests.kernel.person import Person

CELLS = 60
COUNTS = (10, 100, 1_000, 10_000)

FILL = """\
import numpy as np, pandas as pd
kinds = [lambda i: i, lambda i: f"text {i}", lambda i: [i] * 20, lambda i: {"a": i},
         lambda i: np.arange(i % 50 + 1), lambda i: pd.DataFrame({"x": [i], "y": ["a"]})]
globals().update({f"v{i}": kinds[i % len(kinds)](i) for i in range(COUNT)})"""
GIGABYTE = "big = np.zeros((12_500_000, 10)); frame = pd.DataFrame(big, copy=False)"

TIMERS = """\
def put_timers():
    from time import perf_counter
    callbacks = get_ipython().events.callbacks
    marks = callbacks.setdefault("_marks", [])
    def timers():
        began = []
        def first(*_): began.append(perf_counter())
        def last(*_): marks.append(perf_counter() - began.pop())
        return first, last
    for event in ("pre_run_cell", "post_run_cell"):
        first, last = timers()
        callbacks[event].insert(0, first)
        callbacks[event].append(last)
put_timers()"""
MARKS = "import json; print(json.dumps(get_ipython().events.callbacks['_marks']))"


@asynccontextmanager
async def desk(folder: Path) -> AsyncIterator[tuple[Link, Person]]:
    """A kernel with the probe, and the person at it."""
    server = Server(folder)
    opened = await server.open()
    try:
        binding = await server.room().bind(Target(notebook=NotebookRef(path=PATH)))
        assert isinstance(binding.link, Link)
        yield binding.link, await server.person(opened["kernel"]["id"])
    finally:
        await server.close()


async def _look(link: Link, times: int) -> tuple[list[float], int]:
    """Seconds of kernel time of looks, and how many rows came in detail."""
    life = link._lives.life
    assert life is not None
    assert life.prober is not None
    replies = [await life.prober.variables(None, previews=False) for _ in range(times)]
    return [reply["ms"] / 1e3 for reply in replies], len(replies[-1]["rows"])


async def _hook(person: Person, cells: int) -> list[float]:
    """Seconds that the hook adds to each of the person's cells, before and behind it together."""
    await person.run(TIMERS)
    for number in range(cells):
        await person.run(f"v{number % 10} = {number}; len(v{number % 7 + 2})")
    printed = person.send(MARKS)
    await person.reply(printed)
    marks = json.loads(person.printed(printed))
    # The first is the end of the cell that put the timers in, the last the start of this one.
    inside = marks[1:-1]
    return [before + behind for before, behind in zip(inside[::2], inside[1::2], strict=True)]


async def main(cells: int) -> None:
    """Fill kernels with variables, look, run cells, and print."""
    with tempfile.TemporaryDirectory() as folder:
        for count in COUNTS:
            async with desk(Path(folder)) as (link, person):
                await person.run(FILL.replace("COUNT", str(count)))
                seconds, rows = await _look(link, cells)
                print(milliseconds(f"a look at {count:,} variables ({rows} in detail)", seconds))
                hook = await _hook(person, cells)
                print(milliseconds(f"the hook around a cell, {count:,} variables", hook))
        async with desk(Path(folder)) as (link, person):
            await person.run(FILL.replace("COUNT", "100"))
            await person.run(GIGABYTE)
            seconds, rows = await _look(link, cells)
            print(milliseconds("a look at 100 variables and a frame of 1 GB", seconds))
    print(
        f"limits: look {DEFAULT_LIMITS.probe_budget_ms} ms, hook {DEFAULT_LIMITS.hook_budget_ms} ms"
    )


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else CELLS))
