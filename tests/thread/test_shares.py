"""The room of a look is shared fairly, and what has no room is named."""

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.looked_text import looked_text
from cave_lab.model.messages import bounds_of
from cave_lab.protocol.content import Column, Excerpt, Looked, Variable
from cave_lab.state.values import LookItem
from cave_lab.thread.shares import shared

GONE = "There is no variable of this name."


def text(name: str, length: int) -> Looked:
    """A text variable that shows so many characters."""
    row = Variable(name=name, type="str", kind="text", length=length)
    head = f"{name} " + "x" * (length - len(name) - 1)
    return Looked(name=name, variable=row, text=Excerpt(head=head, total=length), values=True)


def frame(name: str, columns: int) -> Looked:
    """A frame with so many columns of long names."""
    named = [Column(name=f"column {at} {'y' * 100}", dtype="float64") for at in range(columns)]
    row = Variable(
        name=name, type="DataFrame", kind="frame", shape=[9, columns], columns=named,
        columns_total=columns,
    )  # fmt: skip
    return Looked(name=name, variable=row)


def told(answers: list[Looked]) -> str:
    """What the model is told of a look of the person's."""
    names = [answer.name for answer in answers]
    look = LookItem(call=0, by="user", names=names, detail="head", answers=answers)
    return looked_text(look, "full")


def test_what_has_room_stays_as_it_is() -> None:
    answers = [text("a", 500), frame("df", 3), Looked(name="gone", note=GONE)]
    assert shared(answers, 2_000) == answers


def test_answers_that_need_less_leave_their_room_to_the_longer_ones() -> None:
    small, large = shared([text("small", 100), text("large", 4_000)], 1_000)
    assert small == text("small", 100)
    assert large.text is not None
    assert 650 < len(large.text.head) + len(large.text.tail) <= 900
    assert large.note == "Cut, as there was little room: look at it alone for more."
    assert "of 4,000 characters are not shown" in told([large])


def test_one_alone_is_cut_without_advice_to_look_at_it_alone() -> None:
    [one] = shared([text("a", 4_000)], 1_000)
    assert one.note is None
    assert one.text is not None
    assert one.text.cut


def test_names_for_which_nothing_is_left_are_named_and_counted() -> None:
    answers = shared([text(f"t{number}", 4_000) for number in range(20)], 1_000)
    assert [answer.name for answer in answers] == ["t0", "t1", "t2", "t3", "t4", "t5 and 14 more"]
    assert answers[-1].note == "Not shown, as there was no room: look at them by themselves."


def test_many_small_things_are_all_told_where_they_fit() -> None:
    answers = [text(f"t{number}", 10) for number in range(20)]
    assert shared(answers, 1_000) == answers


def test_a_wide_frame_is_told_with_fewer_of_its_columns_and_how_many_more_there_are() -> None:
    [one] = shared([frame("df", 50)], 1_000)
    assert one.variable is not None
    left = 50 - len(one.variable.columns or ())
    assert 0 < left < 50
    assert f"… {left} more columns]" in told([one])


def test_a_long_name_that_is_none_does_not_come_back_whole() -> None:
    [one, _] = shared([Looked(name="n" * 10_000, note=GONE), text("a", 4_000)], 1_000)
    assert len(one.name) < 1_000
    assert one.note == GONE


@pytest.mark.parametrize("window", [2_048, 4_096, 8_192, 128_000])
@pytest.mark.parametrize("by", ["model", "user"])
def test_whatever_is_named_the_look_stays_within_a_part_of_the_window(window: int, by: str) -> None:
    bounds = bounds_of(window, DEFAULT_LIMITS)
    room = bounds.looks_chars if by == "model" else bounds.mentioned_chars
    many = [text(f"t{number}", 4_000) for number in range(10)]
    mixed = [Looked(name="n" * 5_000, note=GONE), frame("df", 50), *many, frame("last", 50)]
    for answers in (many, mixed, [text("a", 90_000)], [frame(f"f{n}", 50) for n in range(20)]):
        # Beside what is shown stands how much of it is not.
        assert len(told(shared(answers, room))) <= 1.6 * room + 300
