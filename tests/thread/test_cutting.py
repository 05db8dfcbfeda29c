"""Where a talk is cut: between calls, as early as there is room for what stays."""

from cave_lab.model.messages import Place
from cave_lab.thread.cutting import Weight, first_that_fits, is_passed

END = Place(2, 3)


def talk() -> list[Weight]:
    """Two turns that are over and one that runs, each with a question and two calls."""
    return [
        Weight(Place(turn, call), 100)
        for turn in range(3)
        for call, messages in ((-1, 1), (1, 2), (2, 2))
        for _ in range(messages)
    ]


def test_it_is_cut_as_early_as_the_rest_fits() -> None:
    assert first_that_fits(talk(), END, 1_400) == Place(0, 2)
    assert first_that_fits(talk(), END, 1_000) == Place(1, 0)
    assert first_that_fits(talk(), END, 500) == Place(2, 0)


def test_the_question_of_the_turn_that_is_cut_stays_and_counts() -> None:
    assert first_that_fits(talk(), END, 300) == Place(2, 2)
    assert first_that_fits(talk(), END, 299) == END


def test_rather_than_leave_out_the_last_result_more_room_is_taken() -> None:
    assert first_that_fits(talk(), END, 200, 300) == Place(2, 2)
    assert first_that_fits(talk(), END, 100, 200) == END


def test_a_talk_of_one_question_can_not_be_cut() -> None:
    assert first_that_fits([Weight(Place(0, -1), 100)], Place(0, 1), 10) is None
    assert first_that_fits([], Place(0, 1), 10) is None


def test_a_cut_that_leaves_nothing_out_is_none() -> None:
    one = [Weight(Place(0, -1), 100), Weight(Place(0, 1), 100)]
    assert first_that_fits(one, Place(0, 2), 10_000) == Place(0, 2)


def test_whether_calls_of_the_turn_itself_are_left_out() -> None:
    assert not is_passed(talk(), Place(2, 0))
    assert not is_passed(talk(), Place(2, 1))
    assert is_passed(talk(), Place(2, 2))
