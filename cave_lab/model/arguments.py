"""Reads the code out of a tool call's JSON arguments while they are still arriving."""

from __future__ import annotations

import json
from typing import Any

_SIMPLE = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}
_HEX = frozenset("0123456789abcdefABCDEF")
_LONE = "\ufffd"
"""Half a surrogate pair, which no wire and no file can carry."""


class _JsonText:
    """The inside of one JSON string, decoded character by character."""

    def __init__(self) -> None:
        self._escape = ""
        self._high = ""

    def feed(self, character: str) -> str | None:
        """Give the text that is now certain, None at the closing quote; raises ValueError."""
        if self._escape:
            return self._escaped(character)
        if character == "\\":
            self._escape = "\\"
            return ""
        if character == '"':
            return None
        if character < " ":
            raise ValueError("a bare control character in a JSON string")
        return self._settle() + character

    def _escaped(self, character: str) -> str:
        self._escape += character
        if self._escape[1] != "u":
            self._escape = ""
            if character not in _SIMPLE:
                raise ValueError("an unknown escape in a JSON string")
            return self._settle() + _SIMPLE[character]
        if len(self._escape) > 2 and character not in _HEX:
            raise ValueError("a broken escape in a JSON string")
        if len(self._escape) < 6:
            return ""
        digits, self._escape = self._escape[2:], ""
        return self._unit(bytes.fromhex(digits).decode("utf-16-be", "surrogatepass"))

    def _unit(self, unit: str) -> str:
        if self._high and "\udc00" <= unit <= "\udfff":
            pair, self._high = self._high + unit, ""
            return pair.encode("utf-16", "surrogatepass").decode("utf-16")
        before = self._settle()
        if "\ud800" <= unit <= "\udbff":
            self._high = unit
            return before
        return before + (_LONE if "\udc00" <= unit <= "\udfff" else unit)

    def _settle(self) -> str:
        lone, self._high = _LONE if self._high else "", ""
        return lone


class CodeStream:
    """Gives the top-level text `code` of a JSON object as it is typed, whatever the chunk size.

    For showing only: what runs is decided by `read_arguments`, when all is there. After anything
    that is not JSON it gives nothing more.
    """

    def __init__(self, key: str = "code") -> None:
        self._wanted = key
        self._step = self._start
        self._text = _JsonText()
        self._key = ""
        self._depth = 0
        self._quoted = False
        self._skipped_escape = False

    def feed(self, fragment: str) -> str:
        """Give the code that the fragment adds."""
        shown = []
        for character in fragment:
            try:
                shown.append(self._step(character))
            except ValueError:
                self._step = self._nothing
                break
        return "".join(shown)

    # ── one method a state; each takes a character and gives the code it adds

    def _start(self, character: str) -> str:
        return self._expect(character, {"{": self._before_key})

    def _before_key(self, character: str) -> str:
        self._text, self._key = _JsonText(), ""
        return self._expect(character, {'"': self._in_key, "}": self._nothing})

    def _in_key(self, character: str) -> str:
        more = self._text.feed(character)
        self._key += more or ""
        if more is None:
            self._step = self._before_colon
        return ""

    def _before_colon(self, character: str) -> str:
        return self._expect(character, {":": self._before_value})

    def _before_value(self, character: str) -> str:
        if character == '"' and self._key == self._wanted:
            self._text, self._step = _JsonText(), self._in_code
        elif not character.isspace():
            self._depth, self._quoted, self._step = 0, False, self._in_other
            return self._in_other(character)
        return ""

    def _in_code(self, character: str) -> str:
        more = self._text.feed(character)
        if more is None:
            self._step = self._behind_value
        return more or ""

    def _in_other(self, character: str) -> str:
        if self._quoted:
            self._quoted = character != '"' or self._skipped_escape
            self._skipped_escape = character == "\\" and not self._skipped_escape
        elif character == '"':
            self._quoted = True
        elif self._depth == 0 and character in ",}":
            return self._behind_value(character)
        else:
            self._depth += (character in "[{") - (character in "]}")
        return ""

    def _behind_value(self, character: str) -> str:
        return self._expect(character, {",": self._before_key, "}": self._nothing})

    def _nothing(self, character: str) -> str:
        return ""

    def _expect(self, character: str, states: dict[str, Any]) -> str:
        if character in states:
            self._step = states[character]
        elif not character.isspace():
            raise ValueError(f"{character!r} is not JSON here")
        return ""


def read_arguments(text: str) -> dict[str, Any]:
    """Read complete arguments strictly: one JSON object, no name twice; raises ValueError."""
    try:
        value = json.loads(text, object_pairs_hook=_no_name_twice)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise TypeError("not a JSON object")
    return value


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found
