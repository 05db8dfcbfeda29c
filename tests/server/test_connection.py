"""The channel: hello, replies, following from a number on, leases, and hanging up."""

from functools import partial
from typing import Any

import pytest

from cave_lab import __version__
from cave_lab.model.script import Gate, Say, ScriptedTurn
from cave_lab.protocol.frames import CLOSE_VERSION, PROTOCOL_VERSION
from tests.fakes.model_server import ModelServer
from tests.security.stuck import StuckReader
from tests.server.scenarios import asked, one_run, script
from tests.talk import Frame, Lab, Person, Refused, Talk
from tests.waiting import until


def numbers(talk: Talk) -> list[int]:
    """The sequence numbers that came, in order."""
    return [frame["seq"] for frame in talk.frames if "at" in frame]


def holder(talk: Talk) -> str | None:
    """Who may write the notebook, as last told."""
    told = [frame["holder"] for frame in talk.frames if frame["type"] == "writer.lease"]
    return told[-1] if told else None


def holds(talk: Talk, client_id: str) -> bool:
    """Whether a client was last told that this one may write."""
    return holder(talk) == client_id


# ── hello


async def test_the_first_frame_is_hello_and_says_who_is_who(lab: Lab) -> None:
    one, two = await lab.connect(), await lab.connect()
    hello = one.frames[0]
    assert hello["type"] == "hello"
    assert hello["protocol_version"] == PROTOCOL_VERSION
    assert hello["server_version"] == __version__
    assert hello["server_id"] == two.hello["server_id"]
    assert hello["client_id"] != two.hello["client_id"]
    assert hello["may_approve"] is True
    assert hello["allowed_modes"] == ["chat", "review", "auto"]


async def test_a_page_of_another_version_is_told_ours_and_closed_with_4002(lab: Lab) -> None:
    talk = await lab.connect(query=f"?protocol={PROTOCOL_VERSION + 1}")
    assert talk.hello["protocol_version"] == PROTOCOL_VERSION
    assert await talk.was_closed() == CLOSE_VERSION
    assert await (await lab.connect(query=f"?protocol={PROTOCOL_VERSION}")).ask("thread.list")


# ── replies


async def test_a_repeated_id_gets_the_first_reply_and_is_carried_out_once(lab: Lab) -> None:
    talk, after_a_loss = await lab.connect(), await lab.connect()
    first = await talk.reply(await talk.send("thread.create", target={}, command_id="once"))
    for again in (talk, after_a_loss):
        seen = len(again.frames)
        await again.send("thread.create", target={}, command_id="once")
        reply = await again.saw(lambda f: f["type"] == "command.ok", "the reply", after=seen)
        assert reply == first
    assert len((await talk.ask("thread.list"))["threads"]) == 1


async def test_a_repeated_id_of_a_refused_command_is_refused_again(lab: Lab) -> None:
    talk = await lab.connect()
    fields = {"thread_id": "thread-0", "title": "x", "command_id": "once"}
    first = await talk.reply(await talk.send("thread.change", **fields))
    await talk.send("thread.change", **fields)
    await until(lambda: talk.frames.count(first) == 2, "the same refusal")
    assert first["code"] == "not_found"


async def test_commands_sent_at_once_under_one_id_are_carried_out_once(lab: Lab) -> None:
    talk = await lab.connect()
    for _ in range(5):
        await talk.send("thread.create", target={}, command_id="once")

    def replies() -> list[Frame]:
        return [frame for frame in talk.frames if frame["type"] == "command.ok"]

    await until(lambda: len(replies()) == 5, "five replies")
    assert len({reply["result"]["thread_id"] for reply in replies()}) == 1


# ── following


async def a_thread_with_events(lab: Lab, titles: int = 12) -> Person:
    """A person whose thread has been renamed so often."""
    person = await Person.at(lab, {})
    for number in range(titles):
        await person.do("thread.change", title=f"title {number}")
    await until(lambda: len(numbers(person.talk)) == titles + 1, "all events")
    return person


