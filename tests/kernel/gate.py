"""A cell that lasts until the test lets it go on."""

from pathlib import Path


class Gate:
    """Closed until the test opens it; cells wait at it by looking for a file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def cell(self, then: str = "") -> str:
        """Code that waits at the gate and goes on with `then`, and in which `time` is imported."""
        return f"import pathlib, time\nwhile not {self.looks}(): time.sleep(0.01)\n{then}"

    @property
    def looks(self) -> str:
        """Code of a function that says whether the gate is open; `pathlib` has to be imported."""
        return f"pathlib.Path({str(self._file)!r}).exists"

    def cell_in_r(self, then: str = "") -> str:
        """The same in R."""
        return f"while (!file.exists({str(self._file)!r})) Sys.sleep(0.01)\n{then}"

    def open(self) -> None:
        """Let the cell go on."""
        self._file.touch()
