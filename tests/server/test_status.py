"""`GET /cave-lab/status`: what the panel knows before the first message, and what is wrong."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cave_lab import __version__
from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.tour import TOUR_PREFIX
from tests.lab import KEY, KEY_VALUE
from tests.security.trying import refused
from tests.talk import Lab


async def status(lab: Lab) -> dict[str, Any]:
    """The status as the panel reads it."""
    answer = await lab.fetch("cave-lab/status")
    assert answer.code == 200
    return dict(json.loads(answer.body))


async def test_it_tells_the_model_the_modes_and_names_of_keys_but_no_key(lab: Lab) -> None:
    answer = await lab.fetch("cave-lab/status")
    told = json.loads(answer.body)
    assert told["version"] == __version__
    assert (told["model"]["model"], told["model"]["key_env"]) == ("openai/scripted", KEY)
    assert (told["model_locked"], told["tour_model"]) == (False, TOUR_PREFIX)
    assert told["allowed_modes"] == ["chat", "review", "auto"]
    assert (told["default_mode"], told["default_privacy"]) == ("review", "standard")
    assert KEY in told["key_names"]
    assert told["problems"] == []
    assert KEY_VALUE.encode() not in answer.body


@pytest.mark.parametrize("more_config", [{"CaveLab": {"model": ""}}], ids=["no model"])
async def test_without_a_model_there_is_none(lab: Lab) -> None:
    assert (await status(lab))["model"] is None


# ── a journal that can't be opened


async def test_a_journal_of_a_newer_version_is_told_as_a_problem_and_the_channel_is_503(
    lab: Lab, tmp_path: Path
) -> None:
    journal = await Journal.open(tmp_path / "journal", DEFAULT_LIMITS)
    await journal.close()
    file = tmp_path / "journal" / "cave_lab.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.commit()
    before = file.read_bytes()
    [problem] = (await status(lab))["problems"]
    assert "newer CaveLab" in problem
    assert await refused(lab) == 503
    answer = await lab.fetch("cave-lab/settings", method="PUT", body={"model": "openai/x"})
    assert (answer.code, json.loads(answer.body)["code"]) == (503, "journal_too_new")
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "more_config", [{"CaveLab": {"journal_dir": "/proc/no/such/place"}}], ids=["unwritable"]
)
async def test_a_journal_that_can_not_be_written_is_told_as_a_problem_and_the_channel_is_503(
    lab: Lab,
) -> None:
    [problem] = (await status(lab))["problems"]
    assert "can't be written" in problem
    assert await refused(lab) == 503
    assert (await lab.fetch("cave-lab/status")).code == 200


async def test_once_the_journal_can_be_opened_again_all_is_well_without_a_restart(
    lab: Lab, tmp_path: Path
) -> None:
    place = tmp_path / "journal"
    place.write_text("a file where the folder should be")
    assert len((await status(lab))["problems"]) == 1
    place.unlink()
    assert (await status(lab))["problems"] == []
    assert await refused(lab) is None


async def test_a_damaged_journal_is_set_aside_and_the_person_is_told(
    lab: Lab, tmp_path: Path
) -> None:
    place = tmp_path / "journal"
    place.mkdir()
    (place / "cave_lab.sqlite").write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    [problem] = (await status(lab))["problems"]
    assert "set aside" in problem
    assert await refused(lab) is None
    assert [path.name for path in place.glob("*.corrupt-*")] != []
