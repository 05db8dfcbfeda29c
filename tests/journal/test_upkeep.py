import logging
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS, Limits
from tests.journal.making import THREAD, Clock, created
from tests.waiting import until


def last_beat(connection):
    return connection.execute("SELECT max(beat) FROM servers").fetchone()[0]


async def test_a_living_server_beats(folder):
    clock = Clock()
    limits = replace(DEFAULT_LIMITS, claim_beat_seconds=0.01)
    journal = await Journal.open(folder, limits, now=clock)
    try:
        clock.time += timedelta(seconds=100)

        async def has_beaten():
            return await journal._readers.run(last_beat) == clock.time.timestamp()

        await until(has_beaten, "a new beat")
    finally:
        await journal.close()


async def test_the_log_is_emptied_later_if_someone_still_reads_it(folder):
    limits = Limits(busy_seconds=0.05, claim_beat_seconds=0.02)
    journal = await Journal.open(folder, limits)
    try:
        await journal.append(THREAD, [created()])
        with closing(journal._place.reader()) as reading:
            reading.execute("BEGIN")
            reading.execute("SELECT * FROM events").fetchall()
            await journal.delete_thread(THREAD)
            assert journal._upkeep._removed_in_log
        await until(lambda: not journal._upkeep._removed_in_log, "the log emptied")
    finally:
        await journal.close()


async def test_a_beat_that_fails_is_logged_and_the_next_one_tried(folder, caplog):
    limits = Limits(busy_seconds=0.02, claim_beat_seconds=0.01)
    clock = Clock()
    journal = await Journal.open(folder, limits, now=clock)
    try:
        with closing(journal._place.writer()) as outside:
            outside.execute("BEGIN IMMEDIATE")
            with caplog.at_level(logging.WARNING, "cave_lab.journal"):
                await until(lambda: "could not say that it lives" in caplog.text, "a failed beat")
            outside.execute("ROLLBACK")
        clock.time += timedelta(seconds=100)

        async def has_beaten():
            return await journal._readers.run(last_beat) == clock.time.timestamp()

        await until(has_beaten, "a new beat")
    finally:
        await journal.close()
