"""What a fenced action is for, in the model's own words."""

from __future__ import annotations

import re

_KEPT = 1_000
"""Characters of prose: more than any sentence that is shown."""

_PARAGRAPH = re.compile(r"\n[ \t\r]*\n")
_QUOTED = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+")
_LINE_MARKS = re.compile(r"(?m)^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)+")
_LINK = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*\)")
_MARKS = re.compile(r"\*+|`+|(?<!\w)_+|_+(?!\w)")
# A small letter behind a full stop belongs to an abbreviation.
_SENTENCE = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[^a-z\s])|(?<=[\u3002\uff01\uff1f])")
_LABEL = re.compile(r"(?i)\A[\s:;,#=\"'“(–—-]*(?:purpose\s*[:=]\s*[\"'“]?)?")
_ENDS = " \t:\uff1a\"'”"


class Prose:
    """The end of what the model said outside of blocks."""

    def __init__(self) -> None:
        self._end = ""

    def add(self, text: str) -> None:
        """Take more words."""
        self._end += text
        if len(self._end) > 2 * _KEPT:
            self._end = self._end[-_KEPT:]

    def end_paragraph(self) -> None:
        """Part what was said from what follows, as a block between them does."""
        self.add("\n\n")

    def last_sentence(self) -> str:
        """The sentence that leads to the block, without the marks of Markdown."""
        paragraphs = [part for part in _PARAGRAPH.split(self._end[-_KEPT:]) if part.strip()]
        if not paragraphs:
            return ""
        last_item = _LINE_MARKS.split(_QUOTED.sub("", paragraphs[-1]))[-1]
        sentences = [part for part in _SENTENCE.split(_plain(last_item)) if part.strip()]
        return sentences[-1].strip(_ENDS) if sentences else ""


def told(words: tuple[str, ...]) -> str:
    """The purpose that an opening line names behind the word `run`."""
    return _LABEL.sub("", _plain(" ".join(words)), count=1).strip(_ENDS)


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", text)).split())
