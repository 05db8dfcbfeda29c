"""Numbers as lines of text."""

from collections.abc import Sequence
from statistics import quantiles


def p50_p95(values: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    cuts = quantiles(values, n=100, method="inclusive")
    return cuts[49], cuts[94]


def milliseconds(name: str, values: Sequence[float]) -> str:
    """One line: p50, p95 and how many were measured, from seconds."""
    middle, high = p50_p95(values)
    return f"{name:<44} p50 {middle * 1e3:7.1f} ms   p95 {high * 1e3:7.1f} ms   n {len(values)}"
