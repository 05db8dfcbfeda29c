"""`POST /cave-lab/tour`: a notebook of the tour's own, and no other file."""

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest

from cave_lab.model.tour import TOUR_PREFIX
from tests.talk import Lab


async def begin(lab: Lab, directory: str = "") -> tuple[int, dict[str, Any]]:
    """Ask for the tour's notebook."""
    answer = await lab.fetch("cave-lab/tour", method="POST", body={"directory": directory})
    return answer.code, json.loads(answer.body)


def files(root: Path) -> dict[str, bytes]:
    """All files below a folder, without the checkpoints that Jupyter makes of any new notebook."""
    found = [path for path in root.rglob("*") if path.is_file()]
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in found
        if path.parent.name != ".ipynb_checkpoints"
    }


async def test_it_makes_a_valid_notebook_of_its_own_and_touches_no_other_file(
    lab: Lab, jp_root_dir: Path
) -> None:
    (jp_root_dir / "mine.ipynb").write_text("mine")
    (jp_root_dir / "data.csv").write_text("a,b\n")
    before = files(jp_root_dir)
    code, told = await begin(lab)
    assert code == 200
    assert told["model"] == TOUR_PREFIX
    assert len(told["prompts"]) >= 3
    after = files(jp_root_dir)
    assert set(after) - set(before) == {told["path"]}
    assert {name: after[name] for name in before} == before
    nbformat.validate(nbformat.reads(after[told["path"]].decode(), as_version=4))


async def test_a_second_one_gets_a_name_of_its_own(lab: Lab, jp_root_dir: Path) -> None:
    _, first = await begin(lab)
    kept = (jp_root_dir / first["path"]).read_bytes()
    _, second = await begin(lab)
    assert first["path"] != second["path"]
    assert (jp_root_dir / first["path"]).read_bytes() == kept


async def test_it_is_made_in_the_directory_that_is_open(lab: Lab, jp_root_dir: Path) -> None:
    (jp_root_dir / "deep" / "down").mkdir(parents=True)
    code, told = await begin(lab, "deep/down")
    assert (code, Path(told["path"]).parent) == (200, Path("deep/down"))
    assert (jp_root_dir / told["path"]).exists()


@pytest.mark.parametrize("directory", ["..", "../..", "deep/../../..", "/etc", "no/such/folder"])
async def test_it_is_never_made_outside_the_servers_root_nor_in_a_folder_that_is_not_there(
    lab: Lab, jp_root_dir: Path, directory: str
) -> None:
    code, told = await begin(lab, directory)
    assert code >= 400
    assert told["message"]
    assert list(jp_root_dir.parent.rglob("*.ipynb")) == []
