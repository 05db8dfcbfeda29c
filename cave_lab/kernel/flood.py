"""What happens to a run's printed text beyond the part that is shown as it comes."""

from __future__ import annotations

from cave_lab.kernel.message import LeftOut
from cave_lab.kernel.outputs import readable_bytes
from cave_lab.kernel.stream_text import Tail
from cave_lab.limits import Limits


class Flood:
    """The beginning is shown as it comes, the end is kept back until the run ends.

    Sizes are counted in characters.
    """

    def __init__(self, limits: Limits) -> None:
        self._half = limits.stream_bytes // 2
        self.room = self._half
        """Characters that may still be shown."""
        self._tail: Tail | None = Tail(self._half)
        self.rising = False
        """Whether the room is used up."""
        self.drops = False
        """Whether anything is lost."""

    def rise(self, name: str, text: str, left_out: LeftOut | None) -> None:
        """Take text for which there is no room, and what lay behind it unread."""
        self.rising = True
        if self._tail is None:
            self.drops = True
            return
        self._tail.push(name, text)
        if left_out is not None:
            self._tail.push(name, left_out.tail, left_out.size)
        self.drops = self.drops or self._tail.dropped > 0

    def end(self) -> list[tuple[str, str]]:
        """Hand over the end, with a line that says how much is missing before it.

        What comes behind it has an end of its own.
        """
        if self._tail is None:
            return []
        pieces, dropped = self._tail.take(), self._tail.dropped
        self._tail = Tail(self._half)
        if pieces and dropped:
            name, text = pieces[0]
            words = f"\n… {readable_bytes(dropped)} left out …\n"
            pieces[0] = (name, words + text)
        return pieces

    def close(self) -> None:
        """Keep nothing back any more: nobody would hand it over."""
        self._tail = None
