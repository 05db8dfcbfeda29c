"""The outputs of a run, made of what the kernel sent: clean text, bounded tracebacks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue
from pydantic_core import to_json

from cave_lab.kernel.dialect import error_name
from cave_lab.limits import Limits
from cave_lab.protocol.content import (
    DisplayOutput,
    ErrorOutput,
    ResultOutput,
    RunError,
    StreamOutput,
)


def clean_text(text: str) -> str:
    """Replace lone surrogates, which no UTF-8 and so no notebook file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


_DEEPEST = 100
"""Lists and objects one in another that are kept; readers of JSON give up at 255 or more."""


def clean_json(value: Any, depth: int = 0) -> JsonValue:
    """Make a value storable: clean strings, no infinities, string keys, not too deep."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int):
        return value
    if depth == _DEEPEST:
        return "(nested too deeply to be kept)"
    if isinstance(value, Mapping):
        return {clean_text(str(key)): clean_json(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean_json(item, depth + 1) for item in value]
    return clean_text(str(value))


def _bundle(value: object) -> dict[str, JsonValue]:
    cleaned = clean_json(value)
    return cleaned if isinstance(cleaned, dict) else {}


def display_id(content: Mapping[str, Any]) -> str | None:
    """The name under which a display may be updated."""
    transient = content.get("transient")
    name = transient.get("display_id") if isinstance(transient, Mapping) else None
    return clean_text(name) if isinstance(name, str) else None


def display_output(content: Mapping[str, Any]) -> DisplayOutput:
    """A `display_data` or `update_display_data` message as an output."""
    return DisplayOutput(
        data=_bundle(content.get("data")),
        metadata=_bundle(content.get("metadata")),
        display_id=display_id(content),
    )


def result_output(content: Mapping[str, Any]) -> ResultOutput:
    """An `execute_result` message as an output."""
    return ResultOutput(
        execution_count=execution_count(content),
        data=_bundle(content.get("data")),
        metadata=_bundle(content.get("metadata")),
        display_id=display_id(content),
    )


def sentence_output(sentence: str) -> DisplayOutput:
    """A sentence of ours in the place of an output that can't be kept."""
    return DisplayOutput(data={"text/plain": sentence})


def execution_count(content: Mapping[str, Any]) -> int | None:
    """The number in the cell's brackets; some kernels leave it out."""
    count = content.get("execution_count")
    return count if isinstance(count, int) else None


def error_output(content: Mapping[str, Any], limits: Limits) -> ErrorOutput:
    """An `error` message as an output."""
    error = run_error(content, limits)
    traceback = content.get("traceback")
    lines = [clean_text(str(frame)) for frame in traceback] if isinstance(traceback, list) else []
    return ErrorOutput(
        ename=error.ename, evalue=error.evalue, traceback=_bounded_traceback(lines, limits)
    )


def run_error(content: Mapping[str, Any], limits: Limits) -> RunError:
    """The exception that a reply or an `error` message tells of."""
    return RunError(
        ename=error_name(clean_text(str(content.get("ename") or "Error")))[:200],
        # R ends its messages with a line end.
        evalue=_middle_out(
            clean_text(str(content.get("evalue") or "")).rstrip("\n"), limits.error_chars
        ),
    )


def _middle_out(text: str, length: int) -> str:
    half = length // 2
    return text if len(text) <= length else f"{text[:half]} … {text[-half:]}"


def _bounded_traceback(frames: list[str], limits: Limits) -> list[str]:
    lines = "\n".join(frames).split("\n")
    length = sum(map(len, frames))
    if len(lines) <= limits.traceback_lines and length <= limits.traceback_chars:
        return frames
    half = limits.traceback_lines // 2
    if len(lines) > limits.traceback_lines:
        left_out = len(lines) - 2 * half
        lines = [*lines[:half], f"… {left_out:,} lines left out …", *lines[-half:]]
    widest = limits.traceback_chars // limits.traceback_lines
    return [_middle_out(line, widest) for line in lines]


def output_bytes(output: StreamOutput | DisplayOutput | ResultOutput | ErrorOutput) -> int:
    """About how many bytes an output takes in the notebook."""
    match output:
        case StreamOutput():
            return len(output.text)
        case ErrorOutput():
            return len(output.evalue) + sum(map(len, output.traceback))
        case _:
            return sum(
                len(value) if isinstance(value, str) else len(to_json(value))
                for value in output.data.values()
            )


def readable_bytes(size: int) -> str:
    """A size as a person reads it."""
    for unit, name in ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")):
        if size >= unit:
            return f"{size / unit:.0f} {name}" if size >= 10 * unit else f"{size / unit:.1f} {name}"
    return f"{size} bytes"
