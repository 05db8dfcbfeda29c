import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from cave_lab.journal.claims import Held, Ours
from cave_lab.journal.journal import Journal
from cave_lab.journal.process import birth_of, own_birth
from cave_lab.journal.servers import Server, ThisServer, this_server
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.ids import ServerId
from tests.journal.making import THREAD, Clock, changed, created, turn_started

US = this_server(Clock(), stale_seconds=30.0)
NOW = Clock()().timestamp()


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A process that lives until its input is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE
    )
    yield process
    process.kill()
    process.communicate()


def neighbour(pid: int, born: str, host: str = US.host, beat: float = NOW) -> Server:
    return Server(ServerId("server-x"), host, pid, born, beat)


def test_a_server_of_this_host_lives_as_long_as_its_process(child):
    born = birth_of(child.pid)
    assert born is not None
    server = neighbour(child.pid, born, beat=NOW - 3_600)
    assert US.is_alive(server)
    child.kill()
    # Not yet waited for: a zombie is as dead as a process that is gone.
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not US.is_alive(server)
    child.wait()
    assert not US.is_alive(server)


def test_a_pid_that_was_given_out_again_is_not_the_same_server(child):
    assert not US.is_alive(neighbour(child.pid, own_birth() + "0"))
    assert not US.is_alive(neighbour(os.getpid(), "of another boot"))


@pytest.mark.parametrize("age, alive", [(-5.0, True), (0.0, True), (29.0, True), (31.0, False)])
def test_a_server_of_another_host_lives_as_long_as_its_beat_is_fresh(age, alive):
    server = neighbour(os.getpid(), own_birth(), host="elsewhere", beat=NOW - age)
    assert US.is_alive(server) is alive


async def on_another_host(journal: Journal) -> None:
    """Let the journal's entry look as if its server ran elsewhere."""
    await journal._writer.run(
        lambda connection: connection.execute(
            "UPDATE servers SET host = 'elsewhere' WHERE id = ?", (journal.server_id,)
        )
    )


async def test_a_stale_claim_is_taken_over_and_the_former_holder_shut_out(journal, thread, folder):
    clock = Clock()
    clock.time = journal._us.now()
    await journal.append(thread, [turn_started()])
    await on_another_host(journal)
    successor = await Journal.open(folder, DEFAULT_LIMITS, now=clock)
    try:
        assert isinstance(await successor.claim(thread), Held)
        assert await successor.orphans() == []
        clock.time += timedelta(seconds=DEFAULT_LIMITS.claim_stale_seconds + 1)
        assert await successor.orphans() == [thread]
        claim = await successor.claim(thread)
        assert isinstance(claim, Ours)
        assert claim.taken_over
        assert [begun.kind for begun in claim.unfinished] == ["turn"]
        assert isinstance(await journal.claim(thread), Held)
    finally:
        await successor.close()


async def test_a_dead_server_is_forgotten_once_it_holds_nothing(folder):
    def enter(connection, us: ThisServer):
        replace(us, id=ServerId("server-dead"), born="of another boot").beat(connection)
        connection.execute("UPDATE threads SET server_id = 'server-dead'")

    def known(connection):
        return {row[0] for row in connection.execute("SELECT id FROM servers").fetchall()}

    first = await Journal.open(folder, DEFAULT_LIMITS)
    await first.append(THREAD, [created()])
    await first._writer.run(lambda connection: enter(connection, first._us))
    second = await Journal.open(folder, DEFAULT_LIMITS)
    assert "server-dead" in await second._readers.run(known)
    claim = await second.claim(THREAD)
    assert isinstance(claim, Ours)
    assert claim.taken_over
    await second.append(THREAD, [changed(title="again")])
    third = await Journal.open(folder, DEFAULT_LIMITS)
    assert await third._readers.run(known) == {
        journal.server_id for journal in (first, second, third)
    }
    for journal in (first, second, third):
        await journal.close()
