"""What a server costs at its start, with CaveLab and without, in turns.

`python -m tests.bench.startup [rounds]`
"""

import asyncio
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil

from tests.server.process import Served

ROUNDS = 7
MIB = 1024 * 1024


@dataclass(frozen=True)
class Cost:
    """CPU seconds (user and system) and resident memory when the server first answers."""

    cpu: float
    memory: float


async def _cost(cave_lab: bool) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        extensions = {"cave_lab": cave_lab, "jupyterlab": True}
        served = Served(Path(folder), server={"jpserver_extensions": extensions})
        await served.start()
        process = psutil.Process(served.process.pid)
        times = process.cpu_times()
        cost = Cost(times.user + times.system, process.memory_info().rss / MIB)
        await served.stop()
        return cost


async def main(rounds: int) -> None:
    """Start servers in turns and print the medians."""
    costs: dict[bool, list[Cost]] = {False: [], True: []}
    for number in range(rounds * 2):
        with_us = bool(number % 2)
        costs[with_us].append(await _cost(with_us))
    sides = (costs[False], costs[True])
    cpu = [median(cost.cpu for cost in side) for side in sides]
    memory = [median(cost.memory for cost in side) for side in sides]
    print(
        f"CPU until the first answer   without {cpu[0]:.2f} s   with {cpu[1]:.2f} s   "
        f"ratio {cpu[1] / cpu[0]:.3f}   n {rounds}"
    )
    print(
        f"memory before a message      without {memory[0]:.1f} MiB   with {memory[1]:.1f} MiB   "
        f"difference {memory[1] - memory[0]:+.1f} MiB   n {rounds}"
    )


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
