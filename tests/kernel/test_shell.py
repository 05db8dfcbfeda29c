import pytest

from cave_lab.kernel.message import RUN_REQUEST, Header
from cave_lab.kernel.shell import UNKNOWN_CELL, Shell


def header(parent: str | None, kind: str | None, *, subshell: bool = False) -> Header:
    return Header("status", "m", parent, kind, subshell)


@pytest.mark.parametrize("kind", ["execute_request", RUN_REQUEST, "comm_msg"])
def test_what_runs_code_occupies_the_shell(kind):
    shell = Shell()
    assert shell.status(header("a", kind), "busy")
    assert shell.occupant == "a"
    assert shell.status(header("a", kind), "idle")
    assert shell.occupant is None


@pytest.mark.parametrize("kind", ["kernel_info_request", "debug_request", None])
def test_what_runs_no_code_does_not(kind):
    shell = Shell()
    assert not shell.status(header("a", kind), "busy")
    assert shell.occupant is None


def test_a_subshell_does_not_occupy_the_main_one():
    shell = Shell()
    shell.status(header("a", "comm_msg", subshell=True), "busy")
    assert shell.occupant is None


def test_the_next_request_takes_the_place_of_one_whose_idle_was_lost():
    shell = Shell()
    shell.status(header("a", "execute_request"), "busy")
    shell.status(header("b", "execute_request"), "busy")
    assert not shell.status(header("a", "execute_request"), "idle")
    assert shell.occupant == "b"


def test_the_end_of_a_cell_from_before_our_time_frees_the_shell():
    shell = Shell()
    shell.occupant = UNKNOWN_CELL
    assert shell.status(header("old", "execute_request"), "idle")
    assert shell.occupant is None


def test_only_the_present_occupant_can_be_released():
    shell = Shell()
    shell.status(header("b", "execute_request"), "busy")
    assert not shell.release("a")
    assert not shell.release(None)
    assert shell.release("b")
