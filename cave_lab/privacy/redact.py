"""Redaction of secrets; best effort, in every privacy mode.

What a pattern may try before it fails is bounded, so that no text can be made that takes long. Each
begins with its literal, to which the search leaps, and asks for a word's beginning behind it: asked
for in front, it would be tried at every character.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from cave_lab.privacy.blanks import MASK, blank, blanked, masked
from cave_lab.privacy.cut_secrets import (
    ASSIGNMENT,
    without_begun_shapes,
    without_begun_values,
)

__all__ = ["MASK", "MIN_SECRET", "NO_ENVIRONMENT", "SECRET_ENV", "SECRET_NAME", "Redactor"]

SECRET_ENV = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
"""An environment variable whose value is taken for a secret."""

SECRET_NAME = re.compile(
    r"(?:^|_)(?:api_?key|key|token|secret|passw(?:or)?d|pwd|credential)s?(?:_|\d|$)", re.IGNORECASE
)
"""A variable in the kernel whose value is taken for a secret; whole words, so not `monkey`."""

MIN_SECRET = 8
"""Shorter values would redact ordinary words."""

_SHAPES = (
    re.compile(r"sk-(?<=\bsk-)(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}"),
    re.compile(r"gh(?<=\bgh)[pousr]_[A-Za-z0-9]{20,}"),
    re.compile(r"github_pat_(?<=\bgithub_pat_)[A-Za-z0-9_]{20,}"),
    re.compile(r"xox(?<=\bxox)[abprs]-[A-Za-z0-9-]{10,}"),
    re.compile(r"AKIA(?<=\bAKIA)[0-9A-Z]{16}\b"),
    re.compile(r"AIza(?<=\bAIza)[0-9A-Za-z_-]{30,}"),
    re.compile(r"hf_(?<=\bhf_)[A-Za-z0-9]{20,}"),
    re.compile(
        r"eyJ(?<=\beyJ)[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{5,2000}"
    ),
    re.compile(
        r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.{0,7000}?-----END [A-Z ]{0,40}PRIVATE KEY-----",
        re.DOTALL,
    ),
)
_KEPT_IN_PART = (
    # “Basic statistics” are no secret.
    re.compile(r"(?P<kept>Bea(?<=\bBea)rer\s{1,20})[A-Za-z0-9._~+/=-]{8,}"),
    re.compile(
        r"(?P<kept>Bas(?<=\bBas)ic\s{1,20}(?![A-Za-z][a-z]{7,23}(?![\w~+/=-])))"
        r"[A-Za-z0-9._~+/=-]{8,}"
    ),
    re.compile(r"(?P<kept>://)[^\s/@:]{0,256}:[^\s/@]{1,256}(?=@)"),
)
_ASSIGNED = re.compile(rf"(?P<kept>{ASSIGNMENT})(?:(?!(?P=quote)).){{4,4000}}(?=(?P=quote))")

_NAMED = ("key", "token", "secret", "passw", "credent")
_VALUE = re.compile(r"[=:]\s{0,20}[\"']")
"""What an assignment can't be without, and what is looked for in a twentieth of the time."""


class Redactor:
    """Masks the environment's secret values and known key shapes."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        values = {
            value.strip()
            for name, value in environ.items()
            if SECRET_ENV.search(name) and len(value.strip()) >= MIN_SECRET
        }
        # The longest first, so that a value inside another leaves nothing behind.
        self._values = sorted(values, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """Mask what looks like a secret in `text`, and the beginnings of known ones at a cut."""
        return masked(self._blanked(text))

    def part(self, before: str, text: str, behind: str) -> str:
        """Mask in a part of a text of ours what is secret in the whole, or cut by an ellipsis."""
        whole = without_begun_shapes(self._blanked(before + text + behind))
        return masked(whole[len(before) : len(before) + len(text)])

    def _blanked(self, text: str) -> str:
        for value in self._values:
            if value in text:
                text = text.replace(value, blank(value))
        for shape in (*_SHAPES, *_KEPT_IN_PART):
            text = shape.sub(blanked, text)
        if _may_assign(text):
            text = _ASSIGNED.sub(blanked, text)
        return without_begun_values(text, self._values)


NO_ENVIRONMENT = Redactor({})
"""Knows the shapes of secrets alone."""


def _may_assign(text: str) -> bool:
    folded = text.casefold()
    return any(name in folded for name in _NAMED) and _VALUE.search(text) is not None
