"""Case 6: people that the identity provider names do not see each other; one person sees all."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from jupyter_server.auth.identity import IdentityProvider, User

from cave_lab.errors import NotFound
from cave_lab.journal.drafts import DRAFT
from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.script import Cell
from cave_lab.protocol.content import Target
from cave_lab.protocol.ids import ThreadId
from cave_lab.protocol.thread_events import MessageQueued, ThreadCreated
from cave_lab.thread.service import ThreadService
from tests.fakes.model_server import ModelServer
from tests.security.services import services_over
from tests.security.trying import written
from tests.server.scenarios import asked, script
from tests.talk import Browser, Lab, Person, Refused, Talk


class Named(IdentityProvider):
    """Knows people as a hub does: by a cookie of its own, or by a token in the request."""

    def get_user(self, handler: Any) -> User | None:
        token = self.get_token(handler)
        if token in ("token-of-anna", "token-of-ben"):
            handler._token_authenticated = True
            return User(token.removeprefix("token-of-"))
        name = handler.get_cookie("person")
        return User(name) if name else None


NAMED = pytest.mark.parametrize(
    "more_config", [{"ServerApp": {"identity_provider_class": Named}}], ids=["named people"]
)


def browser_of(lab: Lab, name: str) -> Browser:
    """Another person's browser, with the XSRF token that their page would have."""
    browser = Browser(lab.host, lab.base_url, "")
    browser.xsrf = "2|12345678|" + "ab" * 16 + "|1700000000"
    browser.cookie = f"person={name}; _xsrf={browser.xsrf}"
    return browser


async def refusal(talk: Talk, type_: str, **fields: Any) -> str:
    """The code with which a command is rejected."""
    with pytest.raises(Refused) as refused:
        await talk.ask(type_, **fields)
    return refused.value.code


