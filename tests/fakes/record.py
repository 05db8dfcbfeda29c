"""What the fake server was asked, and what happened to each answer."""

import hashlib
import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.fakes.http import HttpRequest

SECRET_HEADERS = {"authorization", "x-api-key", "api-key", "x-goog-api-key"}


@dataclass
class Happening:
    """A step of an answer: begun, waiting at a gate, let through, ended, or hung up on."""

    what: str
    at: float
    gate: str | None = None


@dataclass
class Recorded:
    """One request and the story of its answer; times are seconds since the epoch."""

    number: int
    path: str
    headers: dict[str, str]
    body: Any
    at: float
    turn: str | None = None
    mismatch: str | None = None
    """Why no turn of the script fits, if none did."""
    happenings: list[Happening] = field(default_factory=list)

    def note(self, what: str, gate: str | None = None) -> None:
        """Add a step to the story."""
        self.happenings.append(Happening(what, time.time(), gate))

    def when(self, what: str, gate: str | None = None) -> float | None:
        """When a step came first, or None."""
        fits = [h.at for h in self.happenings if h.what == what and gate in (None, h.gate)]
        return fits[0] if fits else None


class Record:
    """All requests of one server; a finished one is also a line of the log file."""

    def __init__(self, log: Path | None = None) -> None:
        self.requests: list[Recorded] = []
        self._log = log

    def begin(self, request: HttpRequest) -> Recorded:
        """Note a request, without the value of its key."""
        headers = {name: _without_key(name, value) for name, value in request.headers.items()}
        number = len(self.requests) + 1
        recorded = Recorded(number, request.path, headers, request.json(), time.time())
        self.requests.append(recorded)
        return recorded

    def end(self, recorded: Recorded) -> None:
        """Write a finished request to the log."""
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(recorded), ensure_ascii=False) + "\n")

    def data(self) -> list[dict[str, Any]]:
        """Give everything as plain data."""
        return [asdict(recorded) for recorded in self.requests]


def key_mark(key: str) -> str:
    """What the record holds instead of a key."""
    return f"key {hashlib.sha256(key.encode()).hexdigest()[:12]}"


def _without_key(name: str, value: str) -> str:
    return key_mark(value.removeprefix("Bearer ")) if name in SECRET_HEADERS else value
