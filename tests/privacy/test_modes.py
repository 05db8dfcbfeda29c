"""The table of privacy modes, one place for all of it."""

import pytest

from cave_lab.privacy.modes import cell_out, previews_wanted, run_output_out, variables_out
from cave_lab.protocol.content import Column, Excerpt, OutlineCell, Variable
from cave_lab.protocol.ids import Sha256
from cave_lab.protocol.words import PrivacyMode

FRAME = Variable(
    name="df",
    type="DataFrame",
    kind="frame",
    shape=[3, 1],
    columns=[Column(name="a", dtype="int64")],
    preview="a\n1",
)
SECRET = Variable(name="api_key", type="str", kind="text", length=20, preview="'canary'")
CELL = OutlineCell(
    cell_id="c",
    cell_type="code",
    sha256=Sha256("0" * 64),
    source="df",
    output=Excerpt(head="values", total=6),
)


@pytest.mark.parametrize("mode", ["schema", "standard"])
def test_values_stay_but_the_schema_leaves(mode: PrivacyMode) -> None:
    (frame,) = variables_out(mode, [FRAME])
    assert frame.preview is None
    assert frame.columns == FRAME.columns
    assert not previews_wanted(mode)
    assert cell_out(mode, CELL).output is None
    assert cell_out(mode, CELL).source == "df"


def test_full_lets_values_out() -> None:
    assert variables_out("full", [FRAME]) == [FRAME]
    assert cell_out("full", CELL) == CELL


def test_a_variable_named_like_a_secret_shows_no_more_than_its_type() -> None:
    (secret,) = variables_out("full", [SECRET])
    assert secret == Variable(name="api_key", type="str", kind="text")


def test_schema_keeps_outputs_of_runs_back() -> None:
    assert not run_output_out("schema")
    assert run_output_out("standard")
