"""The lines of input that one run asks for: one at a time, each answered at most once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from cave_lab.errors import NotFound
from cave_lab.kernel.outputs import clean_text

NOT_WAITING = "The cell does not wait for input any more. Nothing was sent to it."
_STOPPING = "The cell is being stopped. Nothing was sent to it."
_CUT = " […] "


@dataclass(eq=False)
class Question:
    """A request for a line; the cell waits until it is answered or interrupted.

    It becomes `due` when all that the cell put out before it is known, and is `told` to the
    observer then. One that is over before that was never asked.
    """

    prompt: str
    password: bool
    state: Literal["new", "due", "told", "answered", "cancelled", "dropped"] = "new"


class Questions:
    """What one run asks the person, one question after the other."""

    def __init__(self, on_news: Callable[[Question], None], now: Callable[[], float]) -> None:
        self._on_news = on_news
        """Called with a question that is due, and again when it is over."""
        self._now = now
        self._open: Question | None = None
        self._since = 0.0
        self._waited = 0.0
        self._holds = 0

    @property
    def current(self) -> Question | None:
        """What the cell waits for now."""
        return self._open

    @property
    def waited_seconds(self) -> float:
        """How long the cell has waited for answers."""
        return self._waited + (self._now() - self._since if self._open else 0.0)

    def ask(self, prompt: str, *, password: bool) -> Question:
        """The kernel asks; what it asked before, it does not wait for any more."""
        self.cancel()
        self._open = Question(prompt, password)
        self._since = self._now()
        return self._open

    def bring(self, question: Question) -> None:
        """Let a question be told; nothing happens if that was done, or if it is over."""
        if question.state == "new":
            question.state = "due"
            self._on_news(question)

    def answer(self) -> None:
        """Take an answer as given; raises NotFound if none is waited for."""
        if self._open is None or self._open.state != "told":
            raise NotFound(NOT_WAITING)
        if self._holds:
            raise NotFound(_STOPPING)
        self._close("answered")

    def cancel(self) -> None:
        """The cell waits no more, and was not answered."""
        self._close("cancelled")

    def interrupted(self, question: Question | None) -> None:
        """An interrupt hit the cell while it asked this; it may be asking the next thing by now."""
        if question is not None and question is self._open:
            self._close("cancelled")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Take no answer meanwhile: an interrupted cell would leave it to the next that asks."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1

    def _close(self, end: Literal["answered", "cancelled"]) -> None:
        question, self._waited, self._open = self._open, self.waited_seconds, None
        if question is None:
            return
        if question.state == "told":
            question.state = end
            self._on_news(question)
        else:
            question.state = "dropped"


def prompt_of(content: Mapping[str, Any], longest: int) -> str:
    """What the kernel asks, clean; of a long text the beginning and, twice as much, the end."""
    prompt = clean_text(str(content.get("prompt") or ""))
    if len(prompt) <= longest:
        return prompt
    head = longest // 3
    return prompt[:head] + _CUT + prompt[head - longest :]
