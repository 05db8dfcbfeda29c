"""Contents too long to decode: their beginning and end are read from the raw bytes.

Decoding 95 MB of JSON would stop the event loop for seconds, so only as much is looked at as is
kept. Kernels write a stream's content as a name and a text, in either order; anything else is
told by its size alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from cave_lab.kernel.message import Header, LeftOut, Message

_NAME_FIRST = re.compile(rb'^\{\s*"name"\s*:\s*"(stdout|stderr)"\s*,\s*"text"\s*:\s*"')
_TEXT_FIRST = re.compile(rb'^\{\s*"text"\s*:\s*"')
_NAME_LAST = re.compile(rb'"\s*,\s*"name"\s*:\s*"(stdout|stderr)"\s*\}\s*$')
_TEXT_LAST = re.compile(rb'"\s*\}\s*$')
_HALF_CHARACTER_LAST = re.compile("[\ud800-\udbff]$")
_HALF_CHARACTER_FIRST = re.compile("^[\udc00-\udfff]")
"""JSON may write a character as two escapes, and a cut may fall between them."""
_EDGE = 200
"""No name, key and bracket together are longer."""
_WORD = re.compile(rb'"\s*:\s*"((?:[^"\\]|\\.){0,200})"')


def shorten(header: Header, raw: bytes, keep: int) -> Message:
    """Make a message of a content of which at most about `keep` bytes at each end are decoded."""
    if header.type == "stream":
        return _stream(header, raw, keep)
    left_out = LeftOut(len(raw), "")
    if header.type == "error":
        return Message(header, {"ename": _word(raw, "ename") or "Error"}, left_out)
    if header.type.endswith("_reply"):
        return Message(header, _reply(raw), left_out)
    return Message(header, {}, left_out)


def _reply(raw: bytes) -> Mapping[str, Any]:
    words = {key: _word(raw, key) for key in ("status", "ename")}
    return {key: word for key, word in words.items() if word is not None}


def _stream(header: Header, raw: bytes, keep: int) -> Message:
    begin, end = raw[:_EDGE], raw[-_EDGE:]
    first, last = _NAME_FIRST.search(begin), _TEXT_LAST.search(end)
    name = first and first.group(1)
    if not first:
        first, last = _TEXT_FIRST.search(begin), _NAME_LAST.search(end)
        name = last and last.group(1)
    if not (first and last and name):
        return Message(header, {}, LeftOut(len(raw), ""))
    text = memoryview(raw)[first.end() : len(raw) - (len(end) - last.start())]
    head, tail = _head(bytes(text[:keep])), _tail(bytes(text[-keep:]))
    content = {"name": name.decode(), "text": head}
    return Message(header, content, LeftOut(max(len(text) - 2 * keep, 0), tail))


def _decode(escaped: bytes) -> str:
    return str(json.loads(b'"' + escaped + b'"', strict=False))


def _head(escaped: bytes) -> str:
    """Decode the beginning of a JSON string that may be cut within a character or escape."""
    whole = escaped.decode("utf-8", "ignore").encode()
    backslash = whole.rfind(b"\\", max(len(whole) - 12, 0))
    for cut in (len(whole), backslash, backslash - 6, backslash - 1):
        try:
            return _HALF_CHARACTER_LAST.sub("", _decode(whole[: max(cut, 0)]))
        except ValueError:
            continue
    return ""


def _tail(escaped: bytes) -> str:
    """Decode the end of a JSON string, from the first line break in it if there is one."""
    whole = escaped.decode("utf-8", "ignore").encode()
    starts = [whole.find(mark, 0, len(whole) // 2) + len(mark) for mark in (b"\\n", b" ")]
    for start in (*starts, *range(12)):
        try:
            return _HALF_CHARACTER_FIRST.sub("", _decode(whole[start:]))
        except ValueError:
            continue
    return ""


def _word(raw: bytes, key: str) -> str | None:
    """Find a short string by its key, from the end: long texts come before the names."""
    mark = b'"' + key.encode()
    at = raw.rfind(mark)
    while at > 0 and raw[at - 1 : at] == b"\\":
        at = raw.rfind(mark, 0, at)
    found = _WORD.match(raw, at + len(mark)) if at >= 0 else None
    return _decode(found.group(1)) if found else None
