"""Each follower is told every event once, in order, from where it stands."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from cave_lab import errors
from cave_lab.protocol.events import Event
from cave_lab.protocol.frames import CaughtUp, Signal
from cave_lab.protocol.ids import Seq, ThreadId
from cave_lab.thread.followers import Followers
from tests.state.making import Story
from tests.thread.readers import Reader
from tests.waiting import until


class Thread:
    """Stored events in pages of two, and how far they were told."""

    def __init__(self, stored: int, told: int | None = None) -> None:
        story = Story().turn()
        while len(story.events) < stored:
            story.says("more ")
        self.story = story
        self.told = stored if told is None else told
        self.followers = Followers()

    def last(self) -> Seq:
        return Seq(self.told)

    async def pages(self, after: Seq) -> AsyncGenerator[list[Event], None]:
        while page := self.story.events[after : after + 2]:
            yield page
            after = page[-1].seq

    def happen(self) -> None:
        """One more event is committed and told."""
        self.story.says("new ")
        self.told += 1
        self.followers.tell(self.story.events[-1:])

    async def follow(self, reader: Reader, after: int = 0) -> None:
        await self.followers.add(reader, Seq(after), self.last, self.pages)


async def test_a_follower_gets_what_is_stored_and_then_what_comes() -> None:
    thread, reader = Thread(5), Reader()
    await thread.follow(reader)
    thread.happen()
    assert reader.numbers == [1, 2, 3, 4, 5, 6]


async def test_a_follower_that_knows_the_beginning_gets_the_rest() -> None:
    thread, reader = Thread(5), Reader()
    await thread.follow(reader, after=3)
    assert reader.numbers == [4, 5]


async def test_what_comes_while_a_slow_reader_takes_the_stored_ones_is_told_once() -> None:
    thread, reader = Thread(5), Reader()
    reader.free.clear()
    following = asyncio.ensure_future(thread.follow(reader))
    await until(lambda: reader.numbers == [1, 2], "the first page")
    thread.happen()
    thread.happen()
    assert reader.numbers == [1, 2], "nothing overtakes what is stored"
    reader.free.set()
    await following
    thread.happen()
    assert reader.numbers == [1, 2, 3, 4, 5, 6, 7, 8]


async def test_what_is_committed_but_not_yet_told_is_not_told_twice() -> None:
    thread, reader = Thread(5, told=4), Reader()
    await thread.follow(reader)
    assert reader.numbers == [1, 2, 3, 4]
    thread.told = 5
    thread.followers.tell(thread.story.events[4:5])
    assert reader.numbers == [1, 2, 3, 4, 5]


async def test_opening_again_on_the_same_connection_tells_nothing_twice() -> None:
    thread, reader = Thread(6), Reader()
    reader.free.clear()
    first = asyncio.ensure_future(thread.follow(reader))
    await until(lambda: reader.numbers == [1, 2], "the first page")
    second = asyncio.ensure_future(thread.follow(reader, after=2))
    await until(lambda: reader.numbers == [1, 2, 3, 4], "the second opening's page")
    reader.free.set()
    await asyncio.gather(first, second)
    thread.happen()
    assert reader.numbers == [1, 2, 3, 4, 5, 6, 7]
    assert len(thread.followers) == 1


async def test_a_follower_that_left_meanwhile_gets_no_more() -> None:
    thread, reader = Thread(6), Reader()
    reader.free.clear()
    following = asyncio.ensure_future(thread.follow(reader))
    await until(lambda: reader.numbers == [1, 2], "the first page")
    thread.followers.remove(reader.origin.client_id)
    reader.free.set()
    await following
    thread.happen()
    assert reader.numbers == [1, 2]
    assert len(thread.followers) == 0


async def test_a_journal_that_fails_leaves_no_follower_behind() -> None:
    thread, reader = Thread(5), Reader()

    async def failing(after: Seq) -> AsyncGenerator[list[Event], None]:
        yield thread.story.events[:2]
        raise errors.JournalUnavailable

    with pytest.raises(errors.JournalUnavailable):
        await thread.followers.add(reader, Seq(0), thread.last, failing)
    assert len(thread.followers) == 0


async def test_a_journal_with_a_hole_at_its_end_does_not_keep_anyone_for_ever() -> None:
    thread, reader = Thread(3, told=9), Reader()
    await asyncio.wait_for(thread.follow(reader), 5)
    assert reader.numbers == [1, 2, 3]


async def test_a_client_that_can_not_be_told_does_not_keep_the_others_from_it() -> None:
    class Broken(Reader):
        def receive(self, message: Event | Signal) -> None:
            raise RuntimeError("its line is broken")

    thread, reader = Thread(2), Reader("client-2")
    await thread.follow(Broken(), after=2)
    await thread.follow(reader, after=2)
    thread.happen()
    assert reader.numbers == [3]
    assert len(thread.followers) == 1


async def test_a_signal_reaches_also_those_who_still_catch_up() -> None:
    thread, reader = Thread(5), Reader()
    reader.free.clear()
    following = asyncio.ensure_future(thread.follow(reader))
    await until(lambda: reader.numbers == [1, 2], "the first page")
    thread.followers.signal(CaughtUp(thread_id=ThreadId("thread-1"), seq=Seq(0)))
    assert isinstance(reader.got[-1], CaughtUp)
    reader.free.set()
    await following
