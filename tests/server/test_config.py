"""What an administrator sets on `c.CaveLab`, and that it holds."""

import json
from pathlib import Path
from typing import Any

import pytest
from traitlets import TraitError
from traitlets.config import Config

from cave_lab.journal.drafts import DRAFT
from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.script import Cell, Say, ScriptedTurn, Tokens
from cave_lab.protocol.content import Target
from cave_lab.protocol.ids import ThreadId
from cave_lab.protocol.thread_events import ThreadCreated
from cave_lab.server.config import Settings
from cave_lab.server.extension import CaveLab
from cave_lab.server.policy import journal_folder, policy_of
from cave_lab.thread.service import ThreadService
from cave_lab.thread.services import Policy
from tests.fakes.model_server import ModelServer
from tests.security.services import services_over
from tests.server.process import Served
from tests.server.scenarios import asked, script, told
from tests.talk import Lab, Person, Refused


def policy(**traits: Any) -> Policy:
    """The policy that these traits make."""
    return policy_of(CaveLab(config=Config({"CaveLab": traits})))


async def refusal(work: Any) -> str:
    """The code with which a command is rejected."""
    with pytest.raises(Refused) as refused:
        await work
    return refused.value.code


# ── what the traits take


def test_without_configuration_a_run_asks_and_values_stay_here() -> None:
    assert policy() == Policy()
    assert (policy().default_mode, policy().default_privacy) == ("review", "standard")
    assert policy().budgets.turn.runs == DEFAULT_LIMITS.runs_per_turn
    assert policy().budgets.turn.tokens == DEFAULT_LIMITS.tokens_per_turn
    assert policy().budgets.turn.seconds == DEFAULT_LIMITS.seconds_per_turn


