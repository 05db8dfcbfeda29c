"""The REST edge of models and budgets: who may ask, and what is refused."""

import json
from typing import Any

import pytest

from cave_lab.model.local.servers import HUB_VARIABLES, ON_A_HUB
from cave_lab.model.port import ModelChoice
from cave_lab.model.script import Cell, Say, ScriptedTurn
from tests.fakes.model_server import ModelServer
from tests.lab import KEY, KEY_VALUE
from tests.server.scenarios import script
from tests.server.test_manners import asks_for, tried
from tests.server.test_settings import LOCKED, put
from tests.talk import Lab

FORGET = {"model": "openai/scripted", "api_base": None}
ASKS: list[tuple[str, str, Any]] = [
    ("PUT", "cave-lab/settings", {"model": "openai/other", "options": {"format": "fences"}}),
    ("PUT", "cave-lab/budgets", {"turn": {"tokens": 5_000}}),
    ("POST", "cave-lab/models/check", {"model": "openai/other"}),
    ("POST", "cave-lab/models/find", {}),
    ("POST", "cave-lab/models/forget", FORGET),
]
WITH_BODY = [ask for ask in ASKS if ask[2]]
EACH = pytest.mark.parametrize("method, path, body", ASKS, ids=[path for _, path, _ in ASKS])

UNDECIDED = {"window": None, "sees": None}


async def ask(
    lab: Lab, method: str, path: str, body: Any, headers: dict[str, str] | None = None
) -> tuple[int, dict[str, Any]]:
    """Ask, and read the answer."""
    answer = await lab.fetch(path, method=method, body=body, headers=headers)
    return answer.code, json.loads(answer.body)


async def status(lab: Lab) -> dict[str, Any]:
    """What the panel is told."""
    return (await ask(lab, "GET", "cave-lab/status", None))[1]


# ── who


@EACH
async def test_a_program_that_only_has_the_token_changes_and_finds_nothing(
    lab: Lab, model: ModelServer, method: str, path: str, body: Any
) -> None:
    before = await status(lab)
    code, told = await ask(lab, method, path, body, lab.token_headers)
    assert (code, told["code"]) == (403, "forbidden")
    assert told["message"].endswith(".")
    assert await status(lab) == before
    assert model.requests == []


@EACH
async def test_nobody_who_has_not_signed_in_is_answered(
    lab: Lab, method: str, path: str, body: Any
) -> None:
    code, told = await ask(lab, method, path, body, {})
    assert code == 403
    assert told.keys() == {"code", "message"}


@EACH
async def test_another_site_can_not_ask_with_the_persons_cookie(
    lab: Lab, model: ModelServer, method: str, path: str, body: Any
) -> None:
    before = await status(lab)
    headers = lab.headers(Origin="http://elsewhere.example")
    # Jupyter's own word for a page of elsewhere.
    assert (await ask(lab, method, path, body, headers))[0] == 404
    without_token = {k: v for k, v in lab.headers().items() if k != "X-XSRFToken"}
    assert (await ask(lab, method, path, body, without_token))[0] == 403
    assert await status(lab) == before
    assert model.requests == []


# ── bodies

BAD: dict[str, list[Any]] = {
    "cave-lab/settings": [
        {"model": "openai/x", "options": {"format": "smoke"}},
        {"model": "openai/x", "options": {"effort": "some"}},
        {"model": "openai/x", "options": {"plain_fences_run": "perhaps"}},
        {"model": "openai/x", "options": {"more": 1}},
        {"model": "openai/x", "options": None},
    ],
    "cave-lab/models/forget": [
        {},
        {"model": 1},
        {"model": "x" * 300},
        {"model": "openai/x", "api_base": "y" * 3_000},
        {"model": "openai/x", "key_env": KEY},
        [],
    ],
    "cave-lab/models/check": [
        {},
        {"model": "openai/x", "options": {"format": "smoke"}},
        {"model": "openai/x", "key": KEY_VALUE},
    ],
}
CASES = [(path, body) for path, bodies in BAD.items() for body in bodies]


@pytest.mark.parametrize("path, body", CASES, ids=str)
async def test_a_body_that_is_none_is_refused_in_a_sentence(
    lab: Lab, model: ModelServer, path: str, body: Any
) -> None:
    before = await status(lab)
    method = "PUT" if path.endswith("settings") else "POST"
    code, told = await ask(lab, method, path, body)
    assert (code, told["code"]) == (400, "invalid_command")
    assert told["message"].endswith("Nothing was changed.")
    assert KEY_VALUE not in json.dumps(told)
    assert await status(lab) == before
    assert model.requests == []


@pytest.mark.parametrize("method, path, body", WITH_BODY, ids=[path for _, path, _ in WITH_BODY])
async def test_a_body_that_is_too_large_is_refused(
    lab: Lab, method: str, path: str, body: Any
) -> None:
    code, told = await ask(lab, method, path, {**body, "model": "x" * 70_000})
    assert (code, told["code"]) == (413, "limit_reached")


# ── options


