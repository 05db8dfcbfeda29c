"""Points in time and spans of time as text, read by the getters of their base classes alone."""

from __future__ import annotations

import datetime as dt
from typing import Any

from cave_lab.kernel.probe.inside.plain import CLASS_DICT, class_name, loaded_class

EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - a zone is added where there is one
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""Ticks of the units that pandas counts in."""

CLOCK = ("hour", "minute", "second", "microsecond")


def getters(cls: type, names: tuple[str, ...]) -> list[Any]:
    """The readers in C of a builtin class, which a subclass can't replace."""
    return [CLASS_DICT(cls)[name].__get__ for name in names]


DATE_FIELDS = getters(dt.date, ("year", "month", "day"))
MOMENT_FIELDS = DATE_FIELDS + getters(dt.datetime, CLOCK)
MOMENT_ZONE, MOMENT_FOLD = getters(dt.datetime, ("tzinfo", "fold"))
TIME_FIELDS = getters(dt.time, CLOCK)
SPAN_FIELDS = getters(dt.timedelta, ("days", "seconds", "microseconds"))


def is_known_zone(zone: object) -> bool:
    """Whether a time zone is one of the standard library's, whose code is not the user's."""
    known = (dt.timezone, loaded_class("zoneinfo", "ZoneInfo"))
    return zone is not None and any(type(zone) is one for one in known)


def date_text(value: Any) -> str:
    """A date, or a subclass of it."""
    return str(dt.date(*(field(value) for field in DATE_FIELDS)))


def time_text(value: Any) -> str:
    """A time of day, without its zone."""
    return str(dt.time(*(field(value) for field in TIME_FIELDS)))


def moment_text(value: Any) -> str:
    """A point in time with its offset; a zone of another library shows its type instead."""
    fields = [field(value) for field in MOMENT_FIELDS]
    plain = dt.datetime(*fields, fold=MOMENT_FOLD(value))  # noqa: DTZ001
    zone = MOMENT_ZONE(value)
    if is_known_zone(zone):
        return str(plain.replace(tzinfo=zone))
    return str(plain) if zone is None else str(plain) + " <" + class_name(type(zone)) + ">"


def span_text(value: Any) -> str:
    """A span of time, or a subclass of it."""
    days, seconds, microseconds = (field(value) for field in SPAN_FIELDS)
    return days_text(days, seconds, fraction_text(microseconds, "us"))


def days_text(days: int, seconds: int, fraction: str) -> str:
    """A span as pandas writes it: whole days, and the clock time to be added to them."""
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    sign = "+" if days < 0 else ""
    return f"{days} days {sign}{hour:02}:{minute:02}:{second:02}{fraction}"


def fraction_text(ticks: int, unit: str) -> str:
    """What is left over of a second, without zeros at its end."""
    digits = len(str(PER_SECOND[unit])) - 1
    return ("." + str(ticks).rjust(digits, "0").rstrip("0")) if ticks else ""


def zoned_ticks(ticks: int, unit: str, zone: Any) -> str:
    """A count of ticks since 1970 in UTC as the clock of a zone shows it."""
    seconds, rest = divmod(ticks, PER_SECOND[unit])
    utc = EPOCH.replace(tzinfo=dt.timezone.utc) + dt.timedelta(seconds=seconds)
    text = str(utc.astimezone(zone) if is_known_zone(zone) else utc)
    return text[:19] + fraction_text(rest, unit) + text[19:]


def span_ticks(ticks: int, unit: str) -> str:
    """A count of ticks as a span of time."""
    seconds, rest = divmod(ticks, PER_SECOND[unit])
    days, seconds = divmod(seconds, 86_400)
    return days_text(days, seconds, fraction_text(rest, unit))


def numpy_moment(text: str) -> str:
    """What NumPy writes of a point in time, in the form of the standard library."""
    date, mark, clock = text.partition("T")
    if not mark:
        return text
    whole, point, fraction = clock.partition(".")
    fraction = fraction.rstrip("0")
    return date + " " + whole + (point + fraction if fraction else "")


def without_midnights(texts: list[str]) -> list[str]:
    """Dates alone where all the texts are midnights, as in a column of dates."""
    midnight = " 00:00:00"
    told = [text for text in texts if text != "NaT"]
    if not told or not all(text.endswith(midnight) for text in told):
        return texts
    return [text[: -len(midnight)] if text != "NaT" else text for text in texts]
