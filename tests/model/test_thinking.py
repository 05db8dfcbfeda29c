import pytest

from cave_lab.model.port import ReasoningChunk, TextChunk
from cave_lab.model.thinking import ThinkSplitter


def split(text: str, size: int) -> tuple[str, str]:
    splitter = ThinkSplitter()
    parts = [
        part for at in range(0, len(text), size) for part in splitter.feed(text[at : at + size])
    ]
    parts += splitter.end()
    thought = "".join(p.text for p in parts if isinstance(p, ReasoningChunk))
    said = "".join(p.text for p in parts if isinstance(p, TextChunk))
    return thought, said


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    "text, thought, said",
    [
        ("Hello.", "", "Hello."),
        ("  indented", "", "  indented"),
        ("<think>a < b</think>\n\nHello.", "a < b", "Hello."),
        ("\n<think>a</think><think>b</think>Hello.", "ab", "Hello."),
        ("<think></think>Hello.", "", "Hello."),
        ("<think>never closed </thin", "never closed </thin", ""),
        ("<thinking> is a tag", "", "<thinking> is a tag"),
        ("<thi", "", "<thi"),
        ("Write <think>x</think> like this.", "", "Write <think>x</think> like this."),
        ("<think>a</think>Say <think>b</think>.", "a", "Say <think>b</think>."),
        ("<think>a </ </th </think>b", "a </ </th ", "b"),
        ("   ", "", ""),
    ],
)
def test_reasoning_before_the_answer_is_split_off_at_any_chunk_size(text, thought, said, size):
    assert split(text, size) == (thought, said)


def test_reasoning_is_given_while_it_is_thought():
    splitter = ThinkSplitter()
    assert list(splitter.feed("<think>first")) == [ReasoningChunk("first")]
    assert list(splitter.feed(" then</th")) == [ReasoningChunk(" then")]
