"""Which outputs of which runs a kernel can update by name."""

from __future__ import annotations

from collections import defaultdict
from typing import Protocol

from cave_lab.protocol.content import DisplayOutput


class Holder(Protocol):
    """Has outputs that can be updated in place."""

    def redraw(self, index: int, output: DisplayOutput) -> None:
        """Replace data and metadata of the display at `index`."""


class Displays:
    """The displays of one life of a kernel; an update reaches every output of that name.

    The update comes with the updating cell as its parent, which may be another run of ours or a
    cell of the person's.
    """

    def __init__(self) -> None:
        self._places: defaultdict[str, list[tuple[Holder, int]]] = defaultdict(list)

    def __contains__(self, display_id: str) -> bool:
        return display_id in self._places

    @property
    def empty(self) -> bool:
        """Whether there is nothing to update."""
        return not self._places

    def add(self, display_id: str, holder: Holder, index: int) -> None:
        """Remember where a display is shown."""
        self._places[display_id].append((holder, index))

    def update(self, display_id: str, output: DisplayOutput) -> None:
        """Redraw a display wherever it is shown."""
        for holder, index in self._places.get(display_id, ()):
            holder.redraw(index, output)

    def drop(self, holder: Holder) -> None:
        """Forget all that a holder shows."""
        for name, places in list(self._places.items()):
            places[:] = [place for place in places if place[0] is not holder]
            if not places:
                del self._places[name]
