"""What may be the beginning of a secret in front of a cut: of the whole there is no more to see."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable

from cave_lab.privacy.blanks import blank, blanked

ASSIGNMENT = (
    r"""(?i:api_?key|token|secret|passw(?:or)?d|credential)\w{0,40}\s{0,20}[=:]\s{0,20}"""
    r"""(?P<quote>["'])"""
)
"""Up to the value that is assigned."""

_LEAST = 6
"""Characters of a known value: fewer give little away, and begin many words."""
_REACH = 8_000
"""Characters in front of a cut that are looked at: more than any shape has."""
_CUT = re.compile(r"""['")\]}]{0,3}\s{0,2}\[?(?:…|\.{3})""")
"""An ellipsis, with what may stand between it and what was cut: pandas and reprlib write dots."""
_ELLIPSIS = "…"
_AROUND = "'\"[](){} \t\r\n"

_WORD = string.ascii_letters + string.digits + "_.-"
_BEGUN_WORD = re.compile(r"\b(?:sk-|gh[pousr]_|github_pat_|xox[abprs]-|AKIA|AIza|hf_|eyJ)")
_BEGUN = (
    re.compile(
        r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----END).){0,7000}"
        r"(?:-----END[A-Z ]{0,40}-{0,5})?\Z",
        re.DOTALL,
    ),
    re.compile(r"(?P<kept>\bBearer\s{1,20})[A-Za-z0-9._~+/=-]{1,4000}\Z"),
    re.compile(r"(?P<kept>\bBasic\s{1,20})(?![A-Za-z]?[a-z]{1,23}\Z)[A-Za-z0-9._~+/=-]{1,4000}\Z"),
    re.compile(r"(?P<kept>://)[^\s/@:]{0,256}:(?!\d{1,5}\Z)[^\s/@]{1,256}\Z"),
    re.compile(rf"(?P<kept>{ASSIGNMENT})(?:(?!(?P=quote)).){{1,4000}}\Z"),
)
"""Words of a language and ports of a host are no beginning of a secret."""


def without_begun_values(text: str, values: Iterable[str]) -> str:
    """Blank the beginnings of known values in front of a cut, whoever made it."""
    for value in values:
        text = _without_begun(text, value)
    return text


def without_begun_shapes(text: str) -> str:
    """Blank in a text of ours what may be the beginning of a secret in front of each ellipsis."""
    *cut, last = text.split(_ELLIPSIS)
    return _ELLIPSIS.join([*map(_without_begun_shape, cut), last])


def _without_begun(text: str, value: str) -> str:
    least = max(_LEAST, len(value) // 3)
    parts, told, at = [], 0, text.find(value[:least])
    while at >= 0:
        end = at + _shared(text, at, value)
        if _CUT.match(text, end):
            parts += [text[told:at], blank(text[at:end])]
            told = end
        at = text.find(value[:least], end)
    return "".join([*parts, text[told:]])


def _shared(text: str, at: int, value: str) -> int:
    """How much of the beginning of a value stands at this place."""
    found = text[at : at + len(value)]
    pairs = zip(found, value, strict=False)
    differs = (place for place, pair in enumerate(pairs) if pair[0] != pair[1])
    return next(differs, len(found))


def _without_begun_shape(piece: str) -> str:
    before = piece.rstrip(_AROUND)
    rest, window = before[:-_REACH], before[-_REACH:]
    start = len(window.rstrip(_WORD))
    begun = _BEGUN_WORD.search(window, start)
    if begun is not None:
        window = window[: begun.start()] + blank(window[begun.start() :])
    for shape in _BEGUN:
        window = shape.sub(blanked, window)
    return rest + window + piece[len(before) :]
