"""Which cell the kernel is running, learned from IPython's own events."""

from __future__ import annotations

from threading import get_ident
from typing import Any

STARTS, ENDS = "pre_run_cell", "post_run_cell"


class Watch:
    """Calls `started(message, code, cell_id)` and `ended(message, ran)` around each outermost cell.

    `ran` is false for a cell of which no line was run, because it is not valid Python.

    A cell may run cells itself (`%%capture`, `%run`); those belong to it. A subshell runs cells in
    a thread of its own; those are not watched. Nothing raised in here reaches the user's cell.
    """

    def __init__(self, kernel: Any, always: bool, started: Any, ended: Any) -> None:
        self._kernel = kernel
        self._always = always
        self._events = kernel.shell.events
        self._on_start = started
        self._on_end = ended
        self._thread = get_ident()
        self._depth = 0
        self._callbacks = ((STARTS, self._starts), (ENDS, self._ends))
        self.running: str | None = None

    def register(self) -> None:
        """Hear of cells from now on; may be called twice."""
        for event, callback in self._callbacks:
            callbacks = self._events.callbacks[event]
            if all(one is not callback for one in callbacks):
                callbacks.append(callback)

    def rest(self) -> None:
        """Hear of no more cells if only guarded runs are to be watched."""
        if not self._always:
            self.unregister()

    def unregister(self) -> None:
        """Hear of no cell any more; may be called twice."""
        for event, callback in self._callbacks:
            callbacks = self._events.callbacks[event]
            callbacks[:] = [one for one in callbacks if one is not callback]

    def message(self) -> str | None:
        """The id of the request that the shell is working on."""
        header = self._kernel.get_parent("shell").get("header")
        return header.get("msg_id") if type(header) is dict else None

    def cell_id(self) -> object:
        """The id of the cell whose request it is, as JupyterLab tells it; None if it has none."""
        metadata = self._kernel.get_parent("shell").get("metadata")
        return dict.get(metadata, "cellId") if type(metadata) is dict else None

    def ended(self, message: str) -> None:
        """The request is answered: its cell ended, whether or not IPython said so."""
        if self.running == message:
            self._end(True)

    def _starts(self, info: Any) -> None:
        if get_ident() != self._thread:
            return
        message = self.message()
        if self.running != message:
            self._depth = 0
            self.running = message
        self._depth += 1
        if self._depth == 1 and message is not None:
            code = info.raw_cell
            self._on_start(message, code if type(code) is str else "", self.cell_id())

    def _ends(self, result: Any) -> None:
        if get_ident() != self._thread or self.running is None or is_blank(result):
            return
        self._depth -= 1
        if self._depth <= 0:
            self._end(result is None or result.error_before_exec is None)

    def _end(self, ran: bool) -> None:
        message, self.running = self.running, None
        self._depth = 0
        self._on_end(message, ran)


def is_blank(result: Any) -> bool:
    """Whether the cell was only white space: such a cell ends without having started."""
    code = None if result is None else result.info.raw_cell
    return type(code) is str and not code.strip()
