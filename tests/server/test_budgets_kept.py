"""Budgets as they are saved, read again, and told in words."""

import json
from typing import Any

import pytest

from cave_lab.protocol.content import Budget, Usage
from cave_lab.thread.usage import spent
from tests.fakes.model_server import ModelServer
from tests.security.test_06_owners import NAMED, browser_of
from tests.server.scenarios import begun
from tests.server.test_budgets import allow, greedy, with_settings
from tests.talk import Lab

# ── what is kept

BAD = [
    {"turn": {"runs": 0}},
    {"turn": {"runs": 1.5}},
    {"turn": {"runs": "many"}},
    {"turn": {"tokens": 999}},
    {"turn": {"cost": 0}},
    {"turn": {"cost": -1}},
    {"turn": {"cost": float("nan")}},
    {"turn": {"cost": float("inf")}},
    {"thread": {"seconds": 0.5}},
    {"thread": {"seconds": float("inf")}},
    {"thread": {"dollars": 1}},
    {"day": {"cost": 1}},
    {"turn": None},
    [],
    "much",
    None,
]


@pytest.mark.parametrize("body", BAD, ids=str)
async def test_budgets_that_are_none_are_refused_in_a_sentence(lab: Lab, body: Any) -> None:
    kept = await allow(lab, turn={"tokens": 5_000})
    answer = await lab.fetch("cave-lab/budgets", method="PUT", body=body or [])
    told = json.loads(answer.body)
    assert (answer.code, told["code"]) == (400, "invalid_command")
    assert told["message"].endswith("Nothing was changed.")
    status = json.loads((await lab.fetch("cave-lab/status")).body)
    assert status["budgets"] == kept["budgets"]


async def test_what_is_saved_replaces_all_that_was_allowed_before(lab: Lab) -> None:
    await allow(lab, turn={"tokens": 5_000}, thread={"cost": 2.5})
    status = await allow(lab, thread={"runs": 3})
    none = {"runs": None, "tokens": None, "cost": None, "seconds": None}
    assert status["budgets"] == {"turn": none, "thread": {**none, "runs": 3}}
    again = await allow(lab)
    assert again["budgets"] == {"turn": none, "thread": none}


@NAMED
async def test_each_person_has_budgets_of_their_own(lab: Lab) -> None:
    anna, ben = browser_of(lab, "anna"), browser_of(lab, "ben")
    await allow(anna, turn={"tokens": 5_000})
    status = json.loads((await ben.fetch("cave-lab/status")).body)
    assert status["budgets"]["turn"]["tokens"] is None


@pytest.mark.parametrize(
    "stored", ["words", [1], {"turn": {"sheep": 3}}], ids=["words", "a list", "another budget"]
)
@with_settings(max_tokens=2_000)
async def test_what_another_version_wrote_leaves_the_administrators_budgets(
    lab: Lab, model: ModelServer, stored: Any
) -> None:
    await (await lab.domain()).journal.set_setting("local", "budgets", stored)
    status = json.loads((await lab.fetch("cave-lab/status")).body)
    assert status["budgets"]["turn"]["tokens"] is None
    person = await begun(lab, model, greedy(), mode="auto")
    await person.say("please")
    assert await person.ended() == "max_tokens"


async def test_another_server_of_the_person_is_heard(lab: Lab, model: ModelServer) -> None:
    """All of a person's servers write to one journal."""
    await allow(lab, turn={"tokens": 90_000})
    person = await begun(lab, model, greedy())
    await person.say("please")
    card = await person.asked()
    journal = (await lab.domain()).journal
    await journal.set_setting("local", "budgets", {"turn": {"tokens": 2_000}})
    await person.answer(card)
    assert await person.ended() == "max_tokens"


# ── in words


@pytest.mark.parametrize(
    "budget, used, words",
    [
        (Budget(runs=1), Usage(runs=1), "its one run."),
        (Budget(runs=12), Usage(runs=12), "its 12 runs."),
        (Budget(cost=0.001), Usage(cost=0.002), "its $0.001."),
        (Budget(cost=0.01), Usage(cost=0.02), "its $0.01."),
        (Budget(cost=1_250), Usage(cost=1_300), "its $1,250.00."),
        (Budget(seconds=1), Usage(seconds=1), "its 1 second."),
        (Budget(seconds=25), Usage(seconds=26), "its 25 seconds."),
        (Budget(seconds=90), Usage(seconds=90), "its 90 seconds."),
        (Budget(seconds=150), Usage(seconds=150), "its 2.5 minutes."),
        (Budget(seconds=3_600), Usage(seconds=3_600), "its 60 minutes."),
        (Budget(tokens=400_000), Usage(prompt=400_000), "its 400,000 tokens."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_budget_is_told_as_it_was_set(budget: Budget, used: Usage, words: str) -> None:
    over = spent("thread", budget, used)
    assert over is not None
    assert over.sentence.endswith(words)
