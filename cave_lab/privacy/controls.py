"""Control characters: invisible to a person, meaningful to a terminal or a model."""

from __future__ import annotations

import re

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_INVISIBLE = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 and C1, but not tab, newline, return
    "\u00ad\u061c\u180e"  # soft hyphen, Arabic letter mark, Mongolian vowel separator
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero-width, bidi, separators
    "\ufeff\ufff9-\ufffb"  # byte order mark, interlinear annotation
    "\U000e0000-\U000e007f"  # tags, which can carry hidden text
    "]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def strip_controls(text: str) -> str:
    """Remove ANSI sequences, bidi, zero-width and other invisible controls, and lone surrogates."""
    return _SURROGATE.sub("\ufffd", _INVISIBLE.sub("", _ANSI.sub("", text)))
