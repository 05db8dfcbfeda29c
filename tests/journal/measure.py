"""What a durable append costs beside a bare SQLite insert: `python -m tests.journal.measure`."""

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import quantiles

from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.events import encode_event
from tests.journal.making import THREAD, created, delta, turn_started

ROUNDS = 1_000
AT_ONCE = 20


def report(name: str, seconds: Sequence[float]) -> None:
    cuts = quantiles(seconds, n=100)
    print(f"{name:<44} p50 {cuts[49] * 1e3:6.2f} ms   p95 {cuts[94] * 1e3:6.2f} ms")


def bare_insert(folder: Path) -> list[float]:
    """One insert a commit, WAL and full sync, on the calling thread."""
    took = []
    body = encode_event(turn_started())
    with closing(sqlite3.connect(folder / "bare.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE events (thread_id, seq, body, UNIQUE (thread_id, seq))")
        for seq in range(ROUNDS):
            begun = time.perf_counter()
            connection.execute("INSERT INTO events VALUES (?, ?, ?)", (THREAD, seq, body))
            took.append(time.perf_counter() - begun)
    return took


async def durable_appends(journal: Journal) -> list[float]:
    took = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        await journal.append(THREAD, [turn_started()])
        took.append(time.perf_counter() - begun)
    return took


async def appends_at_once(journal: Journal, batched: bool) -> float:
    """Events a second when some callers append at once."""

    async def append() -> None:
        for number in range(ROUNDS // AT_ONCE):
            await journal.append(THREAD, [delta(str(number)) if batched else turn_started()])

    begun = time.perf_counter()
    await asyncio.gather(*(append() for _ in range(AT_ONCE)))
    return ROUNDS / (time.perf_counter() - begun)


async def measure(folder: Path) -> None:
    report("bare INSERT, WAL, full sync", bare_insert(folder))
    journal = await Journal.open(folder / "journal", DEFAULT_LIMITS)
    try:
        await journal.append(THREAD, [created()])
        report("Journal.append of one durable event", await durable_appends(journal))
        print(f"{AT_ONCE} callers at once, durable: {await appends_at_once(journal, False):.0f}/s")
        print(f"{AT_ONCE} callers at once, batched: {await appends_at_once(journal, True):.0f}/s")
    finally:
        await journal.close()
    report("bare INSERT again", bare_insert(Path(tempfile.mkdtemp(dir=folder))))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        asyncio.run(measure(Path(place)))
