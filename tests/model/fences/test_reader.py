import random
import time
from collections.abc import Iterator

import pytest

from cave_lab.model.actions import CUT
from cave_lab.model.fences import GARBLED, UNCLOSED, FenceReader
from cave_lab.model.port import ActionReady, ActionUnusable, CodeDelta, TextChunk
from tests.model.fences.corpus import CALLS, CORPUS, READY, SIZES, CallCase, Case
from tests.model.fences.reading import (
    corpus_counts,
    cut,
    is_right,
    read,
    read_call,
    read_case,
)

ACTION = "```python run\nx = 1\n```\n"


def fed(*deltas: str, language: str = "python") -> FenceReader:
    """A reader that was given these deltas, and whose parts are taken."""
    reader = FenceReader(language)
    for delta in deltas:
        list(reader.feed(delta))
    return reader


# ── the corpus


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", CORPUS, ids=[case.name for case in CORPUS])
def test_a_reply_comes_to_the_same_at_any_chunk_size(case: Case, size: int):
    came = read_case(case, size)
    assert is_right(case, came), came


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", CALLS, ids=[case.name for case in CALLS])
def test_a_call_of_the_tool_comes_to_the_same_at_any_chunk_size(case: CallCase, size: int):
    assert read_call(case, size) == (case.typed, case.outcome, case.code)


def test_the_corpus_names_each_reply_once_and_all_of_it_is_right():
    names = [case.name for case in CORPUS] + [case.name for case in CALLS]
    assert len(set(names)) == len(names) >= 40
    replies, readings, right = corpus_counts()
    assert (replies, readings) == (len(names), len(names) * len(SIZES))
    assert right == readings


def test_the_corpus_would_notice_a_parser_that_runs_whatever_looks_like_a_block():
    case = Case("a sample", ACTION, ACTION)
    assert not is_right(case, read_case(case, 1))


# ── any other chunking

