import os
from pathlib import Path

import pytest

from cave_lab.journal import process
from cave_lab.journal.process import birth_of, host_name, own_birth


def test_the_birth_of_a_process_is_the_same_each_time():
    assert own_birth() != ""
    assert birth_of(os.getpid()) == own_birth() == birth_of(os.getpid())


def test_two_processes_have_different_births():
    assert birth_of(os.getpid()) != birth_of(1)


def test_no_process_has_no_birth():
    # Above any pid that a system gives out.
    assert birth_of(2**22 + 1) is None


def test_ps_tells_births_where_there_is_no_proc(monkeypatch):
    monkeypatch.setattr(process, "PROC", Path("/nowhere"))
    born = birth_of(os.getpid())
    assert born is not None
    assert born == birth_of(os.getpid()) == process._birth_by_ps(os.getpid())
    assert birth_of(2**22 + 1) is None


def test_the_host_has_a_name():
    assert host_name() == host_name() != ""


@pytest.mark.parametrize("name", ["a) b", "((", "x y z", ") R 1 2 3"])
def test_a_process_may_have_any_name(monkeypatch, tmp_path, name):
    stat = tmp_path / "7" / "stat"
    stat.parent.mkdir()
    fields = " ".join(str(number) for number in range(4, 53))
    stat.write_text(f"7 ({name}) S {fields}")
    monkeypatch.setattr(process, "PROC", tmp_path)
    born = process._birth_by_proc(7)
    assert born is not None
    assert born.endswith(":22")
