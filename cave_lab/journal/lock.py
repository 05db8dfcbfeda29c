"""The folder's lock: shared while a journal is open, exclusive to set a damaged file aside."""

from __future__ import annotations

import logging
import os
import sys
import time
from pathlib import Path

from cave_lab.errors import JournalUnavailable

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)

RETRY_SECONDS = 0.01


class FolderLock:
    """A lock on the journal's folder that ends with the process; `alone` if nobody else has it.

    SQLite unlinks the write-ahead log by its name when it closes. A file that another server has
    open must therefore never be renamed: its server would take away the new file's log.
    """

    def __init__(self, path: Path, seconds: float) -> None:
        self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self.alone = self._try(exclusive=True)
            if not self.alone:
                self._wait_for_share(seconds)
        except BaseException:
            self.close()
            raise

    def share(self) -> None:
        """Let others open the journal too."""
        if self.alone:
            self.alone = False
            self._try(exclusive=False)

    def close(self) -> None:
        """Give the lock back; a second call does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _wait_for_share(self, seconds: float) -> None:
        # flock has no deadline of its own, and a server stopped in the middle of opening would
        # hold us for ever; this runs on the writer's thread.
        deadline = time.monotonic() + seconds
        while not self._try(exclusive=False):
            if time.monotonic() > deadline:
                raise JournalUnavailable(
                    "Another Jupyter server is opening CaveLab's journal and does not finish. "
                    "Nothing was changed. Try again, or stop that server."
                )
            time.sleep(RETRY_SECONDS)

    def _try(self, *, exclusive: bool) -> bool:
        if sys.platform == "win32" or self._file is None:
            return True
        try:
            fcntl.flock(self._file, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            # Some network file systems have no flock; there we are never sure to be alone.
            log.info("The journal's folder can't be locked: %s", error)
            return not exclusive
        return True
