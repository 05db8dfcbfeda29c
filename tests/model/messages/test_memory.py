"""What a model is told of a variable's cell: gone only if it was once there."""

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.messages.memory import Memory
from cave_lab.model.messages.view import Terms
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.content import Outline, OutlineCell, Variable
from cave_lab.protocol.ids import CellId, Generation, RunId, Sha256, TurnId
from cave_lab.state.values import RunState, VariablesView

SHA = Sha256("a" * 64)
GONE = "x: int (its cell is gone)"


def memory() -> Memory:
    return Memory(Terms("full", Redactor({}), DEFAULT_LIMITS))


def notebook(*names: str) -> Outline:
    cells = [
        OutlineCell(
            cell_id=name, cell_type="code", sha256=Sha256(name.encode().hex().rjust(64, "0"))
        )
        for name in names
    ]
    return Outline(cells=cells, total=len(cells))


def told(knows: Memory, cell_id: str) -> str:
    """What is told of a variable that this cell bound."""
    x = Variable(name="x", type="int", kind="number", cell_id=CellId(cell_id), cell_sha256=SHA)
    seen = VariablesView(
        generation=Generation("1-a"), variables=[x], total=1, omitted={}, unavailable=None
    )
    return knows.variables(seen).splitlines()[1]


def ran(cell_id: str, placed: str | None) -> RunState:
    return RunState(
        run_id=RunId("run-1"),
        turn_id=TurnId("turn-1"),
        call=1,
        phase="ended",
        sha256=SHA,
        cell_id=CellId(cell_id),
        status="ok",
        placed=placed,
    )


def test_a_cell_that_was_in_the_notebook_and_is_not_any_more_is_gone() -> None:
    knows = memory()
    knows.see(notebook("a", "b"))
    knows.see(notebook("a"))
    assert told(knows, "b") == GONE


def test_a_cell_of_a_console_or_of_another_notebook_at_the_kernel_is_not_gone() -> None:
    knows = memory()
    knows.see(notebook("a", "b"))
    assert told(knows, "elsewhere") == "x: int"


def test_no_cell_is_gone_from_a_notebook_whose_cells_all_have_new_ids() -> None:
    """As those of a format without ids have, each time it is opened."""
    knows = memory()
    knows.see(notebook("a", "b"))
    knows.see(notebook("c", "d"))
    assert told(knows, "a") == "x: int"


def test_no_cell_is_gone_for_a_thread_that_went_on_to_another_notebook_and_came_back() -> None:
    knows = memory()
    knows.see(notebook("a", "b"))
    knows.see(notebook("other"))
    knows.see(notebook("a", "b"))
    assert told(knows, "other") == "x: int"
    knows.see(notebook("a"))
    assert "gone" in told(knows, "b")


def test_a_cell_of_the_models_own_that_was_placed_and_taken_out_is_gone() -> None:
    knows = memory()
    knows.see(notebook("a"))
    knows.ran(ran("own", placed="in_document"))
    knows.see(notebook("a"))
    assert told(knows, "own") == GONE


def test_a_cell_of_the_models_own_that_is_not_yet_in_the_notebook_is_not_gone() -> None:
    knows = memory()
    knows.see(notebook("a"))
    knows.ran(ran("own", placed=None))
    knows.see(notebook("a"))
    assert told(knows, "own") == "x: int"


def test_what_was_once_there_is_known_again_from_the_lessons() -> None:
    first, again = memory(), memory()
    first.see(notebook("a", "b"))
    again.recall(first.learnt())
    again.see(notebook("a"))
    assert told(again, "b") == GONE
