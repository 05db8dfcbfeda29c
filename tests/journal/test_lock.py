import stat
from contextlib import closing
from pathlib import Path

import pytest

from cave_lab.errors import JournalUnavailable
from cave_lab.journal.lock import FolderLock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def test_the_first_is_alone_and_holds_the_others_up_until_it_shares(path):
    with closing(FolderLock(path, 0.0)) as first:
        assert first.alone
        with pytest.raises(JournalUnavailable, match="does not finish"):
            FolderLock(path, 0.05)
        first.share()
        with closing(FolderLock(path, 0.0)) as second, closing(FolderLock(path, 0.0)) as third:
            assert not second.alone
            assert not third.alone


def test_a_closed_lock_leaves_the_next_alone_and_may_be_closed_again(path):
    first = FolderLock(path, 0.0)
    first.share()
    first.close()
    first.close()
    with closing(FolderLock(path, 0.0)) as second:
        assert second.alone


def test_the_lock_is_for_its_owner_alone(path):
    with closing(FolderLock(path, 0.0)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_where_locks_are_missing_nobody_is_sure_to_be_alone(path, monkeypatch):
    def refuse(file: int, operation: int) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr("cave_lab.journal.lock.fcntl.flock", refuse)
    with closing(FolderLock(path, 0.0)) as lock:
        assert not lock.alone
