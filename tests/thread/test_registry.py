"""Threads are live while they are needed, once, and what was left open is ended."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT
from cave_lab.journal.journal import Journal
from cave_lab.limits import Limits
from cave_lab.protocol.ids import Seq, ThreadId
from cave_lab.protocol.thread_events import ThreadChanged, ThreadSnapshot
from cave_lab.thread.registry import Registry
from cave_lab.thread.thread import Thread
from tests.journal.making import (
    THREAD,
    created,
    queued,
    turn_ended,
    turn_started,
)
from tests.security.services import services_over
from tests.thread.blocked import Block
from tests.thread.readers import Reader
from tests.waiting import until

LONG = 1_000.0


class Hands:
    """The hands of a clock, moved by the test."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def registry_over(journal: Journal, limits: Limits, hands: Hands | None = None) -> Registry:
    services = replace(services_over(journal), limits=replace(limits, idle_thread_seconds=LONG))
    return Registry(services, lambda before, after: None, hands or Hands())


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
async def registry(journal: Journal, limits: Limits, hands: Hands) -> AsyncIterator[Registry]:
    registry = registry_over(journal, limits, hands)
    yield registry
    await registry.close()


@pytest.fixture
async def elsewhere(folder: Path, journal: Journal, limits: Limits) -> AsyncIterator[Journal]:
    """Another server on the same folder."""
    other = await Journal.open(folder, limits)
    yield other
    await other.close()


async def idle_for_long(registry: Registry, hands: Hands) -> None:
    await registry.sweep()
    hands.at += LONG
    await registry.sweep()


# ── live once


async def test_two_who_ask_at_once_get_the_same_thread(registry: Registry) -> None:
    first, second = await asyncio.gather(
        registry.get(THREAD, "local"), registry.get(THREAD, "local")
    )
    assert first is second
    assert list(registry) == [first]


async def test_who_asks_and_hangs_up_leaves_the_thread_to_the_next(registry: Registry) -> None:
    impatient = asyncio.ensure_future(registry.get(THREAD, "local"))
    await asyncio.wait({impatient}, timeout=0)
    impatient.cancel()
    assert (await registry.get(THREAD, "local")).read_only is None


async def test_another_persons_thread_is_not_there(registry: Registry) -> None:
    for _ in range(2):
        with pytest.raises(errors.NotFound):
            await registry.get(THREAD, "someone else")
        await registry.get(THREAD, "local")


async def test_after_the_end_no_thread_becomes_live(registry: Registry) -> None:
    await registry.close()
    with pytest.raises(errors.JournalUnavailable, match="shutting down"):
        await registry.get(THREAD, "local")
    assert list(registry) == []


# ── letting go


async def test_a_thread_that_nobody_needs_is_let_go_and_comes_back_whole(
    registry: Registry, hands: Hands, elsewhere: Journal, limits: Limits
) -> None:
    thread = await registry.get(THREAD, "local")
    await thread.recorder.full(ThreadChanged(**DRAFT, title="Kept"))
    await idle_for_long(registry, hands)
    assert list(registry) == []
    assert thread.recorder.closed
    # Its claim was given back too: another server may have it now.
    there = registry_over(elsewhere, limits)
    assert (await there.get(THREAD, "local")).read_only is None
    await there.close()
    await elsewhere.release(THREAD)
    again = await registry.get(THREAD, "local")
    assert again is not thread
    assert (again.state.title, again.read_only) == ("Kept", None)


async def test_a_thread_that_someone_follows_or_uses_is_kept(
    registry: Registry, hands: Hands
) -> None:
    thread, reader = await registry.get(THREAD, "local"), Reader()
    await thread.follow(reader, Seq(0))
    await idle_for_long(registry, hands)
    assert list(registry) == [thread]
    thread.followers.remove(reader.origin.client_id)
    await until(lambda: not thread.in_use, "the look for its kernel to end")
    async with registry.using(THREAD, "local"):
        await idle_for_long(registry, hands)
        assert list(registry) == [thread]
    await idle_for_long(registry, hands)
    assert list(registry) == []


async def test_a_thread_used_now_and_then_is_kept(registry: Registry, hands: Hands) -> None:
    thread = await registry.get(THREAD, "local")
    for _ in range(5):
        hands.at += LONG * 0.9
        async with registry.using(THREAD, "local"):
            await registry.sweep()
    assert list(registry) == [thread]


async def test_who_asks_while_a_thread_is_let_go_gets_a_live_one(
    registry: Registry, hands: Hands
) -> None:
    await registry.get(THREAD, "local")
    await registry.sweep()
    hands.at += LONG
    sweeping = asyncio.ensure_future(registry.sweep())
    threads = []
    while not sweeping.done():
        threads.append(await registry.get(THREAD, "local"))
        await asyncio.wait({sweeping}, timeout=0)
    thread = await registry.get(THREAD, "local")
    assert not thread.recorder.closed
    await thread.recorder.full(ThreadChanged(**DRAFT, title="Written"))


