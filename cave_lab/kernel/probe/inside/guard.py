"""Guarded runs: a cell runs once, in the memory it was approved for, and stops alone."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

from cave_lab.kernel.probe.inside.plain import instance_dict
from cave_lab.kernel.probe.inside.signals import (
    boot_clock,
    interrupt_children,
    interrupt_main_thread,
    let_signals_in,
    wake,
)
from cave_lab.kernel.probe.inside.watch import Watch

STARTING, OPEN, CLOSED = "starting", "open", "closed"

START_SECONDS = 0.25
"""How long an interrupt waits for a cell that is just being compiled."""

RUNS_KEPT = 4_096
"""Run ids that are remembered, so that none runs twice and none runs after it was cancelled."""


class Run:
    """A guarded run on its way; it can be interrupted while it is open: from its first line on."""

    def __init__(self, run_id: str, message: str) -> None:
        self.run_id = run_id
        self.message = message
        self.phase = STARTING
        self.signalled = False
        self.since = boot_clock()
        self.left_start = threading.Event()


class Remembering:
    """The keeping of shown values in `_` and `Out`, which IPython does for scratch cells too.

    It also asks the history whether a cell ends in a semicolon, where no scratch cell is.
    """

    def __init__(self, kernel: Any) -> None:
        self._hook: Any = getattr(kernel.shell, "displayhook", None)
        self._size = 0

    def pause(self, code: str) -> None:
        """Show the value of a cell, and keep none."""
        inside = instance_dict(self._hook) or {}
        size = inside.get("cache_size")
        if type(size) is int and size:
            self._size, self._hook.cache_size = size, 0
        inside["quiet"] = lambda: code.rstrip().endswith(";")

    def go_on(self) -> None:
        """Keep them again."""
        (instance_dict(self._hook) or {}).pop("quiet", None)
        if self._size:
            self._hook.cache_size, self._size = self._size, 0


class Guard:
    """Decides inside the kernel what starts and what is interrupted.

    `_lock` orders the two threads: the shell's, where cells run, and the control channel's, where
    cancelling and interrupting are asked for. A signal is sent under the lock to a run that is
    open, and a run is closed under the lock and then lets a signal that was sent in; so none is
    left for the next cell.
    """

    def __init__(self, kernel: Any, watch: Watch, state: dict[str, Any]) -> None:
        self._kernel = kernel
        self._watch = watch
        self._state = state
        self._lock = threading.Lock()
        self._run: Run | None = None
        self._remembering = Remembering(kernel)

    # ── on the shell's thread

    async def execute(self, stream: Any, ident: Any, parent: Any) -> None:
        """Hand a run over to the kernel's own handler, or refuse it."""
        content = parent["content"]
        run_id, message = content["run_id"], parent["header"]["msg_id"]
        reason = self._begin(content.get("generation"), Run(run_id, message))
        if reason is not None:
            self._reply(stream, ident, parent, "cave_lab_execute_reply", "refused", reason)
            return
        if self._kernel._aborting:
            self._end()
            self._reply(stream, ident, parent, "execute_reply", "aborted", None)
            return
        self._watch.register()
        if content.get("store_history") is False:
            self._remembering.pause(content["code"])
        try:
            result = self._kernel.shell_handlers["execute_request"](stream, ident, parent)
            if hasattr(result, "__await__"):
                await result
        except KeyboardInterrupt:
            if not self._was_signalled():
                raise
            self._reply_interrupted(stream, ident, parent)
        finally:
            self._end()

    def _begin(self, generation: object, run: Run) -> str | None:
        """Take a run on; the reason if it must not start."""
        with self._lock:
            if generation != self._state["generation"]:
                return "generation"
            if run.run_id in self._state["cancelled"]:
                return "cancelled"
            if run.run_id in self._state["ran"]:
                return "repeated"
            remember(self._state["ran"], run.run_id)
            self._run = run
            return None

    def is_ours(self, message: str) -> bool:
        """Whether a request is the guarded run on its way."""
        return self._run is not None and self._run.message == message

    def open(self, message: str) -> None:
        """The first line of the cell is next."""
        run = self._run
        if run is not None and run.message == message and run.phase == STARTING:
            run.phase = OPEN
            run.left_start.set()

    def close(self, message: str) -> None:
        """The cell's last line is done: no signal from here on, and none left behind."""
        run = self._run
        if run is None or run.message != message:
            return
        for _ in range(2):
            # Ours, too late to stop the cell: it is done. After one there is none left.
            with suppress(KeyboardInterrupt):
                with self._lock:
                    run.phase = CLOSED
                if run.signalled:
                    let_signals_in()
                return

    def _end(self) -> None:
        self._remembering.go_on()
        run = self._run
        if run is not None:
            self.close(run.message)
            run.left_start.set()
            self._watch.ended(run.message)
        self._watch.rest()
        self._run = None

    def _was_signalled(self) -> bool:
        return self._run is not None and self._run.signalled

    def _reply_interrupted(self, stream: Any, ident: Any, parent: Any) -> None:
        """The reply that the interrupt took from the kernel's own handler."""
        content = {
            "status": "error",
            "ename": "KeyboardInterrupt",
            "evalue": "",
            "traceback": [],
            "execution_count": self._kernel.execution_count - 1,
            "user_expressions": {},
            "payload": [],
        }
        self._kernel.session.send(stream, "execute_reply", content, parent, ident=ident)

    def _reply(
        self, stream: Any, ident: Any, parent: Any, kind: str, status: str, reason: str | None
    ) -> None:
        content = {"status": status} if reason is None else {"status": status, "reason": reason}
        self._kernel.session.send(stream, kind, content, parent, ident=ident)

    # ── on the control channel's thread

    def cancel(self, content: dict[str, Any]) -> dict[str, Any]:
        """Never start this run; `ran` says that it was started before."""
        run_id = content["run_id"]
        with self._lock:
            remember(self._state["cancelled"], run_id)
            return {"running": self._running(), "ran": run_id in self._state["ran"]}

    def interrupt(self, content: dict[str, Any]) -> dict[str, Any]:
        """Interrupt this run if it is the cell that runs now."""
        run = self._run
        if run is None or run.run_id != content["run_id"]:
            return {"interrupted": False, "running": self._running()}
        run.left_start.wait(START_SECONDS)
        with self._lock:
            interrupted = run.phase == OPEN and self._run is run
            if interrupted:
                run.signalled = True
                interrupt_main_thread()
        if interrupted:
            interrupt_children(run.since)
            wake(self._kernel.io_loop)
        return {"interrupted": interrupted, "running": self._running()}

    def _running(self) -> str | None:
        run = self._run
        return self._watch.running if run is None else run.message


def remember(kept: dict[str, None], run_id: str) -> None:
    """Keep a run id, and drop the oldest beyond the limit."""
    kept[run_id] = None
    while len(kept) > RUNS_KEPT:
        del kept[next(iter(kept))]
