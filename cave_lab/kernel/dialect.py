"""What differs from kernel to kernel."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_INTERRUPTS = frozenset({"KeyboardInterrupt", "InterruptException", "Interrupted"})
"""IPython and xeus-python, Julia, and what others call it."""

_REPR_OF_CLASS = re.compile(r"^<class '(?:[\w.]+\.)?(\w+)'>$")


@dataclass(frozen=True)
class Dialect:
    """What is known of a kernel's kind; read from its kernel_info reply."""

    language: str
    implementation: str
    version: str = ""
    """Of the language, as the kernel tells it."""

    @classmethod
    def of(cls, info: Mapping[str, object], fallback_language: str) -> Dialect:
        """Read a kernel_info reply; kernels leave out what they like."""
        language = info.get("language_info")
        told = language if isinstance(language, dict) else {}
        return cls(
            language=str(told.get("name") or fallback_language),
            implementation=str(info.get("implementation") or ""),
            version=str(told.get("version") or ""),
        )

    @property
    def has_handler_tables(self) -> bool:
        """Whether the probe can live in it: only ipykernel lets a request type be added."""
        return self.implementation == "ipython" and self.language.lower() == "python"

    @property
    def dies_of_sigint(self) -> bool:
        """Whether the signal by which Jupyter interrupts ends the process, and its memory with it.

        xeus-python 0.19 of PyPI did so in each of four tries, in a sleep and in a loop.
        """
        return self.implementation == "xeus-python"

    @property
    def heart_beats_while_busy(self) -> bool:
        """Whether a missing heartbeat says that something is wrong while a cell runs.

        IRkernel has one thread for everything; of others it is not known.
        """
        return self.implementation == "ipython"


def error_name(name: str) -> str:
    """The bare name of an error: xeus-python sends the text of the class."""
    found = _REPR_OF_CLASS.match(name)
    return found.group(1) if found else name


def is_interrupt(name: str, *, asked: bool) -> bool:
    """Whether an error of this name means that the cell was interrupted, as somebody `asked`.

    ipykernel interrupts a top-level `await` by cancelling it; unasked, that is the cell's doing.
    """
    bare = error_name(name)
    return bare in _INTERRUPTS or (asked and bare == "CancelledError")
