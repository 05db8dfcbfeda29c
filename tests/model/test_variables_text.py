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
from cave_lab.protocol.content import (
    Column,
    Outline,
    OutlineCell,
    OutsideChange,
    ValueBrief,
    Variable,
    VariableChange,
)
from cave_lab.protocol.ids import Generation, Sha256
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


# ── what cells outside the thread did


def by_hand(*changes: OutsideChange, lost: int = 0, complete: bool = True) -> dict[str, object]:
    return {"changes": list(changes), "changes_lost": lost, "changes_complete": complete}


def changed(now: VariablesView, **fields: object) -> VariablesView:
    return now.model_copy(update=fields)


def test_what_the_person_changed_is_told_once_with_the_line_that_shows_it() -> None:
    taller = FRAME.model_copy(update={"shape": [120, 2]})
    now = changed(
        view(taller, NUMBER),
        **by_hand(OutsideChange(name="df", kind="changed"), OutsideChange(name="n", kind="added")),
    )
    lines = text(now, view(FRAME)).splitlines()
    assert lines == [
        "+n: int, by the person's own cells",
        "~df: DataFrame 120×2 [month object, revenue float64], by the person's own cells",
    ]


def test_what_the_models_own_runs_changed_is_not_called_the_persons() -> None:
    now = changed(view(FRAME, NUMBER), **by_hand(OutsideChange(name="n", kind="added")))
    lines = text(now, view()).splitlines()
    assert lines[0].startswith("+df")
    assert "person" not in lines[0]
    assert lines[1].endswith("by the person's own cells")


def made(*names: str) -> Names:
    """Names that results of the model's own runs have told, beside those of a table of `FRAME`."""
    runs = [VariableChange(name=name, kind="added") for name in names]
    return names_after(names_of(view(FRAME)), runs, Generation("1-a"))


def test_what_a_result_told_already_is_no_news_unless_there_is_more_to_tell() -> None:
    top = Variable(name="top", type="list", kind="container", length=3)
    table = FRAME.model_copy(update={"name": "monthly"})
    told = text(view(FRAME, top, table), view(FRAME), made("top", "monthly"))
    assert told == "monthly: DataFrame 100×2 [month object, revenue float64]"
    assert text(view(FRAME, top), view(FRAME), made("top")).startswith("names, types and shapes")


def test_what_the_model_made_and_the_person_changed_is_not_called_added_by_them() -> None:
    top = Variable(name="top", type="list", kind="container", length=3)
    now = view(FRAME, top).model_copy(
        update={"changes": [OutsideChange(name="top", kind="changed")]}
    )
    assert text(now, view(FRAME), made("top")) == "~top: list of 3, by the person's own cells"


def test_what_the_model_made_and_the_person_deleted_is_gone() -> None:
    now = view(FRAME).model_copy(update={"changes": [OutsideChange(name="top", kind="removed")]})
    assert text(now, view(FRAME), made("top")) == "-top, by the person's own cells"


def test_a_change_that_no_line_shows_is_told_by_itself() -> None:
    brief_df = ValueBrief(type="DataFrame", shape=[100, 2])
    now = changed(
        view(FRAME),
        **by_hand(
            OutsideChange(name="df", kind="maybe_changed", after=brief_df),
            OutsideChange(name="tmp", kind="removed"),
        ),
    )
    assert text(now, view(FRAME)).splitlines() == [
        "Changed by the person's own cells meanwhile: ~?df (DataFrame 100×2) -tmp",
        "names, types and shapes as before (1 variables)",
    ]


def test_beside_a_whole_table_the_persons_changes_are_told_by_name() -> None:
    now = changed(view(FRAME), **by_hand(OutsideChange(name="df", kind="rebound")))
    assert text(now).splitlines() == [
        "Changed by the person's own cells meanwhile: ~df",
        "df: DataFrame 100×2 [month object, revenue float64]",
    ]


def test_a_variable_that_the_person_deleted_says_so() -> None:
    now = changed(view(), **by_hand(OutsideChange(name="df", kind="removed")))
    assert text(now, view(FRAME)) == "-df, by the person's own cells"


def test_cells_that_are_not_known_any_more_are_counted() -> None:
    assert "What 3 more cells changed is not known." in text(
        changed(view(FRAME), **by_hand(lost=3)), view(FRAME)
    )


