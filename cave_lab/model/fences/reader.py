"""Reads actions out of the text of a model without tools: fenced blocks that run or look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from cave_lab.limits import DEFAULT_LIMITS, Limits
from cave_lab.model.actions import CUT, EMPTY, LOOK
from cave_lab.model.fences.block import CodeBlock
from cave_lab.model.fences.lines import Margin, Opening, may_open, opening_of, same_language
from cave_lab.model.fences.look_block import LookBlock
from cave_lab.model.fences.purpose import Prose, told
from cave_lab.model.port import ActionReady, ActionUnusable, CodeDelta, TextChunk
from cave_lab.model.words import fit
from cave_lab.protocol.content import RunCellAction
from cave_lab.protocol.ids import new_id

UNCLOSED = ActionUnusable(
    "cut",
    "The block opens a string or a fence in its code that is never closed, so its end could not "
    "be found and nothing of it was run.",
)
GARBLED = ActionUnusable(
    "cut", "A character of the block was lost on its way, so nothing of it was run."
)

_SCRATCH = "scratch"
_VERBS = ("run", _SCRATCH)
_WAITS = re.compile("[\ud800-\udbff\r]\\Z")
"""Half of a character, or of a line end: what it is shows only with the next one."""
_HALF = re.compile("[\ud800-\udfff]")
_HEAD = 80
"""Characters after which a line that could still open or close a block is decided at its end."""


@dataclass(frozen=True)
class _Shown:
    """A block that is shown as it is; `wrong` if the model meant it to run."""

    opening: Opening
    wrong: ActionUnusable | None


class _Start:
    """The beginning of a line, held back while it may become a fence."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.head = ""

    def add(self, piece: str) -> None:
        self._pieces.append(piece)
        if len(self.head) < _HEAD:
            self.head = (self.head + piece)[:_HEAD]

    def take(self) -> str:
        line = "".join(self._pieces)
        self._pieces.clear()
        self.head = ""
        return line


