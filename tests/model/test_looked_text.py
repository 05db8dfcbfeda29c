"""What a look gave, as the model is told of it under each privacy mode."""

from typing import Literal

import pytest

from cave_lab.model.looked_text import looked_text
from cave_lab.protocol.content import Column, Excerpt, Looked, Variable
from cave_lab.protocol.words import PrivacyMode
from cave_lab.state.values import LookItem

FRAME = Variable(
    name="df",
    type="DataFrame",
    kind="frame",
    shape=[3, 1],
    columns=[Column(name="price", dtype="int64")],
    columns_total=1,
)
ROW = "df: DataFrame 3×1 [price int64]"
HEAD = Excerpt(head="   price\n0   4711", total=15)
PAGE = Excerpt(head="line 7", total=6)
HELD_BACK = "What it holds is not shared with you"


def look(*answers: Looked, by: Literal["model", "user"] = "model") -> LookItem:
    """A look with these answers."""
    names = [answer.name for answer in answers]
    return LookItem(call=1, by=by, names=names, detail="head", answers=list(answers))


def test_a_variable_is_told_in_its_line_with_what_it_holds_below() -> None:
    told = looked_text(look(Looked(name="df", variable=FRAME, text=HEAD, values=True)), "full")
    assert told == f"<data>\n{ROW}\n   price\n0   4711\n</data>"


@pytest.mark.parametrize(
    "privacy, by, goes_out",
    [
        ("schema", "model", False),
        ("schema", "user", False),
        ("standard", "model", False),
        ("standard", "user", True),
        ("full", "model", True),
        ("full", "user", True),
    ],
)
def test_values_go_out_in_full_or_where_the_person_named_the_thing(
    privacy: PrivacyMode, by: Literal["model", "user"], goes_out: bool
) -> None:
    told = looked_text(
        look(Looked(name="df", variable=FRAME, text=HEAD, values=True), by=by), privacy
    )
    assert ROW in told
    assert ("4711" in told) == goes_out
    assert (f"{HELD_BACK} (privacy mode `{privacy}`)" in told) != goes_out


@pytest.mark.parametrize(
    "privacy, goes_out", [("schema", False), ("standard", True), ("full", True)]
)
def test_counts_and_outputs_of_our_runs_go_out_unless_only_the_schema_may(
    privacy: PrivacyMode, goes_out: bool
) -> None:
    told = looked_text(look(Looked(name="out_ab12cd", text=PAGE, note="Page 2 of 3.")), privacy)
    assert "out_ab12cd\nPage 2 of 3.\n" in told
    assert ("line 7" in told) == goes_out
    assert (HELD_BACK in told) != goes_out


def test_what_a_secret_holds_never_goes_out() -> None:
    secret = Variable(name="api_key", type="str", kind="text", length=20)
    answer = Looked(name="api_key", variable=secret, text=HEAD, values=True)
    assert "4711" not in looked_text(look(answer, by="user"), "full")


def test_one_reason_for_several_names_is_told_once() -> None:
    gone = [Looked(name=name, note="There is no variable of this name.") for name in ("a", "b")]
    told = looked_text(look(*gone, Looked(name="df", variable=FRAME)), "standard")
    assert told == f"<data>\na, b\nThere is no variable of this name.\n{ROW}\n</data>"


def test_text_that_was_cut_says_so() -> None:
    cut = Excerpt(head="ab", tail="yz", total=26, cut=True)
    assert "22 of 26 characters are not shown" in looked_text(
        look(Looked(name="t", text=cut)), "full"
    )