@pytest.mark.parametrize("from_seq", [0, 1, 7, 12, 13])
async def test_a_thread_is_followed_from_a_number_on_without_gap_or_double(
    lab: Lab, from_seq: int
) -> None:
    person = await a_thread_with_events(lab)
    late = await lab.connect()
    await late.ask("thread.open", thread_id=person.thread_id, from_seq=from_seq)
    await person.do("thread.change", title="the last")
    await late.event("thread.changed", title="the last")
    assert numbers(late) == list(range(from_seq + 1, 15))
    caught_up = await late.saw(lambda f: f["type"] == "caught_up", "caught_up")
    assert caught_up["seq"] == 13


async def test_a_number_that_the_thread_has_not_reached_gets_all_from_the_beginning(
    lab: Lab,
) -> None:
    """The client has seen another journal: what it knows is not this thread."""
    person = await a_thread_with_events(lab, titles=3)
    late = await lab.connect()
    await late.ask("thread.open", thread_id=person.thread_id, from_seq=1_000)
    assert numbers(late) == [1, 2, 3, 4]


async def test_events_that_come_while_old_ones_are_sent_are_neither_lost_nor_doubled(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = await a_thread_with_events(lab, titles=3)
    journal = (await lab.domain()).journal
    pages = journal.pages

    async def pages_and_news(thread_id: Any, after: Any = 0) -> Any:
        async for page in pages(thread_id, after):
            if len(numbers(person.talk)) < 10:
                await person.do("thread.change", title="meanwhile")
            yield page

    monkeypatch.setattr(journal, "pages", pages_and_news)
    late = await lab.connect()
    await late.ask("thread.open", thread_id=person.thread_id)
    await person.do("thread.change", title="the last")
    await late.event("thread.changed", title="the last")
    assert numbers(late) == list(range(1, numbers(person.talk)[-1] + 1))


async def test_a_closed_thread_tells_nothing_more(lab: Lab) -> None:
    person = await a_thread_with_events(lab, titles=1)
    other = await lab.connect()
    await other.ask("thread.open", thread_id=person.thread_id)
    await other.ask("thread.close", thread_id=person.thread_id)
    await person.do("thread.change", title="unheard")
    await person.talk.event("thread.changed", title="unheard")
    await other.ask("thread.list")
    assert numbers(other) == [1, 2]


# ── hanging up


async def test_a_message_whose_sender_hangs_up_at_once_is_carried_out_to_the_end(
    lab: Lab, model: ModelServer
) -> None:
    model.load(script(asked("go", Say("Done."))))
    person = await Person.at(lab, {}, mode="chat")
    watching = await lab.connect()
    await watching.ask("thread.open", thread_id=person.thread_id)
    text = [{"type": "text", "text": "go"}]
    await person.talk.send("message.send", thread_id=person.thread_id, content=text)
    person.talk.socket.protocol.stream.close()  # type: ignore[union-attr]
    assert (await watching.event("turn.ended"))["stop_reason"] == "end_turn"
    assert holder(watching) is None


async def test_a_turn_goes_on_without_anyone_connected(lab: Lab, model: ModelServer) -> None:
    model.load(script(asked("go", Say("One, "), Gate("later"), Say("two."))))
    person = await Person.at(lab, {}, mode="chat")
    await person.say("go")
    await person.talk.event("text.delta")
    await person.talk.close()
    model.release("later")
    back = await lab.connect()
    await back.ask("thread.open", thread_id=person.thread_id)
    await back.event("turn.ended")
    texts = [f["text"] for f in back.frames if f["type"] == "text.delta"]
    assert "".join(texts) == "One, two."


async def test_a_client_that_is_cut_off_leaves_no_error_in_the_log(
    lab: Lab, model: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    flood = ScriptedTurn("go", answer=(Say("y" * 4_000_000),), piece_chars=50_000)
    model.load(script(flood))
    person = await Person.at(lab, {}, mode="chat")
    await person.say("go")
    await person.talk.event("text.delta")
    person.talk.socket.protocol.stream.close()  # type: ignore[union-attr]
    back = await lab.connect()
    await back.ask("thread.open", thread_id=person.thread_id)
    await back.event("turn.ended")
    assert [r.getMessage() for r in caplog.records if r.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    "more_config", [{"ServerApp": {"websocket_ping_interval": 1}}], ids=["a ping a second"]
)
async def test_a_client_that_answers_no_ping_is_let_go_and_one_that_does_stays(lab: Lab) -> None:
    person = await Person.at(lab, await lab.notebook())
    silent = StuckReader(lab)
    await silent.connect()
    await silent.send({"type": "thread.open", "command_id": "1", "thread_id": person.thread_id})
    await silent.send({"type": "writer.claim", "command_id": "2", "thread_id": person.thread_id})
    await until(lambda: holder(person.talk) is not None, "the silent one's lease")
    await until(lambda: holder(person.talk) is None, "the lease freed")
    silent.close()
    assert (await person.talk.ask("thread.list"))["threads"]
    assert not person.talk.closed


# ── the writer's lease


async def test_the_lease_goes_to_one_who_claims_it_and_is_free_when_they_hang_up(
    lab: Lab,
) -> None:
    person = await Person.at(lab, await lab.notebook())
    other = await lab.connect()
    await other.ask("thread.open", thread_id=person.thread_id)
    assert holder(other) is None
    await person.do("writer.claim")
    mine = person.talk.hello["client_id"]
    await until(lambda: holder(other) == mine, "the first one's lease")
    await other.ask("writer.claim", thread_id=person.thread_id)
    assert holder(other) == mine

    await person.talk.close()
    await until(lambda: holder(other) is None, "the lease freed")
    await other.ask("writer.claim", thread_id=person.thread_id)
    await until(lambda: holder(other) == other.hello["client_id"], "the second one's lease")


async def test_the_lease_follows_the_tab_that_sent_the_message(
    lab: Lab, model: ModelServer
) -> None:
    model.load(script(asked("go", Say("Done."))))
    person = await Person.at(lab, await lab.notebook())
    await person.do("writer.claim")
    tab = await lab.connect()
    await tab.ask("thread.open", thread_id=person.thread_id)
    text = [{"type": "text", "text": "go"}]
    await tab.ask("message.send", thread_id=person.thread_id, content=text)
    for talk in (tab, person.talk):
        await until(partial(holds, talk, tab.hello["client_id"]), "the tab's lease")
    await person.ended()


async def test_only_the_tab_that_writes_the_notebook_says_where_a_cell_is(
    lab: Lab, model: ModelServer
) -> None:
    person = await one_run(lab, model)
    [run] = person.state.runs.values()
    report = {
        "thread_id": person.thread_id,
        "run_id": run.run_id,
        "cell_id": run.cell_id,
        "level": "in_document",
    }
    tab = await lab.connect()
    await tab.ask("thread.open", thread_id=person.thread_id)
    with pytest.raises(Refused, match="Another page writes this notebook now") as refused:
        await tab.ask("cell.placed", **report)
    assert refused.value.code == "forbidden"
    await person.talk.ask("cell.placed", **report)
    placed = await tab.event("cell.placed")
    assert placed["by"] == person.talk.hello["client_id"]


async def test_what_a_writer_said_before_it_lost_its_connection_is_taken_over_the_next_one(
    lab: Lab, model: ModelServer
) -> None:
    person = await one_run(lab, model)
    [run] = person.state.runs.values()
    await person.talk.close()
    again = await lab.connect()
    await again.ask("thread.open", thread_id=person.thread_id)
    await until(lambda: holder(again) is None, "the lease freed")
    more = {"run_id": run.run_id, "cell_id": run.cell_id, "level": "in_file"}
    await again.ask("cell.placed", thread_id=person.thread_id, **more)
    assert (await again.event("cell.placed"))["level"] == "in_file"


async def test_the_lease_is_only_for_one_who_has_the_thread_open(lab: Lab) -> None:
    person = await Person.at(lab, await lab.notebook())
    stranger = await lab.connect()
    with pytest.raises(Refused) as refused:
        await stranger.ask("writer.claim", thread_id=person.thread_id)
    assert refused.value.code == "forbidden"


async def test_the_lease_is_per_notebook_and_told_in_all_its_threads(lab: Lab) -> None:
    target = await lab.notebook()
    one, two = await Person.at(lab, target), await Person.at(lab, target)
    elsewhere = await Person.at(lab, await lab.notebook("other.ipynb"))
    await one.do("writer.claim")
    await until(lambda: holder(two.talk) == one.talk.hello["client_id"], "the lease told")
    assert holder(elsewhere.talk) is None
    await one.do("writer.release")
    await until(lambda: holder(two.talk) is None, "the lease given back")
