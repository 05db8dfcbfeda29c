import pytest

from cave_lab.kernel.port import Detail
from cave_lab.thread.looking import Page, detail_of
from cave_lab.thread.pages import is_reference


@pytest.mark.parametrize(
    "words, detail",
    [
        ("", Detail()),
        ("schema", Detail()),
        ("head", Detail("head")),
        ("column price", Detail("column", column="price")),
        ("column  unit  price", Detail("column", column="unit  price")),
        ("column a\nb", Detail("column", column="a\nb")),
        ("column column", Detail("column", column="column")),
        ("from 0", Detail("slice", start=0)),
        ("from 4000", Detail("slice", start=4000)),
        ("page 1", Page(1)),
        ("page 14", Page(14)),
        ("page 0", Page(0)),
    ],
)
def test_a_detail_is_read(words: str, detail: Detail | Page):
    assert detail_of(words) == detail


@pytest.mark.parametrize(
    "words",
    ["tail", "head 5", "column", "from", "from the start", "page", "page two", "from -1",
     f"from {'9' * 13}"],
)  # fmt: skip
def test_what_is_no_detail_is_known_as_none(words: str):
    assert detail_of(words) is None


@pytest.mark.parametrize(
    "name, is_one",
    [("out_ab12cd", True), ("out_ab12c", False), ("out_ab12cd7", False), ("out_result", False)],
)
def test_a_reference_is_told_from_other_names(name: str, is_one: bool):
    assert is_reference(name) == is_one
