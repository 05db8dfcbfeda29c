"""The servers that share a journal, and which of them still live."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

from cave_lab.journal.place import checkpoint, transaction
from cave_lab.journal.process import CAN_ASK, birth_of, host_name, own_birth
from cave_lab.protocol.ids import ServerId, new_id

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Server:
    """A server as the journal knows it; `beat` is when it last said that it lives (Unix time)."""

    id: ServerId
    host: str
    pid: int
    born: str
    beat: float


@dataclass(frozen=True)
class ThisServer:
    """Ourselves, and how we judge the others."""

    id: ServerId
    host: str
    pid: int
    born: str
    now: Clock
    stale_seconds: float

    def beat(self, connection: sqlite3.Connection) -> None:
        """Say that we live."""
        beat = self.now().timestamp()
        connection.execute(
            "INSERT INTO servers (id, host, pid, born, started, beat) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET beat = excluded.beat",
            (self.id, self.host, self.pid, self.born, beat, beat),
        )

    def leave(self, connection: sqlite3.Connection) -> None:
        """Give all claims back and sign off."""
        connection.execute(
            "UPDATE threads SET server_id = NULL, claimed = NULL WHERE server_id = ?", (self.id,)
        )
        connection.execute("DELETE FROM servers WHERE id = ?", (self.id,))

    def is_alive(self, other: Server) -> bool:
        """Say whether the other server lives.

        On our host its process is asked for, by pid and birth, since pids are given out again; on
        another host the age of its beat decides.
        """
        if other.id == self.id:
            return True
        if CAN_ASK and other.host == self.host:
            return birth_of(other.pid) == other.born
        return self.now().timestamp() - other.beat < self.stale_seconds


def this_server(now: Clock, stale_seconds: float) -> ThisServer:
    """Describe this process under a new id."""
    return ThisServer(
        ServerId(new_id("server")), host_name(), os.getpid(), own_birth(), now, stale_seconds
    )


def known_servers(connection: sqlite3.Connection) -> list[Server]:
    """Return all servers that have signed on and not off."""
    with closing(connection.execute("SELECT id, host, pid, born, beat FROM servers")) as rows:
        return [Server(*row) for row in rows]


def dead_servers(connection: sqlite3.Connection, us: ThisServer) -> list[ServerId]:
    """Return the servers that went without signing off."""
    return [server.id for server in known_servers(connection) if not us.is_alive(server)]


def sign_on(connection: sqlite3.Connection, us: ThisServer) -> None:
    """Enter ourselves, and forget the dead that hold nothing."""
    forget_dead(connection, us)
    us.beat(connection)


def sign_off(connection: sqlite3.Connection, us: ThisServer) -> None:
    """Leave, and empty the write-ahead log."""
    with transaction(connection):
        us.leave(connection)
    checkpoint(connection)


def forget_dead(connection: sqlite3.Connection, us: ThisServer) -> None:
    """Remove dead servers that hold no thread any more."""
    connection.executemany(
        "DELETE FROM servers WHERE id = ?"
        " AND NOT EXISTS (SELECT 1 FROM threads WHERE server_id = servers.id)",
        [(server_id,) for server_id in dead_servers(connection, us)],
    )
