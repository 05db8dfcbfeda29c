"""How much one pass over the variables may cost."""

from __future__ import annotations

import gc
from time import perf_counter


class Spent(Exception):
    """The time of the pass is up; what was being looked at stays unknown."""


class Effort:
    """The time of one pass, and the sizes up to which contents are compared as a whole.

    The sizes are fixed, not used up, so that the passes before and after a cell read an object in
    the same way.
    """

    def __init__(self, seconds: float, whole_bytes: int, whole_elements: int) -> None:
        self._deadline = perf_counter() + seconds
        self.whole_bytes = whole_bytes
        self.whole_elements = whole_elements

    def check(self) -> None:
        """Raise `Spent` once the time is up."""
        if perf_counter() > self._deadline:
            raise Spent


class Uncollected:
    """Lets no garbage collection fall into a piece of work: one takes 20 ms and runs finalizers."""

    def __enter__(self) -> None:
        self._collecting = gc.isenabled()
        gc.disable()

    def __exit__(self, *failure: object) -> None:
        if self._collecting:
            gc.enable()
