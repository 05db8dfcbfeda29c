"""What may be a part of a secret beside a cut: of the whole there is no more to recognise it by.

Wherever a text is shortened, an ellipsis stands. In front of it a secret may have begun, behind it
one may end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cave_lab.privacy.blanks import blank, blanked

CUT = "…"

ASSIGNMENT = (
    r"""(?i:api_?key|token|secret|passw(?:or)?d|credential)\w{0,40}\s{0,20}[=:]\s{0,20}"""
    r"""(?P<quote>["'])"""
)
"""Up to the value that is assigned."""

_LEAST = 4
"""Characters of a known value: fewer give nothing away, and would be found in many words."""
_REACH = 8_000
"""Characters beside a cut that are looked at: more than any shape has."""
_AROUND_CUT = "'\"[](){} \t\r\n"
"""May stand between what was cut and its ellipsis."""

_BEGUN = (
    re.compile(
        r"\b(?:sk-|gh[pousr]_|github_pat_|xox[abprs]-|AKIA|AIza|hf_|eyJ)[A-Za-z0-9_.-]{0,6000}\Z"
    ),
    re.compile(
        r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----END).){0,7000}"
        r"(?:-----END[A-Z ]{0,40}-{0,5})?\Z",
        re.DOTALL,
    ),
    re.compile(r"(?P<kept>\b(?:Bearer|Basic)\s{1,20})[A-Za-z0-9._~+/=-]{1,4000}\Z"),
    re.compile(r"(?P<kept>://)[^\s/@:]{0,256}:[^\s/@]{1,256}\Z"),
    re.compile(rf"(?P<kept>{ASSIGNMENT})(?:(?!(?P=quote)).){{1,4000}}\Z"),
)
_ENDING = (
    re.compile(r"\A[A-Za-z0-9+/=\s\\-]{0,7000}?-----END [A-Z ]{0,40}PRIVATE KEY-----"),
    re.compile(r"\A[^\s/@]{1,256}(?=@\w)"),
    re.compile(
        r"\A(?=[\w-]{0,4000}\d)(?=[\w-]{0,4000}[a-z])(?=[\w-]{0,4000}[A-Z])[A-Za-z0-9_-]{12,4000}"
    ),
)
"""A word of letters and digits in any order is no word of a language."""


def without_begun(text: str, values: Sequence[str]) -> str:
    """Blank what may be the beginning of a secret at the end of a text that is cut there."""
    word = text.rstrip(_AROUND_CUT)
    rest, window = word[:-_REACH], word[-_REACH:]
    for value in values:
        sizes = range(len(value) - 1, _LEAST - 1, -1)
        size = next((size for size in sizes if window.endswith(value[:size])), 0)
        window = window[: len(window) - size] + blank(value[:size])
    for shape in _BEGUN:
        window = shape.sub(blanked, window)
    return rest + window + text[len(word) :]


def without_ending(text: str, values: Sequence[str]) -> str:
    """Blank what may be the end of a secret at the beginning of a text that is cut there."""
    word = text.lstrip(_AROUND_CUT)
    window, rest = word[:_REACH], word[_REACH:]
    for value in values:
        sizes = range(len(value) - 1, _LEAST - 1, -1)
        size = next((size for size in sizes if window.startswith(value[-size:])), 0)
        window = blank(window[:size]) + window[size:]
    for shape in _ENDING:
        window = shape.sub(blanked, window)
    return text[: len(text) - len(word)] + window + rest