class FenceReader:
    """Takes text at any chunk size; gives words and code, and the first action that is complete.

    An action is a block in the kernel's language whose opening line says `run` or `scratch` behind
    that (with `plain_run`: or says nothing), or a block that begins with `look`. Any other block is
    text, and so is all that stands inside of it: an action that a longer fence quotes is not one. A
    closing line inside of an open string of Python is code. Where only such a string kept the block
    open until the stream ended, the block has no certain end, so nothing of it runs: code up to a
    closing line runs only if that line stands outside of every string, or if Python itself can read
    the code up to it.
    """

    def __init__(
        self, language: str, *, plain_run: bool = False, limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self._language = language
        self._plain_run = plain_run
        self._limits = limits
        self._out: list[tuple[Literal["text", "code"], str]] = []
        self._waiting = ""
        self._start = _Start()
        self._passing = False
        self._block: _Shown | CodeBlock | LookBlock | None = None
        self._margin = Margin()
        self._prose = Prose()
        self._begun = False
        self._outcome: ActionReady | ActionUnusable | None = None

    @property
    def begun(self) -> bool:
        """Whether a block was opened that the model meant for an action."""
        return self._begun

    @property
    def done(self) -> bool:
        """Whether an action is complete: what follows is not read."""
        return self._outcome is not None

    @property
    def outcome(self) -> ActionReady | ActionUnusable | None:
        """What the action came to, when it is complete or the stream has ended."""
        return self._outcome

    def feed(self, text: str) -> Iterator[TextChunk | CodeDelta]:
        """Take more text, and give what is certain by now."""
        text = self._waiting + text
        self._waiting = text[-1] if _WAITS.search(text) else ""
        self._read(text[: len(text) - len(self._waiting)])
        return self._given()

    def end(self, *, cut: bool = False) -> Iterator[TextChunk | CodeDelta]:
        """Give what was held back, when no more text comes, and settle the outcome.

        With `cut`, because the model was not at its end, a last line without a line end closes
        nothing: more of it may have been coming.
        """
        self._read(self._waiting)
        self._waiting = ""
        if not self.done and (line := self._start.take()):
            if cut:
                self._pass(line, first=True)
            else:
                self._whole_line(line)
        if not self.done:
            self._outcome = self._unfinished(cut)
        return self._given()

    # ── from text to lines

    def _read(self, text: str) -> None:
        if _HALF.search(text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        at = 0
        while at < len(text) and not self.done:
            end = text.find("\n", at) + 1 or len(text)
            self._piece(text[at:end])
            at = end

    def _piece(self, piece: str) -> None:
        """Take a line, or a piece of one: either all of it is held back or none."""
        ends = piece.endswith("\n")
        if self._passing:
            self._pass(piece, first=False)
            self._passing = not ends
            return
        self._start.add(piece)
        if ends:
            self._whole_line(self._start.take())
        elif not self._may_be_fence(self._start.head):
            self._pass(self._start.take(), first=True)
            self._passing = True

    def _may_be_fence(self, head: str) -> bool:
        match self._block:
            case None:
                return may_open(head)
            case _Shown(opening):
                return opening.may_close(head)
            case CodeBlock() | LookBlock():
                return self._block.may_close(head)

    def _whole_line(self, line: str) -> None:
        match self._block:
            case None if (opening := opening_of(line)) and self._margin.holds(line):
                self._open(opening, line)
            case _Shown(opening, wrong) if opening.closes_here(line):
                self._say(line)
                self._block, self._outcome = None, wrong
            case CodeBlock() if self._block.closes(line):
                self._outcome = self._judge(self._block)
            case LookBlock() if self._block.closes(line):
                self._outcome = _judge_look(self._block)
            case _:
                self._pass(line, first=True)

    # ── what lines mean

    def _open(self, opening: Opening, line: str) -> None:
        language, word = (_bare(word) for word in (*opening.words, "", "")[:2])
        marked = word.casefold() in _VERBS
        if language.casefold() == LOOK and not (marked and self._speaks(language)):
            self._begun, self._block = True, LookBlock(opening)
            return
        runs = marked or (self._plain_run and len(opening.words) == 1)
        if not marked and not opening.in_markdown:
            self._pass(line, first=True)
            return
        self._margin.note(line)
        acts = runs and self._speaks(language)
        self._begun = marked or acts
        if acts:
            self._block = self._code_block(opening, scratch=word.casefold() == _SCRATCH)
        else:
            self._say(line)
            self._prose.end_paragraph()
            self._block = _Shown(opening, self._wrong(language) if marked else None)

    def _speaks(self, language: str) -> bool:
        return same_language(language, self._language)

    def _code_block(self, opening: Opening, *, scratch: bool) -> CodeBlock:
        purpose = told(opening.words[2:]) or self._prose.last_sentence()
        shown = fit(purpose, str, self._limits.purpose_chars)
        python = self._speaks("python")
        return CodeBlock(opening, shown, python=python, scratch=scratch)

    def _pass(self, piece: str, *, first: bool) -> None:
        """Take a piece of a line that is no fence."""
        match self._block:
            case CodeBlock():
                self._out.append(("code", self._block.add(piece, first=first)))
            case LookBlock():
                self._block.add(piece)
            case _Shown():
                self._say(piece)
            case None:
                if first:
                    self._margin.note(piece)
                self._prose.add(piece)
                self._say(piece)

    def _judge(self, block: CodeBlock) -> ActionReady | ActionUnusable:
        code = block.code
        if not code.strip():
            return EMPTY
        if _HALF.search(code):
            return GARBLED
        action = RunCellAction(code=code, purpose=block.purpose, scratch=block.scratch)
        return ActionReady(new_id("call"), action)

    def _unfinished(self, cut: bool) -> ActionUnusable | None:
        match self._block:
            case None:
                return None
            case _Shown(wrong=wrong):
                return CUT if cut and wrong else wrong
            case CodeBlock():
                unclosed = self._block.unclosed_string or self._block.unclosed_fence
                return UNCLOSED if unclosed and not cut else CUT
            case LookBlock():
                return CUT

    def _wrong(self, language: str) -> ActionUnusable:
        shown = fit(language, str, self._limits.purpose_chars)
        sentence = (
            f"The block to run is in “{shown}”, but this notebook's kernel speaks "
            f"“{self._language}”, so nothing was run. A block that runs begins with "
            f"“```{self._language.lower()} run”."
        )
        return ActionUnusable("wrong_language", sentence)

    # ── what goes out

    def _say(self, text: str) -> None:
        self._out.append(("text", text))

    def _given(self) -> Iterator[TextChunk | CodeDelta]:
        out, self._out = self._out, []
        for kind, pieces in groupby(out, key=lambda part: part[0]):
            text = _HALF.sub("\ufffd", "".join(piece for _, piece in pieces))
            if text:
                yield TextChunk(text) if kind == "text" else CodeDelta(text)


def _judge_look(block: LookBlock) -> ActionReady | ActionUnusable:
    if _HALF.search(block.text):
        return GARBLED
    action = block.read()
    return action if isinstance(action, ActionUnusable) else ActionReady(new_id("call"), action)


def _bare(word: str) -> str:
    """A word of an opening line without what some models put around it, as in `{python}`."""
    return word.strip("{}.,:;")
