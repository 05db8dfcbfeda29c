"""Which process of which machine: what tells a living server from a dead one."""

from __future__ import annotations

import functools
import os
import socket
import subprocess
import sys
from pathlib import Path

PROC = Path("/proc")
BOOT = PROC / "sys/kernel/random/boot_id"
NAMESPACE = PROC / "self/ns/pid"

CAN_ASK = sys.platform != "win32"
"""Whether this system tells when a process was born; on Windows only the beat counts."""


@functools.cache
def host_name() -> str:
    """Name the place where a pid means the same process: the host, and its pid namespace."""
    name = socket.gethostname()
    return f"{name}/{NAMESPACE.readlink()}" if NAMESPACE.is_symlink() else name


def birth_of(pid: int) -> str | None:
    """Say when the process was born, in a form only good for comparison; None if none lives."""
    return _birth_by_proc(pid) if (PROC / "self/stat").exists() else _birth_by_ps(pid)


def own_birth() -> str:
    """Say when this process was born; empty where the system does not tell."""
    return (birth_of(os.getpid()) or "") if CAN_ASK else ""


@functools.cache
def _boot() -> str:
    return BOOT.read_text().strip() if BOOT.exists() else ""


def _birth_by_proc(pid: int) -> str | None:
    """Read `/proc/<pid>/stat` (proc(5)): state is the third field, start time the 22nd."""
    try:
        stat = (PROC / str(pid) / "stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The second field is a name in brackets that may itself hold blanks and brackets.
    fields = stat[stat.rindex(b")") + 2 :].split()
    state, born = fields[0], fields[19].decode()
    return None if state in (b"Z", b"X") else f"{_boot()}:{born}"


def _birth_by_ps(pid: int) -> str | None:
    printed = subprocess.run(
        ["/bin/ps", "-o", "stat=", "-o", "lstart=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
        env={"LC_ALL": "C", "TZ": "UTC"},
    )
    state, _, born = printed.stdout.strip().partition(" ")
    return None if not born or state.startswith("Z") else born.strip()