async def test_a_thread_whose_end_could_not_be_written_is_mended_before_it_is_let_go(
    registry: Registry, hands: Hands, block: Block
) -> None:
    thread = await registry.get(THREAD, "local")
    await thread.recorder.full(turn_started())
    with block():
        with pytest.raises(errors.JournalUnavailable):
            await thread.recorder.full(turn_ended())
        await idle_for_long(registry, hands)
        assert list(registry) == [thread]
    await registry.sweep()
    assert not thread.broken
    assert thread.state.turns[0].stop_reason == "journal_unavailable"
    hands.at += LONG
    await registry.sweep()
    assert list(registry) == []


# ── what a server that is gone left open


async def test_what_was_left_open_is_ended_and_a_queued_message_waits(
    folder: Path, limits: Limits
) -> None:
    gone = await Journal.open(folder, limits)
    await gone.append(THREAD, [created(), turn_started(), queued()])
    await gone.close()
    journal = await Journal.open(folder, limits)
    registry = registry_over(journal, limits)
    await registry.recover()
    assert list(registry) == [], "nobody looks at it yet"
    state = (await registry.get(THREAD, "local")).state
    assert state.turns[0].stop_reason == "interrupted"
    assert [message.message_id for message in state.queue] == ["message-1"]
    await registry.recover()
    assert (await registry.get(THREAD, "local")).state.seq == state.seq, "once is enough"
    await registry.close()
    await journal.close()


async def test_a_thread_that_can_not_be_read_keeps_no_other_from_being_recovered(
    folder: Path, limits: Limits
) -> None:
    bad = ThreadId("thread-bad")
    gone = await Journal.open(folder, limits)
    await gone.append(bad, [created(), turn_started()])
    await gone.append(bad, [ThreadSnapshot(**DRAFT, state={"no": "state"})])
    await gone.append(THREAD, [created(), turn_started()])
    await gone.close()
    journal = await Journal.open(folder, limits)
    registry = registry_over(journal, limits)
    await registry.recover()
    assert (await registry.get(THREAD, "local")).state.turn is None
    with pytest.raises(errors.JournalCorrupt, match="Begin a new thread"):
        await registry.get(bad, "local")
    await registry.close()
    await journal.close()


# ── deleting


async def deleted(thread: Thread) -> None:
    await thread.recorder.full(ThreadChanged(**DRAFT, deleted=True))


async def test_a_thread_that_is_being_deleted_is_not_there_for_anyone(
    registry: Registry, journal: Journal
) -> None:
    thread = await registry.get(THREAD, "local")
    await deleted(thread)
    erasing = asyncio.ensure_future(registry.erase(thread))
    while not erasing.done():
        with pytest.raises(errors.NotFound):
            await registry.get(THREAD, "local")
        await asyncio.wait({erasing}, timeout=0)
    await erasing
    with pytest.raises(errors.NotFound):
        await registry.get(THREAD, "local")
    assert list(registry) == []
    with pytest.raises(errors.NotFound):
        await journal.events(THREAD)


# ── two servers


async def test_a_thread_of_another_server_is_read_only_and_says_where_it_runs(
    registry: Registry, elsewhere: Journal, limits: Limits
) -> None:
    await registry.get(THREAD, "local")
    there = registry_over(elsewhere, limits)
    thread = await there.get(THREAD, "local")
    assert thread.read_only is not None
    assert "another Jupyter server (process" in thread.read_only
    assert thread.state.title == "Revenue"
    await there.close()


async def test_a_thread_that_runs_elsewhere_is_read_again_only_when_something_happened(
    registry: Registry, elsewhere: Journal, limits: Limits
) -> None:
    here = await registry.get(THREAD, "local")
    there = registry_over(elsewhere, limits)
    first = await there.get(THREAD, "local")
    assert await there.get(THREAD, "local") is first
    await here.recorder.full(ThreadChanged(**DRAFT, title="Later"))
    second = await there.get(THREAD, "local")
    assert second is not first
    assert second.state.title == "Later"
    await there.close()


async def test_a_follower_that_hangs_up_while_its_thread_comes_home_is_not_kept(
    registry: Registry, journal: Journal, elsewhere: Journal, limits: Limits
) -> None:
    await registry.get(THREAD, "local")
    there, reader = registry_over(elsewhere, limits), Reader()
    await (await there.get(THREAD, "local")).follow(reader, Seq(0))
    await registry.close()
    await journal.release(THREAD)
    taken = await there.get(THREAD, "local")
    # In the same moment, before it could begin to follow.
    taken.followers.remove(reader.origin.client_id)
    await until(lambda: not taken.in_use, "nobody looking on")
    assert len(taken.followers) == 0
    await there.close()


async def test_when_the_other_server_lets_go_its_followers_here_go_on(
    registry: Registry, journal: Journal, elsewhere: Journal, limits: Limits
) -> None:
    here = await registry.get(THREAD, "local")
    there, reader = registry_over(elsewhere, limits), Reader()
    seen = await there.get(THREAD, "local")
    await seen.follow(reader, Seq(0))
    assert not reader.is_caught_up
    await here.recorder.full(ThreadChanged(**DRAFT, title="Later"))
    await registry.close()
    await journal.release(THREAD)
    taken = await there.get(THREAD, "local")
    assert taken.read_only is None
    await until(lambda: reader.is_caught_up, "the rest")
    assert reader.numbers == [1, 2]
    await taken.recorder.full(ThreadChanged(**DRAFT, title="Here"))
    assert reader.numbers == [1, 2, 3]
    assert seen is not taken
    await there.close()