PIECES = (
    "```", "````", "~~~", "`", "python", " run", " py", " bash", "\n", "\r\n", "\r", "  ", "\t",
    "- ", "1. ", "x = 1", "'''", '"""', "'", '"', "\\", "#", "%%bash", "%time", "\ud83c", "\udf88",
    "Look. ", "<think>", "</think>", "```python run\n", "\n```\n", "\n\n",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_no_cut_changes_what_a_reply_comes_to(seed: int):
    rng = random.Random(seed)
    for _ in range(30):
        text = "".join(rng.choices(PIECES, k=rng.randrange(5, 60)))
        plain_run = rng.random() < 0.3
        whole = read(FenceReader("python", plain_run=plain_run), [text], thinking=False)
        for _ in range(4):
            reader = FenceReader("python", plain_run=plain_run)
            assert read(reader, cut_anyhow(text, rng), thinking=False) == whole
        if whole.outcome == READY:
            assert whole.typed == whole.code


def cut_anyhow(text: str, rng: random.Random) -> Iterator[str]:
    at = 0
    while at < len(text):
        size = rng.choice((1, 1, 2, 3, 7, 40))
        yield text[at : at + size]
        at += size


LINES = (
    "x = 'a'", "  y = r'\\''", "z = '''c\n```\n'''", '"""\n~~~\n```python run\n"""', "f'''{x}'''",
    "# it's \"\"\"", "", "\t", "print(1)  # '''",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_any_python_in_a_fence_comes_back_as_it_was(seed: int):
    rng = random.Random(seed)
    for _ in range(20):
        code = "\n".join(["x", *rng.choices(LINES, k=8)])
        mark = rng.choice(["```", "~~~", "`````"])
        text = f"{mark}python run It\n{code}\n{mark}\n"
        came = read(FenceReader("python"), cut_anyhow(text, rng))
        assert (came.outcome, came.code, came.purpose) == (READY, code, "It")


# ── what is given when


def test_words_are_given_as_they_come():
    reader = FenceReader("python")
    assert list(reader.feed("Let me")) == [TextChunk("Let me")]
    assert list(reader.feed(" see.\nTh")) == [TextChunk(" see.\nTh")]


def test_only_what_may_become_a_fence_is_held_back():
    reader = FenceReader("python")
    assert list(reader.feed("A.\n  ``")) == [TextChunk("A.\n")]
    assert list(reader.feed("x`` is")) == [TextChunk("  ``x`` is")]
    assert list(reader.feed("\n```python run")) == [TextChunk("\n")]
    assert list(reader.feed("``` is")) == [TextChunk("```python run``` is")]


def test_code_is_given_as_it_is_typed_and_never_a_fence():
    reader = FenceReader("python")
    assert list(reader.feed("Go.\n```python run\nx")) == [TextChunk("Go.\n"), CodeDelta("x")]
    assert reader.begun
    assert not reader.done
    assert list(reader.feed(" = 1\n")) == [CodeDelta(" = 1")]
    assert list(reader.feed("``")) == []
    assert list(reader.feed("`\nMore.")) == []
    assert reader.done


def test_an_action_is_complete_with_its_closing_line_and_the_rest_is_dropped():
    reader = fed(ACTION + "More.\n" + ACTION)
    outcome = reader.outcome
    assert isinstance(outcome, ActionReady)
    assert outcome.call_id.startswith("call-")
    assert list(reader.feed("Even more.")) == list(reader.end()) == []
    assert reader.outcome is outcome


def test_each_action_has_an_id_of_its_own():
    first, second = fed(ACTION).outcome, fed(ACTION).outcome
    assert isinstance(first, ActionReady)
    assert isinstance(second, ActionReady)
    assert first.call_id != second.call_id


def test_a_plain_block_is_no_begun_action():
    reader = fed("```python\nx\n")
    assert not reader.begun
    list(reader.end())
    assert reader.outcome is None


def test_nothing_is_settled_before_the_stream_has_ended():
    reader = fed("```python run\nx\n```")
    assert reader.outcome is None
    list(reader.end())
    assert isinstance(reader.outcome, ActionReady)


# ── why nothing runs


@pytest.mark.parametrize("text", ["```python run\nx\n```", "```python run\nx\n", "```bash run\nx"])
def test_of_a_reply_that_was_cut_nothing_runs_that_had_not_ended(text: str):
    reader = fed(text)
    list(reader.end(cut=True))
    assert reader.outcome == CUT


def test_a_reply_that_was_cut_still_gives_all_of_its_words():
    reader = fed("So:\n```py")
    assert list(reader.end(cut=True)) == [TextChunk("```py")]
    assert reader.outcome is None


def test_a_string_that_is_never_closed_is_named_as_the_reason():
    reader = fed('```python run\nx = """a\n```\nIt prints.')
    list(reader.end())
    assert reader.outcome == UNCLOSED


def test_half_a_character_in_the_code_is_named_as_the_reason():
    assert fed("```python run\n'\udf88'\n```\n").outcome == GARBLED


def test_a_block_of_another_language_is_told_what_would_be_right():
    outcome = fed("```bash run\nls\n```\n", language="R").outcome
    assert isinstance(outcome, ActionUnusable)
    assert outcome.code == "wrong_language"
    assert "“bash”" in outcome.sentence
    assert "“R”" in outcome.sentence
    assert "```r run" in outcome.sentence


# ── hostile text

SHAPES = {
    "one line of code": ("```python run\n", "x"),
    "one blank line": ("", " "),
    "one fence": ("", "`"),
    "one opening line": ("```", "a"),
    "markers": ("", "- "),
    "lines": ("", "a\n"),
    "plain blocks": ("", "```\n"),
    "closing lines in a string": ('```python run\nx = """\n', "```\n"),
    "strings": ("```python run\n", "'''a'''\n"),
    "halves": ("", "\ud83c"),
}


def seconds_for(before: str, repeated: str, size: int) -> float:
    reader = FenceReader("python")
    began = time.process_time()
    for delta in cut(before + repeated * (size // len(repeated)), 2):
        list(reader.feed(delta))
    list(reader.end())
    return time.process_time() - began


@pytest.mark.parametrize("shape", SHAPES)
def test_the_work_grows_no_faster_than_the_text(shape: str):
    short = min(seconds_for(*SHAPES[shape], 20_000) for _ in range(2))
    long = min(seconds_for(*SHAPES[shape], 160_000) for _ in range(2))
    assert long < 20 * short, "eight times the text may take eight times as long, not sixty-four"


def test_a_single_large_delta_is_read_as_quickly_as_many_small_ones():
    text = "```python run\n" + "x = 1\n" * 100_000 + "```\n"
    began = time.process_time()
    assert isinstance(fed(text).outcome, ActionReady)
    assert time.process_time() - began < 10
