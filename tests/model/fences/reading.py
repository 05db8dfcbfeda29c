"""Reads a reply of a model without tools as the model side does, in deltas of one size."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.actions import RUN_CELL, CallReader
from cave_lab.model.fences import FenceReader
from cave_lab.model.port import ActionUnusable, CodeDelta, TextChunk, ToolChunk
from cave_lab.model.thinking import ThinkSplitter
from cave_lab.protocol.content import LookAction, RunCellAction
from tests.model.fences.corpus import CALLS, CORPUS, READY, SIZES, CallCase, Case


@dataclass(frozen=True)
class Read:
    """What a reply came to."""

    prose: str
    typed: str
    outcome: str | None
    code: str | None = None
    purpose: str | None = None
    sentence: str = ""
    scratch: bool = False
    look: LookAction | None = None


def cut(text: str, size: int) -> Iterator[str]:
    """The text in pieces of so many characters."""
    return (text[at : at + size] for at in range(0, len(text), size))


def read(reader: FenceReader, deltas: Iterable[str], *, thinking: bool = True) -> Read:
    """Feed deltas, as an adapter gives them, until the action is complete or they end."""
    parts: list[TextChunk | CodeDelta] = []
    for text in _answer(deltas) if thinking else deltas:
        parts += reader.feed(text)
        if reader.done:
            break
    else:
        parts += reader.end()
    said = "".join(part.text for part in parts if isinstance(part, TextChunk))
    typed = "".join(part.text for part in parts if isinstance(part, CodeDelta))
    outcome = reader.outcome
    if isinstance(outcome, ActionUnusable):
        return Read(said, typed, outcome.code, sentence=outcome.sentence)
    if outcome is None:
        return Read(said, typed, None)
    action = outcome.action
    if isinstance(action, LookAction):
        return Read(said, typed, READY, look=action)
    assert isinstance(action, RunCellAction)
    return Read(said, typed, READY, action.code, action.purpose, scratch=action.scratch)


def read_case(case: Case, size: int) -> Read:
    """Read a reply of the corpus in deltas of one size."""
    reader = FenceReader(case.language, plain_run=case.plain_run)
    return read(reader, cut(case.text, size))


def is_right(case: Case, came: Read) -> bool:
    """Whether a reply came to what it has to."""
    typed = (case.code or "") if case.typed is None else case.typed
    wanted = (case.prose, typed, case.outcome, case.code)
    purpose_right = case.purpose is None or case.purpose == came.purpose
    return wanted == (came.prose, came.typed, came.outcome, came.code) and purpose_right


def read_call(case: CallCase, size: int) -> tuple[str, str, str | None]:
    """Read a call of the tool in fragments of one size: the code typed, the outcome, the code."""
    reader = CallReader(DEFAULT_LIMITS)
    typed = reader.feed(ToolChunk(0, "", RUN_CELL, "a"))
    typed += "".join(reader.feed(ToolChunk(0, piece)) for piece in cut(case.arguments, size))
    outcome = reader.outcome("tool_calls")
    if isinstance(outcome, ActionUnusable):
        return typed, outcome.code, None
    assert isinstance(outcome.action, RunCellAction)
    return typed, READY, outcome.action.code


def corpus_counts() -> tuple[int, int, int]:
    """How many replies there are, how often they are read, and how often that is right."""
    right = [is_right(case, read_case(case, size)) for case in CORPUS for size in SIZES]
    right += [
        read_call(case, size) == (case.typed, case.outcome, case.code)
        for case in CALLS
        for size in SIZES
    ]
    return len(CORPUS) + len(CALLS), len(right), sum(right)


def _answer(deltas: Iterable[str]) -> Iterator[str]:
    splitter = ThinkSplitter()
    for delta in deltas:
        yield from (part.text for part in splitter.feed(delta) if isinstance(part, TextChunk))
    yield from (part.text for part in splitter.end() if isinstance(part, TextChunk))
