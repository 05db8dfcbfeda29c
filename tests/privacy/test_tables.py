"""A table that is cut still says what its columns are, and prose is no table."""

import pandas as pd
import pytest

from cave_lab.privacy.tables import header_above

ROWS = 60


def frame(**columns: object) -> pd.DataFrame:
    numbers = range(ROWS)
    return pd.DataFrame(
        {
            "price": [n * 1.5 for n in numbers],
            "city": [f"New Town {n}" for n in numbers],
            "sold at": pd.date_range("2026-01-01", periods=ROWS),
            **columns,
        }
    )


def cut(text: str, at: int = 30) -> tuple[str, str]:
    lines = text.split("\n")
    return "\n".join(lines[:at]), "\n".join(lines[at:])


def test_a_printed_frame() -> None:
    text = frame().to_string()
    assert header_above(*cut(text)) == text.split("\n")[0]


def test_a_printed_frame_behind_words() -> None:
    text = frame().to_string()
    header = text.split("\n")[0]
    assert header_above(*cut(f"Shape:\n(60, 3)\n{text}")) == header
    assert header_above(*cut(f"Shape:\n(60, 3)\n\n{text}")) == header


def test_an_index_with_a_name_and_columns_of_two_levels() -> None:
    named = frame().rename_axis("row").to_string()
    assert header_above(*cut(named)).split("\n") == [
        line.rstrip() for line in named.split("\n")[:2]
    ]
    two = pd.DataFrame({("a", "x"): range(ROWS), ("a", "y"): range(ROWS)})
    assert "x" in header_above(*cut(two.to_string()))


def test_a_frame_as_markdown_csv_and_with_tabs() -> None:
    lines = ["| a | b |", "|---|---|", *(f"| {n} | x{n} |" for n in range(ROWS))]
    assert header_above(*cut("\n".join(lines))) == "| a | b |\n|---|---|"
    assert header_above(*cut(frame().to_csv(index=False))) == "price,city,sold at"
    assert header_above(*cut(frame().to_csv(index=False, sep="\t"))) == "price\tcity\tsold at"


def test_a_table_of_words_with_a_rule_and_one_of_a_database() -> None:
    words = ["name  town", "----  ----", *(f"Ann {n}  Town {n}" for n in range(ROWS))]
    assert header_above(*cut("\n".join(words))) == "name  town\n----  ----"
    database = [" id | name ", "----+------", *(f" {n:2} | x{n}" for n in range(ROWS))]
    assert header_above(*cut("\n".join(database))) == " id | name\n----+------"


def test_a_frame_in_a_drawn_box() -> None:
    rows = [f"│ {n:3} ┆ x{n:<3} │" for n in range(ROWS)]
    box = ["┌─────┬──────┐", "│ a   ┆ b    │", "│ --- ┆ ---  │", "│ i64 ┆ str  │"]
    text = "\n".join([*box, "╞═════╪══════╡", *rows])
    assert header_above(*cut(text)).split("\n") == [*box[1:], "╞═════╪══════╡"]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"line {n}" for n in range(ROWS)),
        "\n".join(f"epoch {n}, loss 0.{n}, accuracy 0.{n}" for n in range(ROWS)),
        "\n".join("Some words, and more words, of a text." for _ in range(ROWS)),
        "\n".join(f"{n}  {n * 2}" for n in range(ROWS)),
        "\n".join(f"{{'id': {n}, 'name': 'x'}}," for n in range(ROWS)),
        "\n".join(f"    x{n} = {n}" for n in range(ROWS)),
        "",
        "\n" * ROWS,
    ],
)
def test_what_is_no_table_has_no_header(text: str) -> None:
    assert header_above(*cut(text)) == ""


def test_a_table_that_ended_lends_its_header_to_nothing() -> None:
    table = frame().to_string()
    assert header_above(f"{table}\n\nAnd then", "1  2\n3  4") == ""
    assert header_above(f"{table}\nAnd then", "1  2\n3  4") == ""
