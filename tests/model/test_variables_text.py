"""The table of variables: whole at first, then what changed, never more than its budget."""

from dataclasses import replace

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.variables_text import (
    Names,
    Table,
    brief,
    changes_text,
    describe,
    names_after,
    names_of,
    variables_text,
)
from cave_lab.protocol.content import Column, ValueBrief, Variable, VariableChange
from cave_lab.protocol.ids import Generation
from cave_lab.state.values import VariablesView

FRAME = Variable(
    name="df",
    type="DataFrame",
    kind="frame",
    shape=[100, 2],
    columns=[Column(name="month", dtype="object"), Column(name="revenue", dtype="float64")],
    columns_total=2,
)
NUMBER = Variable(name="n", type="int", kind="number")


def view(
    *variables: Variable,
    generation: str | None = "1-a",
    total: int | None = None,
    unavailable: str | None = None,
    age: float = 0.0,
) -> VariablesView:
    return VariablesView(
        generation=generation,
        variables=list(variables),
        total=len(variables) if total is None else total,
        omitted={},
        unavailable=unavailable,
        age_seconds=age,
    )


def text(
    now: VariablesView, before: VariablesView | None = None, known: Names | None = None
) -> str:
    if known is None:
        known = {} if before is None else names_of(before)
    table = None if before is None else Table.of(before, None)
    return variables_text(Table.of(now, None), table, known, DEFAULT_LIMITS)


# ── one variable


@pytest.mark.parametrize(
    "variable, line",
    [
        (NUMBER, "n: int"),
        (FRAME, "df: DataFrame 100×2 [month object, revenue float64]"),
        (
            FRAME.model_copy(update={"columns_total": 9}),
            "df: DataFrame 100×2 [month object, revenue float64, … 7 more columns]",
        ),
        (Variable(name="xs", type="list", kind="list", length=3), "xs: list of 3"),
        (
            Variable(name="a", type="ndarray", kind="array", shape=[2, 3], dtype="float64"),
            "a: ndarray 2×3 float64",
        ),
        (
            Variable(name="f", type="function", kind="function", summary="f(x)"),
            "f: function (f(x))",
        ),
        (NUMBER.model_copy(update={"preview": "42"}), "n: int = 42"),
    ],
)
def test_a_variable_is_one_line_of_what_matters(variable: Variable, line: str) -> None:
    assert describe(variable) == line


@pytest.mark.parametrize(
    "value, words",
    [
        (None, ""),
        (ValueBrief(type="int"), "int"),
        (ValueBrief(type="list", length=3), "list of 3"),
        (ValueBrief(type="DataFrame", shape=[12, 2]), "DataFrame 12×2"),
    ],
)
def test_a_value_is_a_few_words(value: ValueBrief | None, words: str) -> None:
    assert brief(value) == words


def test_what_a_run_did_is_a_list_of_signs() -> None:
    frame = ValueBrief(type="DataFrame", shape=[12, 2])
    changes = [
        VariableChange(name="monthly", kind="added", after=frame),
        VariableChange(name="tmp", kind="removed"),
        VariableChange(name="df", kind="rebound"),
        VariableChange(name="xs", kind="changed"),
        VariableChange(name="model", kind="maybe_changed"),
    ]
    assert changes_text(changes) == "+monthly (DataFrame 12×2) -tmp ~df ~xs ~?model"


# ── the table


def test_the_first_table_is_whole() -> None:
    assert text(view(FRAME, NUMBER)).splitlines() == [describe(FRAME), "n: int"]


def test_an_empty_kernel_is_said_to_be_empty() -> None:
    assert text(view()) == "no variables"


def test_then_only_what_changed_is_told() -> None:
    before = view(FRAME, NUMBER)
    wider = FRAME.model_copy(update={"shape": [100, 3]})
    new = Variable(name="top", type="str", kind="text", length=4)
    assert text(view(wider, new), before).splitlines() == [
        "+top: str of 4",
        f"~{describe(wider)}",
        "-n",
    ]


def test_no_change_is_said_as_far_as_it_can_be_known() -> None:
    assert text(view(NUMBER), view(NUMBER)) == "names, types and shapes as before (1 variables)"


