"""A closer look at some variables: what they are, and what they hold."""

from __future__ import annotations

from typing import Any, Callable

from cave_lab.kernel.probe.inside.describe import Look, describe
from cave_lab.kernel.probe.inside.effort import Uncollected
from cave_lab.kernel.probe.inside.look_bounds import Deadline
from cave_lab.kernel.probe.inside.look_columnar import (
    show_array,
    show_extension,
    show_index,
    show_polars,
    show_sheet,
)
from cave_lab.kernel.probe.inside.look_plain import (
    show_bytes,
    show_container,
    show_other,
    show_text,
)
from cave_lab.kernel.probe.inside.look_shown import Shown, View, Wish
from cave_lab.kernel.probe.inside.look_values import CONTAINERS
from cave_lab.kernel.probe.inside.namespace import MISSING, Namespace
from cave_lab.kernel.probe.inside.plain import CLASS_MRO, class_name, loaded_class
from cave_lab.kernel.probe.inside.still import Stillness

LATE = "There was no time left to look at this one. Look at it alone."


class CloserLook:
    """One answer to a request to look; it keeps no value alive."""

    def __init__(self, namespace: Namespace, content: dict[str, Any], still: Stillness) -> None:
        self._namespace = namespace
        self._names = [name for name in content["names"] if type(name) is str]
        self._look = Look(int(content["max_columns"]), False, still)
        self._seconds = float(content["budget_ms"]) / 1_000
        self._kind = content["kind"]
        self._wish = Wish(
            column=content["column"] if self._kind == "column" else None,
            start=max(0, int(content["start"])) if self._kind == "slice" else None,
            values=bool(content["values"]),
            max_chars=int(content["max_chars"]),
            reach=int(content["reach"]),
        )

    def answers(self) -> list[dict[str, Any]]:
        """An answer for each name that there is."""
        whole = Deadline(self._seconds)
        found: list[dict[str, Any]] = []
        # What the list of variables does not show is not to be found by its name either.
        visible = self._namespace.visible()
        for name in self._names:
            value = self._namespace.get(name) if name in visible else MISSING
            if value is not MISSING:
                row = {"name": name, **describe(value, self._look)}
                # The first is looked at in any case: to look at it alone would be no other look.
                late = bool(found) and whole.is_over()
                found.append({"name": name, "row": row, **self._contents(value, late)})
            del value
        return found

    def _contents(self, value: object, late: bool) -> dict[str, Any]:
        """What is shown beside the row; what can't be read says why."""
        if self._kind == "schema":
            return {}
        if late:
            return {"note": LATE}
        # Each name has its share, so that one large column leaves time for the others.
        view = View(self._look, self._wish, Deadline(self._seconds / len(self._names)))
        try:
            with Uncollected():
                return view.sent(self._viewer(type(value))(value, view))
        except Exception as error:
            return {"note": "Its contents could not be read (" + class_name(type(error)) + ")."}

    def _viewer(self, cls: type) -> Callable[[Any, View], Shown]:
        """What shows a value: the viewer of the nearest base class that has one."""
        table = {id(base): viewer for base, viewer in self._viewers() if base}
        return next(table[id(base)] for base in CLASS_MRO(cls) if id(base) in table)

    def _viewers(self) -> list[tuple[Any, Callable[[Any, View], Shown]]]:
        """The table of viewers: another type is another line here."""
        frames = self._look.frames
        return [
            (frames.frame, show_sheet),
            (frames.series, show_sheet),
            (frames.index, show_index),
            (self._look.polars.frame, show_polars),
            (self._look.polars.series, show_polars),
            (loaded_class("pandas.api.extensions", "ExtensionArray"), show_extension),
            (self._look.arrays.ndarray, show_array),
            (str, show_text),
            (bytes, show_bytes),
            (bytearray, show_bytes),
            *((base, show_container) for base, *_ in CONTAINERS),
            (object, show_other),
        ]
