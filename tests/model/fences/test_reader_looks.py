"""Looks and scratch cells out of the text of a model without tools."""

import random

import pytest

from cave_lab.model.actions import CUT
from cave_lab.model.fences import GARBLED, FenceReader
from cave_lab.model.looks import EMPTY_LOOK
from cave_lab.model.port import ActionReady, TextChunk
from cave_lab.model.wire import fenced_block, look_block
from cave_lab.protocol.content import LookAction, RunCellAction
from tests.model.fences.corpus import READY, SIZES, Case
from tests.model.fences.corpus_looks import CELLS, KEPT, LOOKS, SCRATCH, LookCase
from tests.model.fences.reading import cut, is_right, read, read_case
from tests.model.fences.test_reader import cut_anyhow


def read_look(text: str, size: int = 1_000, *, language: str = "python") -> LookAction:
    """The look that a text asks for."""
    reader = FenceReader(language)
    for piece in cut(text, size):
        list(reader.feed(piece))
    list(reader.end())
    assert isinstance(reader.outcome, ActionReady), reader.outcome
    assert isinstance(reader.outcome.action, LookAction)
    return reader.outcome.action


# ── the corpus


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", LOOKS, ids=[case.name for case in LOOKS])
def test_a_look_comes_to_the_same_at_any_chunk_size(case: LookCase, size: int):
    came = read(FenceReader(case.language, plain_run=case.plain_run), cut(case.text, size))
    assert (came.prose, came.typed, came.outcome) == (case.prose, "", READY)
    assert came.look == LookAction(names=[*case.names], detail=case.detail)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", CELLS, ids=[case.name for case in CELLS])
def test_a_reply_around_looks_and_scratch_comes_to_the_same_at_any_chunk_size(
    case: Case, size: int
):
    came = read_case(case, size)
    assert is_right(case, came), came
    assert came.look is None


@pytest.mark.parametrize("case", [*SCRATCH, *KEPT], ids=lambda case: case.name)
def test_only_the_word_behind_the_language_makes_a_cell_scratch(case: Case):
    assert read_case(case, 3).scratch == (case in SCRATCH)


# ── what is given when


def test_of_a_look_nothing_is_shown_while_it_is_written():
    reader = FenceReader("python")
    assert list(reader.feed("Go.\n```look head\nd")) == [TextChunk("Go.\n")]
    assert list(reader.feed("f\n")) == []
    assert [reader.begun, reader.done] == [True, False]
    assert list(reader.feed("```\nMore.\n")) == []
    assert reader.done
    assert list(reader.feed("Even more.")) == list(reader.end()) == []


def test_each_look_has_an_id_of_its_own():
    readers = [FenceReader("python"), FenceReader("python")]
    for reader in readers:
        list(reader.feed("```look\ndf\n```\n"))
    first, second = (reader.outcome for reader in readers)
    assert isinstance(first, ActionReady)
    assert isinstance(second, ActionReady)
    assert first.call_id != second.call_id


@pytest.mark.parametrize(
    "text, why",
    [
        ("```look\ndf\n", CUT),
        ("```look\n\n```\n", EMPTY_LOOK),
        ("```look\nd\udf88\n```\n", GARBLED),
    ],
)
def test_why_nothing_was_seen_is_said(text: str, why: object):
    reader = FenceReader("python")
    list(reader.feed(text))
    list(reader.end())
    assert reader.outcome == why


def test_of_a_reply_that_was_cut_a_closing_line_without_its_end_closes_no_look():
    reader = FenceReader("python")
    list(reader.feed("```look\ndf\n```"))
    list(reader.end(cut=True))
    assert reader.outcome == CUT


# ── what is written is what is read


NAMES = (
    "df",
    "my frame",
    "表",
    "out_ab12cd",
    "x.y",
    "d['a, b']",
    "f(x, 1)",
    "_",
    "a`b",
    "~~~",
    "*",
)
DETAILS = (
    "", "schema", "head", "column price", "column a  b", "column a`b", "column ```", "from 400",
    "page 2", "at it", "run it", "scratch", "~~~", "column 中文 ✓",
)  # fmt: skip


@pytest.mark.parametrize("detail", DETAILS)
def test_a_look_that_was_written_is_read_back_as_the_same_look(detail: str):
    look = LookAction(names=[*NAMES], detail=detail)
    for size in SIZES:
        assert read_look(f"So.\n\n{look_block(look.names, detail)}\n", size) == look


PIECES = (
    "df", "x", ",", " ", "\t", "-", "1.", "`", "'", '"', "@", "(", "]", "~~~", "\ud83c\udf88", "é",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_whatever_look_was_read_is_written_and_read_again_as_it_was(seed: int):
    rng = random.Random(seed)
    for _ in range(100):
        lines = ["".join(rng.choices(PIECES, k=6)) for _ in range(3)]
        detail = "".join(rng.choices(PIECES, k=rng.randrange(6)))
        text = f"~~~~look {detail}\n" + "\n".join(["x", *lines]) + "\n~~~~\n"
        first = read(FenceReader("python"), cut_anyhow(text, rng)).look
        assert first is not None
        assert read_look(look_block(first.names, first.detail)) == first


@pytest.mark.parametrize("scratch", [True, False])
@pytest.mark.parametrize("purpose", ["", "Count", "scratch it", "run it", "look at it"])
def test_a_cell_that_was_written_is_read_back_as_scratch_or_kept(purpose: str, scratch: bool):
    block = fenced_block("len(x)", purpose, "python", scratch=scratch)
    reader = FenceReader("python")
    list(reader.feed(f"{block}\n"))
    assert isinstance(reader.outcome, ActionReady)
    assert reader.outcome.action == RunCellAction(code="len(x)", purpose=purpose, scratch=scratch)