def test_what_is_not_listed_is_not_called_removed() -> None:
    assert "-n" not in text(view(FRAME, total=900), view(FRAME, NUMBER, total=900))


def test_another_memory_gets_a_whole_table_and_the_names_that_are_gone() -> None:
    now = text(view(NUMBER, generation="2-b"), view(FRAME, NUMBER))
    assert now.splitlines() == [
        "The kernel lost its memory since the last table. Gone: df.",
        "n: int",
    ]


def test_a_memory_that_can_not_be_seen_yet_is_said_to_be_another() -> None:
    now = view(generation="2-b", unavailable="The kernel is busy.")
    assert text(now, view(FRAME)).splitlines() == [
        "The kernel is busy.",
        "The kernel lost its memory since the last table. Gone: df.",
    ]


def test_what_runs_made_since_the_table_is_lost_too_and_named_first() -> None:
    table = view(FRAME, NUMBER)
    made = [VariableChange(name="top", kind="added"), VariableChange(name="df", kind="removed")]
    known = names_after(names_of(table), made, Generation("1-a"))
    now = text(view(generation="3-c"), table, known)
    assert now.splitlines()[0] == "The kernel lost its memory since the last table. Gone: top, n."


def test_what_was_made_between_two_losses_is_lost_too_though_no_table_was_seen_there() -> None:
    table = view(FRAME)
    changes = [VariableChange(name="top", kind="added")]
    known = names_after(names_of(table), changes, Generation("2-b"))
    assert "Gone: top, df." in text(view(generation="3-c"), table, known)
    assert "Gone: top." in text(
        view(generation="3-c"), None, names_after({}, changes, Generation("2-b"))
    )
    assert "Gone: df." in text(view(NUMBER, generation="2-b"), table, known)


def test_names_of_lost_variables_are_bounded_and_the_rest_are_counted() -> None:
    now = text(view(generation="2-b"), view(*many(100)))
    assert now.splitlines()[0].endswith("v18, v19 and 80 more.")


def test_the_same_memory_that_can_not_be_seen_is_not_called_lost() -> None:
    assert text(view(unavailable="It is busy."), view(FRAME)) == "It is busy."
    assert text(view(generation=None, unavailable="None runs."), view(FRAME)) == "None runs."


def test_an_old_look_says_how_old_it_is() -> None:
    assert text(view(NUMBER, age=34.6)).splitlines() == [
        "(The kernel does not answer; this is what it held 35 s ago.)",
        "n: int",
    ]


# ── the budget


def many(count: int) -> list[Variable]:
    return [Variable(name=f"v{number}", type="int", kind="number") for number in range(count)]


def test_no_more_rows_than_the_budget_and_the_rest_is_counted() -> None:
    lines = text(view(*many(100), total=157)).splitlines()
    assert lines[0] == "v0: int"
    assert len(lines) == DEFAULT_LIMITS.model_variables + 1
    assert lines[-1] == f"… {157 - DEFAULT_LIMITS.model_variables} more"


def test_no_more_changes_than_the_budget_either() -> None:
    lines = text(view(*many(100)), view()).splitlines()
    assert lines[-1] == f"… {100 - DEFAULT_LIMITS.model_variables} more changes"


def test_wide_frames_do_not_crowd_out_the_message() -> None:
    columns = [Column(name=f"a long name of a column {n}", dtype="float64") for n in range(50)]
    frames = [FRAME.model_copy(update={"name": f"f{n}", "columns": columns}) for n in range(30)]
    table = text(view(*frames))
    assert len(table) < DEFAULT_LIMITS.model_variables_chars + 1_000
    assert "more" in table.splitlines()[-1]


def test_one_enormous_row_is_cut_and_shown_all_the_same() -> None:
    huge = Variable(name="x" * 100_000, type="int", kind="number")
    limits = replace(DEFAULT_LIMITS, model_variables_chars=300)
    first, more = variables_text(Table.of(view(huge, NUMBER), None), None, {}, limits).splitlines()
    assert len(first) == 301
    assert first.endswith("…")
    assert more == "… 1 more"
