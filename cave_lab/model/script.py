"""Trajectories: what a scripted model answers, keyed by what it was asked.

One format for the guided tour, the tests' fake server and the benchmarks. A pattern is a text that
must occur as it is, or a regular expression behind `re:`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

from pydantic import ConfigDict, TypeAdapter

Role = Literal["system", "user", "assistant", "tool"]
Finish = Literal["stop", "tool_calls", "length", "content_filter"]
StatusFault = Literal[
    "key_missing",
    "billing",
    "forbidden",
    "not_found",
    "rate_limited",
    "quota",
    "context_code",
    "context_words",
    "policy",
    "no_tools",
    "bad_request",
    "server_error",
    "bad_gateway",
    "unavailable",
    "overloaded",
]
"""Faults that are a status and a body instead of a stream."""
WireFault = Literal[
    "hang",
    "headers_only",
    "keep_alives",
    "empty_deltas",
    "slow_headers",
    "reset",
    "eof",
    "no_finish",
    "malformed_chunk",
    "error_event",
    "html",
    "json_error",
    "garbage",
    "empty",
    "not_streamed",
]
"""Faults of the connection or of the stream; they strike behind the items of the answer."""

STATUS_FAULTS: frozenset[str] = frozenset(get_args(StatusFault))

_CLOSED = ConfigDict(extra="forbid")


# ── what is matched


@dataclass(frozen=True)
class Seen:
    """One request, reduced to what a scripted turn may ask about."""

    last: str
    """The text of the last message."""
    role: Role = "user"
    """Who sent it."""
    code: str = ""
    """The code of the latest action that the model asked for."""
    whole: str = ""
    """The text of all messages."""


@dataclass(frozen=True)
class When:
    """What a request must hold: every pattern given, and none of `without`."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    last: tuple[str, ...] = ()
    """Patterns in the last message."""
    request: tuple[str, ...] = ()
    """Patterns anywhere in the messages."""
    code: tuple[str, ...] = ()
    """Patterns in the code of the latest action."""
    without: tuple[str, ...] = ()
    """Patterns that the last message must not hold."""
    role: Role | None = None


# ── what is answered


@dataclass(frozen=True)
class Say:
    """Words of the answer."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    text: str


@dataclass(frozen=True)
class Think:
    """Words of the reasoning."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    reasoning: str


@dataclass(frozen=True)
class Quote:
    """What the pattern finds in the last message, or else the words given."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    quote: str
    otherwise: str = ""


@dataclass(frozen=True)
class Cell:
    """A well-formed `run_cell` call."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    code: str
    purpose: str = ""
    scratch: bool = False


@dataclass(frozen=True)
class Look:
    """A well-formed `look` call."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    names: tuple[str, ...]
    detail: str = ""


@dataclass(frozen=True)
class RawCall:
    """A tool call with the arguments as they stand, good or bad."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    arguments: str
    tool: str = "run_cell"


@dataclass(frozen=True)
class Gate:
    """A point where the answer waits until the gate of this name is released."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    gate: str


Call = Cell | Look | RawCall
Item = Say | Think | Quote | Call | Gate


@dataclass(frozen=True)
class Tokens:
    """The usage to report."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    prompt: int = 100
    completion: int = 20
    cached: int = 0


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong; only a server on the wire can play it."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    kind: StatusFault | WireFault
    message: str | None = None
    """The provider's words, instead of the usual ones."""
    retry_after: str | None = None
    """The header `Retry-After`."""
    seconds: float = 0.05
    """Between keep-alives or empty deltas, or before slow headers."""


@dataclass(frozen=True)
class ScriptedTurn:
    """One answer and when it is given; `times` bounds how often, None means always."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    name: str
    when: When = field(default_factory=When)
    answer: tuple[Item, ...] = ()
    finish: Finish | None = None
    """None: `tool_calls` if the answer holds a call, else `stop`."""
    usage: Tokens | None = field(default_factory=Tokens)
    fault: Fault | None = None
    tokens_per_second: float | None = None
    """None: as fast as it goes. A token is taken for four characters."""
    piece_chars: int = 12
    """Characters of one piece of text or of arguments."""
    times: int | None = None
    suggest: tuple[str, ...] = ()
    """What the person may want to ask next; providers have no such thing."""


@dataclass(frozen=True)
class Trajectory:
    """Scripted turns; the first one that fits a request answers it."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    name: str
    turns: tuple[ScriptedTurn, ...]


_TRAJECTORY: TypeAdapter[Trajectory] = TypeAdapter(Trajectory)


def trajectory_from(data: Mapping[str, Any]) -> Trajectory:
    """Read a trajectory from plain data; an unknown key is a pydantic.ValidationError."""
    return _TRAJECTORY.validate_python(data)


def trajectory_from_file(path: Path) -> Trajectory:
    """Read a trajectory from a JSON file."""
    return trajectory_from(json.loads(path.read_text(encoding="utf-8")))


def trajectory_to_data(trajectory: Trajectory) -> dict[str, Any]:
    """Write a trajectory as plain JSON data."""
    data: dict[str, Any] = _TRAJECTORY.dump_python(trajectory, mode="json")
    return data


# ── matching


def find(pattern: str, text: str) -> str | None:
    """Give what the pattern finds (its first group, if it has one), or None."""
    if not pattern.startswith("re:"):
        return pattern if pattern in text else None
    found = re.search(pattern.removeprefix("re:"), text)
    if found is None:
        return None
    return found.group(1) if found.re.groups else found.group()


def missing(when: When, seen: Seen) -> list[str]:
    """Say what a request lacks for this condition; an empty list means that it fits."""
    wanted = (
        ("the last message", when.last, seen.last),
        ("the request", when.request, seen.whole),
        ("the latest action's code", when.code, seen.code),
    )
    lacks = [
        f"{pattern!r} in {place}"
        for place, patterns, text in wanted
        for pattern in patterns
        if find(pattern, text) is None
    ]
    lacks += [f"no {p!r} in the last message" for p in when.without if find(p, seen.last)]
    if when.role not in (None, seen.role):
        lacks.append(f"a last message by {when.role}, not by {seen.role}")
    return lacks


def choose(
    trajectory: Trajectory, seen: Seen, used: Mapping[str, int] | None = None
) -> ScriptedTurn | None:
    """Give the first turn that fits and is not used up; `used` counts answers by turn name."""
    for turn in trajectory.turns:
        spent = turn.times is not None and (used or {}).get(turn.name, 0) >= turn.times
        if not spent and not missing(turn.when, seen):
            return turn
    return None


def explain(trajectory: Trajectory, seen: Seen) -> str:
    """Say in sentences why no turn fits a request."""
    head = f"No turn of the script {trajectory.name!r} fits a last message by {seen.role}: "
    expected = [f"- {turn.name}: wants {_wants(turn, seen)}" for turn in trajectory.turns]
    return "\n".join([head + repr(seen.last[-400:]), *expected])


def _wants(turn: ScriptedTurn, seen: Seen) -> str:
    return "; ".join(missing(turn.when, seen)) or "nothing more, but it is used up"
