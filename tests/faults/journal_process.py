"""A server process in small: it opens a journal and says on its output what it did.

`python -m tests.faults.journal_process <role> <folder> <seed>`; every line is one JSON value.
"""

import asyncio
import json
import os
import random
import resource
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from cave_lab.errors import CaveLabError
from cave_lab.journal.claims import Held
from cave_lab.journal.journal import Journal
from cave_lab.journal.place import Storage
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import Seq, ThreadId
from tests.journal.making import THREAD, created, delta, turn_started

NOBODY = 65_534
THREADS = 4
TURNS = 15
TURN_TAKERS = (ThreadId("thread-a"), ThreadId("thread-b"), ThreadId("thread-c"))


def say(value: Any) -> None:
    """Write one line at once: what was said before a kill is in the pipe."""
    os.write(1, json.dumps(value).encode() + b"\n")


def words(name: str, number: int) -> str:
    """What the event `number` of a thread says; its length varies, so that pages fill unevenly."""
    return f"{name} {number} " + "x" * random.Random(f"{name} {number}").randint(0, 3_000)


def draft(name: str, number: int) -> Event:
    """The event `number` of a thread; the first creates it, every fourth is synced."""
    if number == 1:
        return created(title=words(name, number))
    text = words(name, number)
    return turn_started(text) if number % 4 == 0 else delta(text)


async def write(folder: Path, seed: str, storage: Storage = "wal") -> None:
    """Append to some threads at once for ever, saying what is committed."""
    journal = await Journal.open(folder, DEFAULT_LIMITS, storage=storage)
    dice = random.Random(seed)

    async def fill(name: ThreadId) -> None:
        number = 0
        while True:
            count = dice.randint(1, 3) if number else 1
            drafts = [draft(name, number + step) for step in range(1, count + 1)]
            await journal.append(name, drafts)
            number += count
            say([name, number])

    await asyncio.gather(*(fill(ThreadId(f"thread-{seed}-{n}")) for n in range(THREADS)))


async def take_turns(folder: Path, _: str) -> None:
    """Append one event a commit to each thread in turn, then wait."""
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    for number in range(1, TURNS + 1):
        for name in TURN_TAKERS:
            await journal.append(name, [draft(name, number)])
    say("done")
    await asyncio.to_thread(sys.stdin.read)
    await journal.close()


async def hold(folder: Path, _: str) -> None:
    """Claim the thread, say who has it, begin a turn if it is ours, and stay until told to end."""
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    claim = await journal.claim(THREAD)
    if isinstance(claim, Held):
        say({"held": claim.holder.pid, "alive": claim.holder.alive})
    else:
        await journal.append(THREAD, [turn_started()])
        say({"ours": os.getpid(), "taken_over": claim.taken_over})
    await asyncio.to_thread(sys.stdin.read)
    await journal.close()
    say("closed")


async def fill_disk(folder: Path, _: str) -> None:
    """Append until files may grow no more, then again when they may."""
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    await journal.append(THREAD, [created()])
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, most))
    committed = Seq(1)
    try:
        while True:
            drafts = [draft(THREAD, committed + 1), draft(THREAD, committed + 2)]
            committed = (await journal.append(THREAD, drafts))[-1].seq
    except CaveLabError as error:
        say({"code": error.code, "committed": committed})
    say({"readable": sum([len(page) async for page in journal.pages(THREAD)])})
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    again = await journal.append(THREAD, [draft(THREAD, committed + 1), turn_started()])
    say({"again": [event.seq for event in again]})
    await journal.close()


async def open_without_rights(folder: Path, _: str) -> None:
    """Open the journal as a user who may read it and not write it."""
    if os.geteuid() == 0:
        # Root may write everywhere.
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        journal = await Journal.open(folder, DEFAULT_LIMITS)
    except CaveLabError as error:
        say({"code": error.code, "sentence": str(error)})
    else:
        await journal.close()
        say("opened")


ROLES: dict[str, Callable[[Path, str], Coroutine[Any, Any, None]]] = {
    "write": write,
    "write_without_log": partial(write, storage="rollback"),
    "take_turns": take_turns,
    "hold": hold,
    "fill_disk": fill_disk,
    "open_without_rights": open_without_rights,
}

if __name__ == "__main__":
    role, folder, seed = sys.argv[1:]
    asyncio.run(ROLES[role](Path(folder), seed))
