"""The notebook in the model's words: each cell once, the nearest first, within a budget."""

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.outline_text import CELL_CHARS, Cells, outline_text
from cave_lab.privacy.redact import MASK, Redactor
from cave_lab.protocol.content import Excerpt, Outline, OutlineCell
from cave_lab.protocol.ids import Sha256
from cave_lab.protocol.words import PrivacyMode


def cell(name: str, source: str | None, digit: str = "0", output: str | None = None) -> OutlineCell:
    return OutlineCell(
        cell_id=name,
        cell_type="code",
        sha256=Sha256(digit * 64),
        source=source,
        output=None if output is None else Excerpt(head=output, total=len(output)),
        execution_count=3,
    )


def told(
    *cells: OutlineCell,
    known: dict[str, str] | None = None,
    anchor: str | None = None,
    privacy: PrivacyMode = "standard",
    limit: int = 10_000,
    total: int = 0,
    redact: Redactor | None = None,
) -> Cells:
    outline = Outline(cells=list(cells), total=total or len(cells))
    return outline_text(outline, known or {}, anchor, privacy, limit, redact or Redactor({}))


def test_every_cell_with_a_source_is_told_in_the_notebooks_order() -> None:
    cells = told(cell("a", "x = 1"), cell("b", "y = 2"), anchor="b")
    assert cells.text.splitlines() == [
        "# cell 1, code, run as [3]",
        "x = 1",
        "# cell 2, code, run as [3], new cells go behind this one",
        "y = 2",
    ]
    assert set(cells.told) == {"a", "b"}


def test_a_cell_that_is_known_is_not_repeated_and_one_that_changed_is() -> None:
    known = {"a": "0" * 64, "b": "0" * 64}
    cells = told(cell("a", "x = 1"), cell("b", "y = 3", "1"), known=known)
    assert "x = 1" not in cells.text
    assert "y = 3" in cells.text
    assert "(1 of 2 cells as before or not shown)" in cells.text
    assert cells.told == {"b": "1" * 64}


def test_where_the_person_is_is_said_also_of_a_known_cell() -> None:
    cells = told(cell("a", "x"), cell("b", "y"), known={"b": "0" * 64}, anchor="b")
    assert "(the person is at cell 2)" in cells.text


def test_a_cell_without_a_source_is_not_told_and_so_not_known() -> None:
    cells = told(cell("a", None), cell("b", "y"))
    assert set(cells.told) == {"b"}
    assert "(1 of 2 cells not shown)" in cells.text


def test_the_cells_nearest_to_the_person_come_first_in_line_for_the_budget() -> None:
    cells = [cell(f"c{number}", f"{number}" * 100) for number in range(9)]
    near = told(*cells, anchor="c4", limit=500)
    assert set(near.told) == {"c3", "c4", "c5"}
    assert near.text.index("3" * 100) < near.text.index("4" * 100) < near.text.index("5" * 100)


def test_without_an_anchor_the_end_of_the_notebook_is_nearest() -> None:
    cells = [cell(f"c{number}", f"{number}" * 100) for number in range(9)]
    assert set(told(*cells, limit=300).told) == {"c7", "c8"}


def test_a_long_cell_is_shown_by_head_and_tail() -> None:
    text = told(cell("a", "head\n" + "x" * 10_000 + "\ntail")).text
    assert len(text) < CELL_CHARS + 400
    assert "head" in text
    assert text.endswith("tail")
    assert "characters are not shown" in text


def test_outputs_of_the_persons_cells_are_told_only_in_full() -> None:
    mine = cell("a", "x", output="secret value")
    assert "secret value" not in told(mine).text
    assert "secret value" not in told(mine, privacy="schema").text
    assert "# its output:\nsecret value" in told(mine, privacy="full").text


def test_a_secret_at_the_cut_of_a_long_cell_leaves_no_half() -> None:
    canary = "canary-value-0123456789"
    at = CELL_CHARS // 2 - 10
    text = told(
        cell("a", "x" * at + canary + "x" * 9_000), redact=Redactor({"MY_API_KEY": canary})
    ).text
    assert "canary" not in text
    assert MASK[:3] in text


def test_cells_of_our_own_are_marked() -> None:
    ours = cell("a", "x").model_copy(update={"by_cave_lab": True})
    assert ", by you" in told(ours).text


# ── a notebook of 2,000 cells


def large(*, changed: int | None = None) -> list[OutlineCell]:
    """2,000 cells of 60 characters; one of them may be another now."""
    return [
        cell(f"c{n}", f"x{n} = {'1' * 50}" if n != changed else "edited = True", "01"[n == changed])
        for n in range(2_000)
    ]


def test_of_2000_cells_a_window_around_the_anchor_is_told_within_the_budget() -> None:
    limit = DEFAULT_LIMITS.outline_chars
    cells = told(*large(), anchor="c1000", limit=limit)
    numbers = sorted(int(name[1:]) for name in cells.told)
    assert len(cells.text) <= limit + 200
    assert numbers == list(range(numbers[0], numbers[-1] + 1)), "without gaps"
    assert abs((numbers[0] + numbers[-1]) / 2 - 1_000) <= 1, "around the anchor"
    assert f"({2_000 - len(numbers)} of 2000 cells not shown)" in cells.text


def test_of_2000_known_cells_only_the_one_that_changed_is_told() -> None:
    known: dict[str, str] = {one.cell_id: one.sha256 for one in large()}
    cells = told(*large(changed=7), known=known, anchor="c1000", limit=DEFAULT_LIMITS.outline_chars)
    assert set(cells.told) == {"c7"}
    assert "edited = True" in cells.text
    assert len(cells.text) < 300


def test_a_cell_keeps_its_place_by_its_id_when_cells_come_and_go_before_it() -> None:
    known: dict[str, str] = {one.cell_id: one.sha256 for one in large()}
    moved = [cell("new", "z = 1"), *large()[500:]]
    cells = told(*moved, known=known, anchor="c1000", limit=DEFAULT_LIMITS.outline_chars)
    assert set(cells.told) == {"new"}
    assert "(the person is at cell 502)" in cells.text
