"""Whose process listens on a port of this machine, as far as Linux tells."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from ipaddress import IPv6Address, ip_address
from pathlib import Path

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENS = "0A"


def owner_of(host: str, port: int) -> str | None:
    """Name the user who listens where a connection to this address arrives; None if unknown.

    A user without a name, as in many containers, is told by number.
    """
    uid = listening_uid([_text(table) for table in _TABLES], host, port)
    if uid is None:
        return None
    # Windows has no such table of users, and no such table of sockets either.
    import pwd

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


def listening_uid(tables: list[str], host: str, port: int) -> int | None:
    """Read the user's number from texts like /proc/net/tcp; the nearest address wins, as in Linux.

    The format is that of https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html.
    """
    listening = {
        fields[1]: int(fields[7])
        for table in tables
        for fields in map(str.split, table.splitlines()[1:])
        if len(fields) > 7 and fields[3] == _LISTENS
    }
    for address in _nearest_first(host):
        uid = listening.get(f"{_hexadecimal(address)}:{port:04X}")
        if uid is not None:
            return uid
    return None


def _nearest_first(host: str) -> Iterator[str]:
    yield host
    if not isinstance(ip_address(host), IPv6Address):
        yield "0.0.0.0"
        yield f"::ffff:{host}"
    yield "::"


def _hexadecimal(address: str) -> str:
    """Write an address as the kernel does: groups of four bytes, each as a number of this CPU."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    packed = socket.inet_pton(family, address)
    groups = [packed[at : at + 4] for at in range(0, len(packed), 4)]
    return "".join(f"{int.from_bytes(group, sys.byteorder):08X}" for group in groups)


def _text(table: Path) -> str:
    try:
        return table.read_text()
    except OSError:
        return ""