async def test_options_are_kept_by_the_model_and_come_back_with_it(
    lab: Lab, model: ModelServer
) -> None:
    decided = {"format": "fences", "plain_fences_run": True, "effort": "low", **UNDECIDED}
    nothing = {"format": None, "plain_fences_run": False, "effort": None, **UNDECIDED}
    first = {"model": "openai/scripted", "api_base": model.url, "key_env": KEY}
    second = {"model": "openai/other", "api_base": model.url, "key_env": KEY}
    code, told = await put(lab, **first, options=decided)
    assert (code, told["model"]) == (200, {**first, "options": decided})
    assert [one["options"] for one in told["memories"]] == [decided]
    assert (await put(lab, **second))[1]["model"]["options"] == nothing
    # What was decided of a model that is not chosen any more is shown, to be taken up again.
    [memory] = (await status(lab))["memories"]
    assert (memory["model"], memory["options"]) == ("openai/scripted", decided)
    await put(lab, **first, options=memory["options"])
    assert await asks_for(lab, model) == "fences"
    assert model.requests[-1].body["reasoning_effort"] == "low"
    cleared = (await put(lab, **first))[1]
    assert cleared["memories"] == []
    assert await asks_for(lab, model) == "tools"
    assert "reasoning_effort" not in model.requests[-1].body


@LOCKED
async def test_of_a_locked_model_the_person_decides_how_it_is_asked_and_nothing_else(
    lab: Lab, model: ModelServer
) -> None:
    locked = (await status(lab))["model"]
    fences = {**locked, "options": {"format": "fences"}}
    assert (await put(lab, **fences))[0] == 200
    assert (await status(lab))["model"]["options"]["format"] == "fences"
    assert await asks_for(lab, model) == "fences"
    for change in ({"model": "openai/other"}, {"api_base": "http://127.0.0.1:9"}, {"key_env": "X"}):
        code, told = await put(lab, **{**fences, **change, "options": {"format": "tools"}})
        assert (code, told["code"]) == (403, "forbidden")
    assert [one["options"]["format"] for one in (await status(lab))["memories"]] == ["fences"]
    assert await asks_for(lab, model) == "fences"


@LOCKED
async def test_of_a_locked_model_what_was_learned_can_be_forgotten(
    lab: Lab, model: ModelServer
) -> None:
    locked = (await status(lab))["model"]
    manners = (await lab.domain()).manners
    await manners.learn("local", ModelChoice(locked["model"], locked["api_base"]), "call_as_text")
    assert await asks_for(lab, model) == "fences"
    name = {"model": locked["model"], "api_base": locked["api_base"]}
    code, told = await ask(lab, "POST", "cave-lab/models/forget", name)
    assert (code, told["memories"]) == (200, [])
    assert await asks_for(lab, model) == "tools"


async def test_to_forget_a_model_of_which_nothing_is_known_is_no_error(lab: Lab) -> None:
    code, told = await ask(lab, "POST", "cave-lab/models/forget", FORGET)
    assert (code, told["memories"]) == (200, [])


# ── *Test* in the format that the person chose


@pytest.mark.parametrize(
    "format, answer, ok, tools",
    [
        ("tools", Cell("1", "test"), True, True),
        ("tools", Say("I would rather talk."), False, False),
        ("fences", Say("```python run test\n1\n```\n"), True, None),
        ("fences", Say("I would rather talk."), False, None),
        (None, Say("```python run test\n1\n```\n"), True, False),
    ],
    ids=["a call", "no call", "a block", "no block", "either"],
)
async def test_test_tries_the_format_that_was_chosen(
    lab: Lab, model: ModelServer, format: Any, answer: Any, ok: bool, tools: bool | None
) -> None:
    model.load(script(ScriptedTurn("check", answer=(answer,))))
    chosen = {"model": "openai/scripted", "api_base": model.url, "key_env": KEY}
    report = await tried(lab, **chosen, options={"format": format})
    assert (report["ok"], report["tools"]) == (ok, tools)
    asked = ["tools" in request.body for request in model.requests]
    assert asked == {"tools": [True], "fences": [False], None: [True, False]}[format]
    # Only a call proves something: a model that did not call may do so for a real question.
    learned = [one["learned"]["format"] for one in (await status(lab))["memories"]]
    assert learned == (["tools"] if tools else [])


async def test_test_takes_a_plain_block_where_such_blocks_run(lab: Lab, model: ModelServer) -> None:
    model.load(script(ScriptedTurn("check", answer=(Say("```python\n1\n```\n"),))))
    chosen = {"model": "openai/plain", "api_base": model.url, "key_env": KEY}
    for runs in (False, True):
        options = {"format": "fences", "plain_fences_run": runs}
        assert (await tried(lab, **chosen, options=options))["ok"] is runs


# ── *Find model servers on this machine*


@pytest.mark.parametrize("variable", HUB_VARIABLES)
async def test_under_a_hub_no_port_is_asked(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "something")
    code, found = await ask(lab, "POST", "cave-lab/models/find", {})
    assert (code, found) == (200, {"servers": [], "refused": ON_A_HUB})


async def test_a_click_finds_what_is_there_and_tells_no_key(lab: Lab) -> None:
    code, found = await ask(lab, "POST", "cave-lab/models/find", {})
    assert (code, found["refused"]) == (200, None)
    assert isinstance(found["servers"], list)
    assert KEY_VALUE not in json.dumps(found)
