"""Whether a folder lies on a network file system, where SQLite's WAL is not safe."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

NETWORK_KINDS = frozenset(
    {
        "9p",
        "afs",
        "afpfs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "drvfs",
        "gfs",
        "gfs2",
        "glusterfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "ocfs2",
        "orangefs",
        "panfs",
        "prl_fs",
        "pvfs2",
        "smb3",
        "smbfs",
        "vboxsf",
        "virtiofs",
        "vmhgfs",
        "webdav",
    }
)
"""Network and guest-to-host file systems: memory shared between processes can't be relied on."""

LOCAL_FUSE_KINDS = frozenset({"fuse.fuse-overlayfs", "fuse.ntfs-3g", "fuse.ext4"})
"""Other FUSE file systems are taken for network ones: the rollback journal is right on both."""


def network_kind(folder: Path) -> str | None:
    """Return the kind of network file system that the folder lies on, or None."""
    if sys.platform == "win32":
        return "unc" if str(folder.resolve()).startswith("\\\\") else None
    kind = kind_of(folder.resolve(), mounts())
    return kind if kind is not None and is_network(kind) else None


def is_network(kind: str) -> bool:
    """Say whether a kind of file system is, or may be, a network one."""
    if kind in NETWORK_KINDS:
        return True
    return (kind == "fuse" or kind.startswith("fuse.")) and kind not in LOCAL_FUSE_KINDS


def kind_of(folder: Path, mounted: Iterable[tuple[str, str]]) -> str | None:
    """Return the kind of the innermost mount that holds the folder; of equals, the last."""
    best: tuple[int, str] | None = None
    for point, kind in mounted:
        depth = len(Path(point).parts)
        if folder.is_relative_to(point) and (best is None or depth >= best[0]):
            best = (depth, kind)
    return None if best is None else best[1]


def mounts() -> Iterator[tuple[str, str]]:
    """Yield mount point and kind of every mount of this machine."""
    table = Path("/proc/self/mounts")
    if table.exists():
        return linux_mounts(table.read_text(errors="surrogateescape"))
    printed = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False)
    return bsd_mounts(printed.stdout)


def linux_mounts(table: str) -> Iterator[tuple[str, str]]:
    """Read `/proc/mounts`, where blanks in names are octal escapes."""
    for line in table.splitlines():
        _, point, kind, *_ = line.split(" ")
        yield re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), point), kind


def bsd_mounts(printed: str) -> Iterator[tuple[str, str]]:
    """Read what `mount` prints on macOS: `source on /point (kind, options)`."""
    for line in printed.splitlines():
        if found := re.fullmatch(r".*? on (/.*) \((\w+)(?:, .*)?\)", line):
            yield found[1], found[2]
