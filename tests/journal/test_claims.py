import pytest

from cave_lab.errors import NotFound, ThreadElsewhere
from cave_lab.journal.claims import Held, Ours
from cave_lab.protocol.ids import ThreadId
from tests.journal.making import changed, delta


async def test_a_thread_is_claimed_by_the_server_that_begins_it(journal, other, thread):
    assert await journal.claim(thread) == Ours(thread)
    held = await other.claim(thread)
    assert isinstance(held, Held)
    assert held.holder.server_id == journal.server_id
    assert held.holder.alive
    assert not held.holder.ours


async def test_a_released_thread_goes_to_the_first_that_claims_it(journal, other, thread):
    await journal.release(thread)
    assert await other.claim(thread) == Ours(thread)
    assert isinstance(await journal.claim(thread), Held)
    with pytest.raises(ThreadElsewhere):
        await journal.append(thread, [delta("too late")])


async def test_appending_to_a_thread_that_nobody_holds_claims_it(journal, other, thread):
    await journal.release(thread)
    await other.append(thread, [changed(title="Mine now")])
    assert isinstance(await journal.claim(thread), Held)


async def test_releasing_what_another_server_holds_changes_nothing(journal, other, thread):
    await other.release(thread)
    assert await journal.claim(thread) == Ours(thread)
    assert isinstance(await other.claim(thread), Held)


async def test_closing_gives_all_claims_back(journal, other, thread):
    await journal.close()
    assert await other.claim(thread) == Ours(thread)


async def test_an_unknown_thread_can_not_be_claimed(journal):
    with pytest.raises(NotFound):
        await journal.claim(ThreadId("nowhere"))
