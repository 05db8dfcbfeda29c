"""Recordings of real threads, with everything that differs from run to run made equal."""

import json
import re
from pathlib import Path
from typing import Any

from cave_lab.protocol.events import Event, encode_event

FOLDER = Path(__file__).parent / "golden"

_IDS = re.compile(
    r"\b(thread|turn|run|cell|ap|client|server)-[0-9a-f]{32}\b"
    r"|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
    r"|\b[0-9a-f]{64}\b"
    r"|\b[0-9a-f]{32}\b"
    r"|\b\d+-[0-9a-f]{12}\b"
)
_TIMES = re.compile(r'"(at|started_at|ended_at|created_at)":"[^"]*"')
_DURATION = re.compile(r'"(duration_seconds|seconds)":[0-9.e-]+')
_COUNTED_HERE = re.compile(r'"prompt":\d+,"completion":\d+(?=[^{}]*"estimated":true)')
_PLACES = re.compile(r"/[^\s\"',:]*/(ipykernel_\d+/\d+\.py|[\w.-]+\.py)")
_PROCESS = re.compile(r"ipykernel_\d+/\d+")
_ROOT = re.compile(r'"root_id":"[^"]*"')
_ESTIMATE = re.compile(r'"estimated_tokens":\d+')


def normalised(events: list[Event]) -> list[dict[str, Any]]:
    """The events as data, ids numbered in the order in which they appear."""
    names: dict[str, str] = {}
    return [json.loads(_even(encode_event(event), names)) for event in events]


def _even(text: str, names: dict[str, str]) -> str:
    def name(found: re.Match[str]) -> str:
        old = found.group()
        if old not in names:
            number = len(names) + 1
            kind = found.group(1)
            names[old] = f"{kind}-{number}" if kind else _like(old, number)
        return names[old]

    text = _IDS.sub(name, text)
    text = _TIMES.sub(r'"\1":"2000-01-01T00:00:00Z"', text)
    text = _DURATION.sub(r'"\1":1.0', text)
    text = _COUNTED_HERE.sub('"prompt":100,"completion":20', text)
    text = _ESTIMATE.sub('"estimated_tokens":100', text)
    text = _ROOT.sub('"root_id":""', text)
    text = _PROCESS.sub("ipykernel_1/1", text)
    return _PLACES.sub("<file>", text)


def _like(old: str, number: int) -> str:
    """A sha256 stays one; other ids become a number."""
    return f"{number:064x}" if len(old) == 64 else f"id-{number}"


_NAMES = re.compile(r'"(?:(thread|turn|run|cell|ap|client|server|id)-\d+|([0-9a-f]{64}))"')


def settled(value: Any) -> Any:
    """A folded state whose ids are numbered as they appear in it.

    How often text came, and so how many ids the events had, depends on timing; what the state
    refers to does not.
    """
    names: dict[str, str] = {}

    def name(found: re.Match[str]) -> str:
        kind = found.group(1) or "sha256"
        return names.setdefault(found.group(), f'"{kind} {len(names) + 1}"')

    return json.loads(_NAMES.sub(name, json.dumps(value)))
