"""What a message changes about its thread."""

import pytest

from cave_lab.protocol.content import CellPart, MentionPart, NotebookRef, Part, Target, TextPart
from cave_lab.protocol.ids import SessionId
from cave_lab.thread.changes import target_of, title_of


@pytest.mark.parametrize(
    "words, title",
    [
        ("plot revenue", "plot revenue"),
        ("  plot\n\trevenue ", "plot revenue"),
        ("a" * 20, "a" * 20),
        ("plot the revenue by month", "plot the revenue by …"),
        ("supercalifragilistic expialidocious", "supercalifragilistic …"),
        ("x" * 99, "x" * 22 + " …"),
        ("   ", None),
    ],
)
def test_a_title_is_cut_at_a_word(words: str, title: str | None) -> None:
    assert title_of([TextPart(text=words)], 22) == title


def test_a_title_has_what_the_message_names() -> None:
    mention = MentionPart(kind="variable", name="df")
    parts: list[Part] = [TextPart(text="plot "), mention, TextPart(text=", by month")]
    assert title_of(parts, 60) == "plot @df, by month"
    assert title_of([mention], 60) == "@df"


def test_only_what_was_typed_makes_a_title() -> None:
    cell = CellPart(code="x = 1")
    assert title_of([cell], 60) is None


def _target(path: str, session: str | None) -> Target:
    return Target(
        notebook=NotebookRef(path=path), session_id=SessionId(session) if session else None
    )


def test_a_message_that_has_waited_goes_to_its_notebook_by_the_name_it_has_now() -> None:
    now = _target("new name.ipynb", "a")
    assert target_of(None, now) == now
    assert target_of(_target("old name.ipynb", "a"), now) == now
    for other in (_target("other.ipynb", "b"), _target("other.ipynb", None)):
        assert target_of(other, now) == other
