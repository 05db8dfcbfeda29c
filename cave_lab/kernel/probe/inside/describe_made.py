"""Estimators and figures, from the attributes that their instances keep."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.arrays import Arrays
from cave_lab.kernel.probe.inside.plain import (
    class_module,
    instance_dict,
    loaded_class,
    own,
)


class Made:
    """The classes of scikit-learn and matplotlib that are loaded now."""

    def __init__(self) -> None:
        self.estimator = loaded_class("sklearn.base", "BaseEstimator")
        self.pipeline = loaded_class("sklearn.pipeline", "Pipeline")
        self.figure = loaded_class("matplotlib.figure", "Figure")


def describe_estimator(value: object, row: dict[str, Any], look: Any) -> None:
    """An estimator, fitted or not.

    What was learned is kept in attributes that end in an underscore. Other libraries' estimators
    do not always follow this, so of them nothing is said unless they do.
    """
    row["kind"] = "estimator"
    if is_fitted(last_step(value, look)):
        row["summary"] = "fitted"
    elif (class_module(type(value)) or "").split(".")[0] in ("sklearn", "__main__"):
        row["summary"] = "not fitted"


def last_step(value: object, look: Any) -> object:
    """The last estimator of a pipeline, which learns nothing itself; any other is its own."""
    steps = own(value, "steps") if type(value) is look.made.pipeline else None
    if type(steps) is not list or not steps:
        return value
    last = steps[-1]
    return last[1] if type(last) is tuple and len(last) == 2 else value


def is_fitted(value: object) -> bool:
    """Whether the instance keeps something that it learned."""
    return any(
        type(name) is str and name[-1:] == "_" and name[:1] != "_"
        for name in list(instance_dict(value) or ())
    )


def describe_figure(value: object, row: dict[str, Any], look: Any) -> None:
    """A figure of matplotlib: its axes and its size in inches. Nothing is drawn."""
    row["kind"] = "figure"
    facts = []
    count = axes_count(own(value, "_axstack"))
    if count is not None:
        facts.append("1 axes" if count == 1 else str(count) + " axes")
    corners = own(own(value, "bbox_inches"), "_points")
    if is_box(corners, look):
        (left, low), (right, high) = look.arrays.ndarray.tolist(corners)
        facts.append(f"{right - left:g}×{high - low:g} in")
    if facts:
        row["summary"] = ", ".join(facts)


def is_box(corners: object, look: Any) -> bool:
    """Whether these are the lower left and the upper right corner, as plain numbers."""
    arrays: Arrays = look.arrays
    if not arrays.is_plain(corners):
        return False
    return (arrays.shape(corners), arrays.dtype(corners)) == ([2, 2], "float64")


def axes_count(stack: object) -> int | None:
    """How many axes a figure has, as newer and older versions keep them."""
    axes = own(stack, "_axes")
    if type(axes) is dict:
        return len(axes)
    elements = own(stack, "_elements")
    return len(elements) if type(elements) is list else None
