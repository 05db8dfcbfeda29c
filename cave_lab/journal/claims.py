"""Claims: a thread is written by one living server at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from cave_lab.errors import NotFound, ThreadElsewhere
from cave_lab.journal.servers import Server, ThisServer
from cave_lab.journal.threads import Holder, holder_of
from cave_lab.journal.unfinished import Begun, unfinished_of
from cave_lab.protocol.ids import Seq, ServerId, ThreadId


@dataclass(frozen=True)
class Ours:
    """The thread is ours to write; `unfinished` is what a server that is gone left open."""

    thread_id: ThreadId
    taken_over: bool = False
    """Whether it was claimed by a server that has died."""
    unfinished: Sequence[Begun] = ()


@dataclass(frozen=True)
class Held:
    """Another living server has the thread: it can be read here, and that server can be named."""

    thread_id: ThreadId
    holder: Holder


Claim = Ours | Held


def claim(connection: sqlite3.Connection, us: ThisServer, thread_id: ThreadId) -> Claim:
    """Take the thread unless another living server has it. Raises NotFound."""
    server_id, since, _ = _row(connection, thread_id)
    if server_id == us.id:
        return Ours(thread_id)
    holder = _holder(connection, us, server_id, since)
    if holder is not None and holder.alive:
        return Held(thread_id, holder)
    _take(connection, us, thread_id)
    return Ours(
        thread_id,
        taken_over=server_id is not None,
        unfinished=unfinished_of(connection, thread_id),
    )


def release(connection: sqlite3.Connection, us: ThisServer, thread_id: ThreadId) -> None:
    """Give the thread back if it is ours."""
    connection.execute(
        "UPDATE threads SET server_id = NULL, claimed = NULL WHERE id = ? AND server_id = ?",
        (thread_id, us.id),
    )


def admit(connection: sqlite3.Connection, us: ThisServer, thread_id: ThreadId) -> Seq:
    """Let us write the thread, claiming it if nobody has it; return its last number.

    Raises NotFound, or ThreadElsewhere if another server claimed it, even one that has died: that
    takes `claim`, whose answer says what was left unfinished.
    """
    server_id, _, last_seq = _row(connection, thread_id)
    if server_id is None:
        _take(connection, us, thread_id)
    elif server_id != us.id:
        raise ThreadElsewhere
    return last_seq


def _row(
    connection: sqlite3.Connection, thread_id: ThreadId
) -> tuple[ServerId | None, float | None, Seq]:
    query = "SELECT server_id, claimed, last_seq FROM threads WHERE id = ? AND erased = 0"
    with closing(connection.execute(query, (thread_id,))) as rows:
        row: tuple[ServerId | None, float | None, Seq] | None = rows.fetchone()
    if row is None:
        raise NotFound
    return row


def _holder(
    connection: sqlite3.Connection,
    us: ThisServer,
    server_id: ServerId | None,
    since: float | None,
) -> Holder | None:
    query = "SELECT id, host, pid, born, beat FROM servers WHERE id = ?"
    with closing(connection.execute(query, (server_id,))) as rows:
        row = rows.fetchone()
    return None if row is None or since is None else holder_of(us, Server(*row), since)


def _take(connection: sqlite3.Connection, us: ThisServer, thread_id: ThreadId) -> None:
    connection.execute(
        "UPDATE threads SET server_id = ?, claimed = ? WHERE id = ?",
        (us.id, us.now().timestamp(), thread_id),
    )
