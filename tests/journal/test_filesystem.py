from pathlib import Path

import pytest

from cave_lab.journal.filesystem import (
    bsd_mounts,
    is_network,
    kind_of,
    linux_mounts,
    mounts,
    network_kind,
)

LINUX = """\
proc /proc proc rw,relatime 0 0
/dev/sda1 / ext4 rw 0 0
/dev/sda2 /home ext4 rw 0 0
server:/homes /home nfs4 rw,vers=4.2 0 0
//nas/data /mnt/my\\040data cifs rw 0 0
tmpfs /home/ada/scratch tmpfs rw 0 0
"""
MACOS = """\
/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//ada@nas/data on /Volumes/data on nas (smbfs, nodev, nosuid, mounted by ada)
host:/export on /Volumes/export (nfs)
"""


@pytest.mark.parametrize(
    "folder, kind",
    [
        ("/", "ext4"),
        ("/homestead", "ext4"),
        ("/home/ada/.local", "nfs4"),
        ("/home/ada/scratch/x", "tmpfs"),
        ("/mnt/my data/journal", "cifs"),
    ],
)
def test_the_innermost_mount_counts_and_of_equal_ones_the_last(folder, kind):
    assert kind_of(Path(folder), linux_mounts(LINUX)) == kind


def test_the_mounts_of_macos_are_read_as_well():
    assert list(bsd_mounts(MACOS)) == [
        ("/", "apfs"),
        ("/Volumes/data on nas", "smbfs"),
        ("/Volumes/export", "nfs"),
    ]


@pytest.mark.parametrize(
    "kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse", "fuse.sshfs", "fuse.s3fs"]
)
def test_network_kinds_are_known_and_unknown_fuse_is_taken_for_one(kind):
    assert is_network(kind)


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "overlay", "apfs", "tmpfs", "zfs"])
def test_local_kinds_are_not_network_ones(kind):
    assert not is_network(kind)


def test_this_machines_own_mounts_are_read(tmp_path):
    assert kind_of(tmp_path.resolve(), mounts())
    assert network_kind(tmp_path) is None
