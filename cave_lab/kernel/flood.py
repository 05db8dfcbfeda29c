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
        self.room = limits.stream_bytes // 2
        """Characters that may still be shown."""
        self._tail: Tail | None = Tail(limits.stream_bytes // 2)
        self.rising = False
        """Whether the room is used up."""
        self.dropped = 0
        """Characters that are lost."""

    def rise(self, name: str, text: str, left_out: LeftOut | None) -> None:
        """Take text for which there is no room, and what lay behind it unread."""
        self.rising = True
        if self._tail is None:
            self.dropped += len(text) + (left_out.size + len(left_out.tail) if left_out else 0)
            return
        self._tail.push(name, text)
        if left_out is not None:
            self._tail.push(name, left_out.tail, left_out.size)
        self.dropped = self._tail.dropped

    def end(self) -> list[tuple[str, str]]:
        """Hand over the end, with a line that says how much is missing before it."""
        pieces = self._tail.take() if self._tail else []
        self._tail = None
        if pieces and self.dropped:
            name, text = pieces[0]
            words = f"\n… {readable_bytes(self.dropped)} left out …\n"
            pieces[0] = (name, words + text)
        return pieces
