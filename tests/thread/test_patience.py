from dataclasses import replace

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.thread.patience import Patience

LIMITS = replace(
    DEFAULT_LIMITS, looks_in_a_row=2, refused_actions_per_turn=3, broken_calls_until_fences=2
)


def test_so_many_looks_in_a_row_may_be_made_and_no_more():
    patience = Patience(LIMITS)
    assert [patience.may_look() for _ in range(4)] == [True, True, False, False]


def test_a_cell_begins_the_count_of_looks_anew():
    patience = Patience(LIMITS)
    patience.may_look()
    patience.went_well()
    assert [patience.may_look() for _ in range(3)] == [True, True, False]


def test_a_look_does_not_excuse_what_was_refused():
    patience = Patience(LIMITS)
    assert patience.after_refusal()
    patience.may_look()
    assert patience.after_refusal()
    patience.may_look()
    assert not patience.after_refusal()


def test_a_look_shows_that_the_model_can_make_a_call():
    patience = Patience(LIMITS)
    assert not patience.has_no_tools("broken_arguments")
    patience.may_look()
    assert not patience.has_no_tools("broken_arguments")
    assert patience.has_no_tools("broken_arguments")
