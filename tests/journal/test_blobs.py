import hashlib

import pytest

from cave_lab.errors import LimitReached, NotFound, ThreadElsewhere
from cave_lab.journal.blobs import Blob
from cave_lab.journal.journal import Journal
from cave_lab.limits import Limits
from cave_lab.protocol.ids import BlobId, ThreadId
from tests.journal.making import THREAD, created

PICTURE = bytes(range(256)) * 1_000
SECOND = ThreadId("thread-2")


async def test_a_blob_is_named_by_its_content_and_read_back(journal, thread):
    blob_id = await journal.put_blob(PICTURE, "image/png", thread)
    assert blob_id == hashlib.sha256(PICTURE).hexdigest()
    assert await journal.get_blob(blob_id, thread) == Blob(PICTURE, "image/png")
    assert await journal.put_blob(PICTURE, "image/png", thread) == blob_id


async def test_a_blob_is_reached_only_through_a_thread_that_refers_to_it(journal, thread):
    await journal.append(SECOND, [created(owner="someone else")])
    blob_id = await journal.put_blob(PICTURE, "image/png", thread)
    with pytest.raises(NotFound):
        await journal.get_blob(blob_id, SECOND)
    with pytest.raises(NotFound):
        await journal.get_blob(BlobId("0" * 64), thread)


async def test_each_thread_gives_a_shared_blob_its_own_type(journal, thread):
    await journal.append(SECOND, [created()])
    blob_id = await journal.put_blob(b"{}", "application/json", thread)
    await journal.put_blob(b"{}", "text/plain", SECOND)
    assert (await journal.get_blob(blob_id, thread)).mime == "application/json"
    assert (await journal.get_blob(blob_id, SECOND)).mime == "text/plain"


async def test_a_shared_blob_stays_until_the_last_thread_that_refers_to_it_is_deleted(
    journal, thread
):
    await journal.append(SECOND, [created()])
    blob_id = await journal.put_blob(PICTURE, "image/png", thread)
    await journal.put_blob(PICTURE, "image/png", SECOND)

    def count(connection):
        return connection.execute("SELECT count(*) FROM blobs").fetchone()[0]

    await journal.delete_thread(thread)
    with pytest.raises(NotFound):
        await journal.get_blob(blob_id, thread)
    assert (await journal.get_blob(blob_id, SECOND)).data == PICTURE
    assert await journal._readers.run(count) == 1
    await journal.delete_thread(SECOND)
    assert await journal._readers.run(count) == 0


async def test_a_blob_needs_a_thread_that_is_ours(journal, other, thread):
    with pytest.raises(NotFound):
        await journal.put_blob(b"x", "text/plain", SECOND)
    with pytest.raises(ThreadElsewhere):
        await other.put_blob(b"x", "text/plain", thread)


async def test_a_blob_over_the_limit_is_refused(folder):
    journal = await Journal.open(folder, Limits(blob_bytes=10))
    try:
        await journal.append(THREAD, [created()])
        await journal.put_blob(b"x" * 10, "text/plain", THREAD)
        with pytest.raises(LimitReached):
            await journal.put_blob(b"x" * 11, "text/plain", THREAD)
    finally:
        await journal.close()