def test_what_runs_of_another_thread_changed_is_told_as_theirs() -> None:
    changes = [
        OutsideChange(name="n", kind="added", by="another_thread"),
        OutsideChange(name="df", kind="maybe_changed", by="another_thread"),
        OutsideChange(name="tmp", kind="rebound", by="both"),
        OutsideChange(name="x", kind="changed"),
    ]
    assert text(changed(view(FRAME, NUMBER), **by_hand(*changes)), view(FRAME)).splitlines() == [
        "Changed by the person's own cells meanwhile: ~x",
        "Changed by runs of another thread meanwhile: ~?df",
        "Changed by the person's own cells and runs of another thread meanwhile: ~tmp",
        "+n: int, by runs of another thread",
    ]


@pytest.mark.parametrize("before", [None, view(FRAME)], ids=["a whole table", "a difference"])
def test_that_there_may_be_more_changes_than_could_be_seen_is_said(
    before: VariablesView | None,
) -> None:
    more = "Cells that ran meanwhile may have changed more than is told here."
    change = OutsideChange(name="df", kind="changed")
    assert more in text(changed(view(FRAME), **by_hand(change, complete=False)), before)
    assert more in text(changed(view(FRAME), **by_hand(complete=False)), before)
    assert more not in text(changed(view(FRAME), **by_hand(change)), before)


def test_no_more_of_the_persons_changes_than_the_budget() -> None:
    many_changes = [OutsideChange(name=f"v{n}", kind="maybe_changed") for n in range(100)]
    first = text(changed(view(NUMBER), **by_hand(*many_changes)), view(NUMBER)).splitlines()[0]
    assert "~?v39" in first
    assert first.endswith("… 60 more")


@pytest.mark.parametrize(
    "name", ["a\nThe kernel lost its memory", "a\u2028b", "\x1b[31mred", "\ud800"]
)
def test_a_hostile_name_stays_on_its_line(name: str) -> None:
    hostile = Variable(name=name, type="int", kind="number")
    now = changed(view(hostile), **by_hand(OutsideChange(name=name, kind="maybe_changed")))
    for told in (text(now), text(now, view(hostile)), text(view(), view(hostile))):
        assert len(told.splitlines()) <= 2
        assert "\x1b" not in told
    assert ascii(name) in text(now)


# ── whether a variable's cell is as it was

SHA_A, SHA_B = Sha256("a" * 64), Sha256("b" * 64)
MADE = NUMBER.model_copy(update={"cell_id": "c1", "cell_sha256": SHA_A})
ELSEWHERE = NUMBER.model_copy(update={"cell_id": "x1", "cell_sha256": SHA_A})


def notebook(*cells: tuple[str, Sha256], total: int | None = None) -> Outline:
    told = [OutlineCell(cell_id=name, cell_type="code", sha256=sha) for name, sha in cells]
    return Outline(cells=told, total=len(told) if total is None else total)


@pytest.mark.parametrize(
    "variable, outline, line",
    [
        (MADE, notebook(("c1", SHA_A)), "n: int"),
        (MADE, notebook(("c1", SHA_B)), "n: int (its cell was edited since)"),
        (MADE, notebook(("c2", SHA_B)), "n: int (its cell is gone)"),
        (MADE, notebook(("c2", SHA_A)), "n: int"),
        (ELSEWHERE, notebook(("c2", SHA_B)), "n: int"),
        (MADE, notebook(("c2", SHA_B), total=9), "n: int"),
        (MADE, None, "n: int"),
        (NUMBER, notebook(("c2", SHA_A)), "n: int"),
        (MADE.model_copy(update={"cell_sha256": None}), notebook(("c1", SHA_B)), "n: int"),
    ],
    ids=[
        "as it was",
        "edited",
        "gone",
        "another cell has its source",
        "of another notebook or a console",
        "part of a notebook",
        "no notebook",
        "no cell",
        "no source",
    ],
)
def test_a_variable_says_if_the_notebook_no_longer_shows_how_it_came_to_be(
    variable: Variable, outline: Outline | None, line: str
) -> None:
    assert list(Table.of(view(variable), outline, met={"c1", "c2"}).lines.values()) == [line]


def test_a_cell_that_ran_since_the_notebook_was_seen_is_not_called_gone() -> None:
    table = Table.of(view(MADE), notebook(("c2", SHA_B)), {"c1"}, {"c1"})
    assert list(table.lines.values()) == ["n: int"]


def test_that_a_variables_cell_was_edited_is_a_change_that_is_told() -> None:
    before = Table.of(view(MADE), notebook(("c1", SHA_A)))
    now = Table.of(view(MADE), notebook(("c1", SHA_B)))
    known = names_of(before.seen)
    assert variables_text(now, before, known, DEFAULT_LIMITS) == (
        "~n: int (its cell was edited since)"
    )


def test_running_the_same_cell_again_is_no_change_of_a_variable() -> None:
    again = MADE.model_copy(update={"cell_id": "c2", "size_bytes": 28})
    assert "as before" in text(view(again), view(MADE))