def every_command(person: Person, waiting: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """A well-formed command of each type about a thread, as its own person would send it."""
    run = {"run_id": waiting["run_id"]}
    answer = {"approval_id": waiting["approval_id"], "sha256": waiting["sha256"], "outcome": "run"}
    return [
        ("thread.open", {}),
        ("thread.close", {}),
        ("thread.change", {"title": "mine now"}),
        ("thread.delete", {}),
        ("message.send", {"content": [{"type": "text", "text": "hello"}]}),
        ("message.unqueue", {"message_id": "m1"}),
        ("turn.stop", {}),
        ("approval.answer", answer),
        ("stdin.answer", {**run, "value": "x"}),
        ("cell.placed", {**run, "cell_id": "c1", "level": "in_file"}),
        ("cell.review", {**run, "verdict": "undone"}),
        ("notebook.outline", {"outline": {"cells": []}}),
        ("kernel.choice", {"choice": "restart"}),
        ("writer.claim", {}),
        ("writer.release", {}),
        ("variables.look", {}),
    ]


@NAMED
async def test_another_person_can_not_see_answer_change_or_delete_a_thread(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    anna, ben = browser_of(lab, "anna"), browser_of(lab, "ben")
    model.load(script(asked("go", Cell("x = 1"))))
    hers = await Person.at(anna, await lab.notebook())
    await hers.say("go")
    waiting = await hers.asked()
    before = written(tmp_path / "journal")

    his = await ben.connect()
    commands = every_command(hers, waiting)
    answers = [await refusal(his, kind, thread_id=hers.thread_id, **f) for kind, f in commands]
    assert answers == ["not_found"] * len(commands)
    nowhere = [await refusal(his, kind, thread_id="thread-0", **f) for kind, f in commands]
    assert nowhere == answers
    assert (await his.ask("thread.list"))["threads"] == []
    blob = waiting["sha256"]
    assert (await ben.fetch(f"cave-lab/blobs/{hers.thread_id}/{blob}")).code == 404

    assert written(tmp_path / "journal") == before
    assert [frame["type"] for frame in his.frames if frame.get("thread_id")] == []
    assert len((await hers.talk.ask("thread.list"))["threads"]) == 1
    await hers.do("turn.stop")
    await hers.ended()
    await anna.close()
    await ben.close()


@NAMED
async def test_a_stored_output_is_given_to_its_owner_and_to_no_one_else(
    lab: Lab, model: ModelServer
) -> None:
    anna, ben = browser_of(lab, "anna"), browser_of(lab, "ben")
    hers = await Person.at(anna, await lab.notebook())
    domain = await lab.domain()
    blob = await domain.journal.put_blob(b"[1]", "application/json", ThreadId(hers.thread_id))
    his = await Person.at(ben, hers.target)
    paths = [f"cave-lab/blobs/{thread}/{blob}" for thread in (hers.thread_id, his.thread_id)]

    assert [(await anna.fetch(path)).code for path in paths] == [200, 404]
    assert [(await ben.fetch(path)).code for path in paths] == [404, 404]
    await anna.close()
    await ben.close()


@NAMED
async def test_named_people_decide_by_their_own_cookie_but_not_by_a_token(lab: Lab) -> None:
    anna = browser_of(lab, "anna")
    token = {"Authorization": "token token-of-anna"}
    assert (await anna.connect()).hello["may_approve"] is True
    assert (await anna.connect(anna.headers(**token))).hello["may_approve"] is False
    assert (await anna.connect(query="?token=token-of-anna")).hello["may_approve"] is False
    only_token = {"Origin": f"http://{lab.host}", **token}
    assert (await anna.connect(only_token)).hello["may_approve"] is False
    await anna.close()


async def test_a_thread_that_is_not_loaded_is_not_touched_for_one_who_may_not_see_it(
    tmp_path: Path,
) -> None:
    """Loading would claim it and end what a server that is gone left open."""
    thread_id = ThreadId("thread-of-anna")
    first = await Journal.open(tmp_path, DEFAULT_LIMITS)
    created = ThreadCreated(
        **DRAFT, title="t", owner="anna", target=Target(), mode="review", privacy="standard"
    )
    queued = MessageQueued(**DRAFT, message_id="m1", content=[])
    await first.append(thread_id, [created, queued])
    await first.close()
    second = await Journal.open(tmp_path, DEFAULT_LIMITS)
    service = ThreadService(services_over(second))
    before = written(tmp_path)
    with pytest.raises(NotFound):
        await service.get(thread_id, "ben")
    assert written(tmp_path) == before
    assert (await service.get(thread_id, "anna")).state.owner == "anna"
    await service.close()
    await second.close()


async def test_one_person_sees_their_threads_from_any_browser_under_the_stock_provider(
    lab: Lab,
) -> None:
    talk = await lab.connect()
    made = await talk.ask("thread.create", target={})
    other = Browser(lab.host, lab.base_url, lab.token)
    await other.sign_in()
    assert other.cookie != lab.cookie
    by_another_name = Browser(lab.host.replace("127.0.0.1", "localhost"), lab.base_url, lab.token)
    await by_another_name.sign_in()
    for browser in (other, by_another_name):
        seen = await browser.connect()
        assert seen.hello["may_approve"] is True
        threads = (await seen.ask("thread.list"))["threads"]
        assert [thread["thread_id"] for thread in threads] == [made["thread_id"]]
        await browser.close()
    program = await lab.connect(lab.token_headers)
    assert len((await program.ask("thread.list"))["threads"]) == 1


@NAMED
async def test_the_model_that_one_person_chose_is_not_anothers(lab: Lab) -> None:
    anna, ben = browser_of(lab, "anna"), browser_of(lab, "ben")
    name = f"openai/{uuid4().hex}"
    body = {"model": name}
    assert (await anna.fetch("cave-lab/settings", method="PUT", body=body)).code == 200

    def chosen(answer: Any) -> str:
        return str(json.loads(answer.body)["model"]["model"])

    assert chosen(await anna.fetch("cave-lab/status")) == name
    assert chosen(await ben.fetch("cave-lab/status")) == "openai/scripted"
