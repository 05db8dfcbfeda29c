"""One column of data, whatever it is stored in: its cells as text, and its data in pieces."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.look_moments import (
    PER_SECOND,
    numpy_moment,
    span_ticks,
    without_midnights,
    zoned_ticks,
)
from cave_lab.kernel.probe.inside.look_values import Speaker, number_text

NO_MOMENT = -(2**63)
"""The count of ticks that stands for `NaT`."""


class Cells:
    """A column of which only the length and the type of its cells are known."""

    measurable = False
    """Whether `numbers` gives its data: least, greatest and mean are known then."""
    countable = False
    """Whether `keys` gives its data: what is equal can be counted then."""
    coded = False
    """Whether its keys are codes that have no order and no mean."""

    def __init__(self, length: int, kind: str = "") -> None:
        self.length = length
        self._kind = kind

    def texts(self, start: int, stop: int) -> list[str]:
        """The cells of some rows as text."""
        return ["<" + self._kind + ">"] * len(range(self.length)[start:stop])

    def numbers(self, start: int, stop: int) -> Any:
        """What is not missing in some rows, as a plain array of numbers."""
        raise NotImplementedError

    def keys(self, start: int, stop: int) -> list[Any]:
        """What stands in some rows, None for what is missing."""
        raise NotImplementedError

    def say(self, key: Any) -> str:
        """A number or key as text."""
        raise NotImplementedError

    def say_mean(self, mean: float) -> str:
        """The mean of its numbers as text."""
        return number_text(mean)


class PlainCells(Cells):
    """Numbers, booleans, texts or references in an array of NumPy with one dimension."""

    countable = True

    def __init__(self, speaker: Speaker, data: Any) -> None:
        super().__init__(data.shape[0])
        self._speaker = speaker
        self._data = data
        self.measurable = data.dtype.kind in "iuf"

    def texts(self, start: int, stop: int) -> list[str]:
        """The cells of some rows as text."""
        piece = self._data[start:stop]
        if piece.dtype.kind == "V":  # NumPy's own text of a record would ask the objects in it.
            return [self._speaker.cell(value) for value in piece.tolist()]
        return [self._speaker.cell(piece[place]) for place in range(piece.shape[0])]

    def numbers(self, start: int, stop: int) -> Any:
        """What is not missing in some rows."""
        piece = self._data[start:stop]
        return piece[piece == piece] if piece.dtype.kind == "f" else piece

    def keys(self, start: int, stop: int) -> list[Any]:
        """The elements themselves; what is missing stays as it is."""
        return list(self._data[start:stop].tolist())

    def say(self, key: Any) -> str:
        """A number or element as text."""
        return self._speaker.cell(key)


class MaskedCells(PlainCells):
    """An array of NumPy beside another that says which of its elements are missing."""

    def __init__(self, speaker: Speaker, data: Any, mask: Any, gap: str) -> None:
        super().__init__(speaker, data)
        self._mask = mask
        self._gap = gap

    def texts(self, start: int, stop: int) -> list[str]:
        """The cells of some rows as text."""
        told = super().texts(start, stop)
        return [
            self._gap if hidden else text
            for text, hidden in zip(told, self._mask[start:stop].tolist())
        ]

    def numbers(self, start: int, stop: int) -> Any:
        """What is not missing in some rows."""
        piece = self._data[start:stop][~self._mask[start:stop]]
        return piece[piece == piece] if piece.dtype.kind == "f" else piece

    def keys(self, start: int, stop: int) -> list[Any]:
        """The elements that are not hidden."""
        hidden = self._mask[start:stop].tolist()
        return [None if gone else key for key, gone in zip(super().keys(start, stop), hidden)]


class MomentCells(Cells):
    """Points in time, or spans of it, counted in ticks."""

    measurable = countable = True

    def __init__(self, data: Any, zone: object = None) -> None:
        super().__init__(data.shape[0])
        self._data = data
        self._dtype = data.dtype
        self._zone = zone
        self._unit = data.dtype.str.partition("[")[2][:-1]

    def texts(self, start: int, stop: int) -> list[str]:
        """The cells of some rows as text; dates alone if all of them are midnights."""
        told = [self.say(ticks) for ticks in self._ticks(start, stop).tolist()]
        return without_midnights(told)

    def numbers(self, start: int, stop: int) -> Any:
        """The ticks of what is not missing."""
        ticks = self._ticks(start, stop)
        return ticks[ticks != NO_MOMENT]

    def keys(self, start: int, stop: int) -> list[Any]:
        """The ticks, None for what is missing."""
        ticks = self._ticks(start, stop).tolist()
        return [None if one == NO_MOMENT else one for one in ticks]

    def say(self, key: Any) -> str:
        """A count of ticks as text; a fraction of a tick is dropped."""
        ticks = int(key)
        if ticks == NO_MOMENT:
            return "NaT"
        counted = self._unit in PER_SECOND
        if self._dtype.kind == "m" and counted:
            return span_ticks(ticks, self._unit)
        if self._zone is not None and counted:
            return zoned_ticks(ticks, self._unit, self._zone)
        return numpy_moment(str(self._dtype.type(ticks, self._unit)))

    def say_mean(self, mean: float) -> str:
        """The mean in whole seconds: finer ones are lost in adding up."""
        second = PER_SECOND.get(self._unit, 1)
        return self.say(round(mean / second) * second)

    def _ticks(self, start: int, stop: int) -> Any:
        return self._data[start:stop].view(self._dtype.str[0] + "i8")


class CodedCells(Cells):
    """Codes that say which of some categories or labels stands in each row."""

    countable = coded = True

    def __init__(self, codes: Any, named: Cells) -> None:
        super().__init__(codes.shape[0])
        self._codes = codes
        self._named = named

    def texts(self, start: int, stop: int) -> list[str]:
        """The labels of some rows."""
        codes = self._codes[start:stop].tolist()
        return without_midnights([self.say(code) if code >= 0 else "NaN" for code in codes])

    def keys(self, start: int, stop: int) -> list[Any]:
        """The codes, None for what is missing."""
        return [None if code < 0 else code for code in self._codes[start:stop].tolist()]

    def say(self, key: Any) -> str:
        """The label of a code."""
        return "".join(self._named.texts(key, key + 1))


class SpanCells(Cells):
    """Intervals: the text of each is made of those of its ends."""

    def __init__(self, left: Cells, right: Cells, closed: object) -> None:
        super().__init__(left.length)
        self._ends = (left, right)
        self._opening = "[" if closed in ("left", "both") else "("
        self._closing = "]" if closed in ("right", "both") else ")"

    def texts(self, start: int, stop: int) -> list[str]:
        """The intervals of some rows."""
        ends = zip(*(side.texts(start, stop) for side in self._ends))
        return [
            "NaN" if left in ("NaN", "NaT") else f"{self._opening}{left}, {right}{self._closing}"
            for left, right in ends
        ]


class RangeCells(Cells):
    """The numbers of a range, which are stored nowhere."""

    countable = True

    def __init__(self, numbers: range) -> None:
        super().__init__(len(numbers))
        self._numbers = numbers

    def texts(self, start: int, stop: int) -> list[str]:
        """The numbers of some rows."""
        return list(map(str, self._numbers[start:stop]))

    def keys(self, start: int, stop: int) -> list[Any]:
        """The numbers themselves."""
        return list(self._numbers[start:stop])

    def say(self, key: Any) -> str:
        """A number as text."""
        return number_text(key)
