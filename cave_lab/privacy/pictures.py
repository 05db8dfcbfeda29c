"""Pictures in outputs: their kind, and their size in pixels from the first bytes."""

from __future__ import annotations

import binascii
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

KINDS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WebP", "image/gif": "GIF"}
"""What models see."""

_HEAD_CHARS = 160_000
"""Of the base64 text: a JPEG may say its size behind a thumbnail and a colour profile."""
_BLANK = re.compile(r"\s+")


@dataclass(frozen=True)
class Picture:
    """A picture of a kind that models see."""

    mime: str
    base64: str
    size: tuple[int, int] | None
    """Width and height in pixels; None if the data does not say."""

    @property
    def bytes(self) -> int:
        """How long the data is."""
        return len(self.base64.rstrip("=")) * 3 // 4

    @property
    def url(self) -> str:
        """The picture as a data URL."""
        return f"data:{self.mime};base64,{self.base64}"


def picture_in(data: Mapping[str, JsonValue]) -> Picture | None:
    """The picture of a display; None if it holds none of a kind that models see."""
    for mime in KINDS:
        text = data.get(mime)
        if isinstance(text, list):
            text = "".join(map(str, text))
        if isinstance(text, str):
            base64 = _BLANK.sub("", text)
            return Picture(mime, base64, _size(mime, base64[:_HEAD_CHARS]))
    return None


def _size(mime: str, base64: str) -> tuple[int, int] | None:
    try:
        head = binascii.a2b_base64(base64[: len(base64) // 4 * 4])
        size = _READERS[mime](head)
    except (ValueError, struct.error, IndexError):
        # Whatever it is, it is no picture of this kind, or one that was cut.
        return None
    return size if size and min(size) > 0 else None


def _png(head: bytes) -> tuple[int, int] | None:
    if not head.startswith(b"\x89PNG\r\n\x1a\n") or head[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", head[16:24])
    return width, height


def _gif(head: bytes) -> tuple[int, int] | None:
    if head[:6] not in (b"GIF87a", b"GIF89a"):
        return None
    width, height = struct.unpack("<HH", head[6:10])
    return width, height


def _webp(head: bytes) -> tuple[int, int] | None:
    if head[:4] != b"RIFF" or head[8:12] != b"WEBP":
        return None
    match head[12:16]:
        case b"VP8 ":
            width, height = struct.unpack("<HH", head[26:30])
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            (bits,) = struct.unpack("<I", head[21:25])
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            width = int.from_bytes(head[24:27], "little")
            return width + 1, int.from_bytes(head[27:30], "little") + 1
        case _:
            return None


_WITHOUT_LENGTH = frozenset([0x01, *range(0xD0, 0xD9)])
_NO_FRAME = frozenset([0xC4, 0xC8, 0xCC])
"""Markers of a JPEG among those of frames that are none: tables, and one that is reserved."""


def _jpeg(head: bytes) -> tuple[int, int] | None:
    if head[:2] != b"\xff\xd8":
        return None
    at = 2
    while head[at] == 0xFF:
        kind = head[at + 1]
        if kind == 0xFF or kind in _WITHOUT_LENGTH:
            at += 1 if kind == 0xFF else 2
            continue
        if 0xC0 <= kind <= 0xCF and kind not in _NO_FRAME:
            height, width = struct.unpack(">HH", head[at + 5 : at + 9])
            return width, height
        (length,) = struct.unpack(">H", head[at + 2 : at + 4])
        at += 2 + length
    return None


_READERS = {"image/png": _png, "image/jpeg": _jpeg, "image/webp": _webp, "image/gif": _gif}