@pytest.mark.parametrize(
    "wrong",
    [
        {"allowed_modes": ["everything"]},
        {"default_mode": "yolo"},
        {"default_privacy": "none"},
        {"max_runs": 0},
        {"max_tokens": 10},
        {"max_seconds": 0},
        {"allowed_models": [1]},
        {"probe": "perhaps"},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_value_that_means_nothing_is_refused_at_the_start(wrong: dict[str, Any]) -> None:
    with pytest.raises(TraitError):
        CaveLab(config=Config({"CaveLab": wrong}))


async def runs_without_us(served: Served) -> bool:
    """Whether the server answers, and nothing of ours is there."""
    await served.start()
    browser = await served.browser()
    ours = (await browser.fetch("cave-lab/status")).code
    theirs = (await browser.fetch("api/status")).code
    await served.stop()
    return (ours, theirs) == (404, 200) and "CaveLab is left out until" in served.log


@pytest.mark.timeout(300)
async def test_with_a_value_that_means_nothing_the_server_runs_without_us_not_with_our_defaults(
    tmp_path: Path,
) -> None:
    """Jupyter would drop all values: the lock on the model too, beside a mode misspelt."""
    served = Served(tmp_path, cave_lab={"allowed_modes": ["reveiw"], "lock_model": True})
    assert await runs_without_us(served)
    assert "reveiw" in served.log


@pytest.mark.timeout(300)
async def test_with_a_file_of_ours_that_is_broken_off_the_server_runs_without_us(
    tmp_path: Path,
) -> None:
    served = Served(tmp_path)
    file = served.config_file.with_name("jupyter_cave_lab_config.json")
    file.write_text('{"CaveLab": {"lock_model": tru')
    assert await runs_without_us(served)
    assert file.stem in served.log


@pytest.mark.parametrize(
    ("allowed", "default", "modes", "mode"),
    [
        (["auto", "review", "chat"], "auto", ("chat", "review", "auto"), "auto"),
        (["auto", "chat"], "review", ("chat", "auto"), "chat"),
        (["auto", "review"], "chat", ("review", "auto"), "review"),
        (["chat"], "review", ("chat",), "chat"),
        ([], "auto", ("chat",), "chat"),
    ],
)
def test_a_default_that_is_not_allowed_gives_way_to_the_most_careful_mode(
    allowed: list[str], default: str, modes: tuple[str, ...], mode: str
) -> None:
    made = policy(allowed_modes=allowed, default_mode=default)
    assert (made.allowed_modes, made.default_mode) == (modes, mode)


def test_the_journal_lies_in_jupyters_data_folder_unless_it_is_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert journal_folder(Settings()) == tmp_path / "data" / "cave_lab"
    assert journal_folder(Settings(journal_dir="/srv/journal")) == Path("/srv/journal")
    assert journal_folder(Settings(journal_dir="~/journal")) == tmp_path / "journal"


# ── the cap on modes

NO_AUTO = {"CaveLab": {"allowed_modes": ["chat", "review"]}}


@pytest.mark.parametrize("more_config", [NO_AUTO], ids=["no auto"])
async def test_a_mode_that_is_not_allowed_can_neither_be_begun_nor_chosen(lab: Lab) -> None:
    talk = await lab.connect()
    assert talk.hello["allowed_modes"] == ["chat", "review"]
    begin = talk.ask("thread.create", target={}, settings={"mode": "auto"})
    assert await refusal(begin) == "mode_not_allowed"
    person = await Person.at(lab, {})
    assert await refusal(person.do("thread.change", mode="auto")) == "mode_not_allowed"
    assert person.state.mode == "review"
    status = json.loads((await lab.fetch("cave-lab/status")).body)
    assert status["allowed_modes"] == ["chat", "review"]


@pytest.mark.parametrize(
    ("allowed", "mode"), [(("chat", "review"), "review"), (("chat", "review", "auto"), "auto")]
)
async def test_a_thread_in_a_mode_that_is_allowed_no_more_is_brought_back_and_says_so(
    tmp_path: Path, allowed: Any, mode: str
) -> None:
    thread_id = ThreadId("thread-1")
    first = await Journal.open(tmp_path, DEFAULT_LIMITS)
    created = ThreadCreated(
        **DRAFT, title="t", owner="local", target=Target(), mode="auto", privacy="standard"
    )
    await first.append(thread_id, [created])
    await first.close()
    journal = await Journal.open(tmp_path, DEFAULT_LIMITS)
    service = ThreadService(services_over(journal, Policy(allowed_modes=allowed)))
    thread = await service.get(thread_id, "local")
    assert thread.state.mode == mode
    types = [event.type for event in await journal.events(thread_id)]
    assert types == ["thread.created", *["thread.changed"] * (mode == "review")]
    await service.close()
    await journal.close()


# ── the probe


@pytest.mark.parametrize("more_config", [{"CaveLab": {"probe": False}}], ids=["no probe"])
async def test_without_the_probe_runs_work_and_the_model_is_told_of_no_variable(
    lab: Lab, model: ModelServer
) -> None:
    model.load(script(asked("go", Cell("x = 41 + 1\nx", "Add")), told("42", Say("Done."))))
    person = await Person.at(lab, await lab.notebook())
    await person.say("go")
    await person.answer(await person.asked())
    assert await person.ended() == "end_turn"
    seen = await person.do("variables.look")
    assert (seen["variables"], bool(seen["unavailable"])) == ([], True)


# ── budgets


def calls_for_ever() -> ScriptedTurn:
    """A model that never has enough."""
    return ScriptedTurn("again", answer=(Cell("1", "Again"),), usage=Tokens(900, 200))


@pytest.mark.parametrize(
    ("more_config", "reason", "runs"),
    [
        ({"CaveLab": {"max_runs": 2}}, "max_runs", 2),
        ({"CaveLab": {"max_tokens": 3_000}}, "max_tokens", 3),
        ({"CaveLab": {"max_seconds": 1.0, "max_runs": 200}}, "max_time", None),
    ],
    ids=["runs", "tokens", "seconds"],
)
async def test_a_budget_ends_the_turn_and_says_which(
    lab: Lab, model: ModelServer, reason: str, runs: int | None
) -> None:
    model.load(script(calls_for_ever()))
    person = await Person.at(lab, await lab.notebook(), mode="auto")
    await person.say("go")
    assert await person.ended() == reason
    if runs is not None:
        assert len(person.state.runs) == runs
    notice = await person.talk.event("notice")
    assert (notice["code"], notice["actions"]) == (reason, ["go_on"])
