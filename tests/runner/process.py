"""Runs one program of the test command: its output is streamed, and nothing of it stays behind."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

KILLED_FOR_TIME = 124
"""The exit code of a program that ran out of time, as `timeout` of coreutils has it."""


def _end(process: subprocess.Popen[bytes], with_signal: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, with_signal)


def run(command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str], seconds: float) -> int:
    """Return the exit code of `command`; all that it started ends with it or after `seconds`."""
    print("$", *command, flush=True)
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        print(f"Not done after {seconds:g} s: {command[0]} was stopped.", flush=True)
        _end(process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=20)
        return KILLED_FOR_TIME
    finally:
        _end(process, signal.SIGKILL)
        process.wait()
