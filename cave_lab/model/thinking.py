"""Splits reasoning that a server leaves in the text, between `<think>` and `</think>`."""

from __future__ import annotations

from collections.abc import Iterator

from cave_lab.model.port import ReasoningChunk, TextChunk

OPEN, CLOSE = "<think>", "</think>"


class ThinkSplitter:
    """Takes text at any chunk size; a tag counts only before the first word of the answer.

    Behind it a tag is what the model talks about, not what it does.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._thought = False
        self._answering = False

    def feed(self, text: str) -> Iterator[TextChunk | ReasoningChunk]:
        """Give what is certain by now."""
        self._held += text
        while self._held:
            before = self._held
            yield from self._answer() if self._answering else self._before_answer()
            if self._held == before:
                return

    def end(self) -> Iterator[TextChunk | ReasoningChunk]:
        """Give what was held back, when no more text comes."""
        held, self._held = self._held, ""
        if held and self._thinking:
            yield ReasoningChunk(held)
        elif held.strip():
            yield TextChunk(held)

    def _answer(self) -> Iterator[TextChunk]:
        held, self._held = self._held, ""
        yield TextChunk(held)

    def _before_answer(self) -> Iterator[TextChunk | ReasoningChunk]:
        if self._thinking:
            yield from self._inside()
            return
        start = self._held.lstrip()
        if start.startswith(OPEN):
            self._thinking, self._held = True, start.removeprefix(OPEN)
        elif not OPEN.startswith(start):
            self._answering = True
            self._held = start if self._thought else self._held
            yield from self._answer()

    def _inside(self) -> Iterator[ReasoningChunk]:
        thought, tag, rest = self._held.partition(CLOSE)
        if tag:
            self._thinking, self._thought, self._held = False, True, rest
        else:
            keep = _half_tag(self._held)
            thought, self._held = (
                self._held[: len(self._held) - keep],
                self._held[-keep:] * bool(keep),
            )
        if thought:
            yield ReasoningChunk(thought)


def _half_tag(text: str) -> int:
    """How many characters at the end may be the beginning of the closing tag."""
    sizes = range(min(len(CLOSE) - 1, len(text)), 0, -1)
    return next((size for size in sizes if text.endswith(CLOSE[:size])), 0)
