"""Several notebooks and several threads at once, and what is deleted."""

import asyncio
import gc
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from cave_lab.model.script import Cell, Gate, Say, ScriptedTurn, When
from tests.fakes.model_server import ModelServer
from tests.kernel.person import Person as KernelPerson
from tests.server.scenarios import WAITING, asked, begun, let_go, script, told, told_whole
from tests.talk import Lab, Person, Refused, run_as_person
from tests.waiting import until


async def test_two_threads_on_two_notebooks_run_at_once_each_in_its_own_kernel(
    lab: Lab, model: ModelServer
) -> None:
    meet = (
        "import pathlib, time\n"
        "mine = pathlib.Path(f'{name}.here')\n"
        "mine.touch()\n"
        "while len(list(pathlib.Path('.').glob('*.here'))) < 2:\n"
        "    time.sleep(0.01)\n"
        "f'{name} met'"
    )
    model.load(
        script(
            asked("please", Cell(meet)), told("one met", Say("One.")), told("two met", Say("Two."))
        )
    )
    people = []
    for name in ("one", "two"):
        target = await lab.notebook(f"{name}.ipynb")
        await run_as_person(lab, target, f"name = {name!r}")
        people.append(await Person.at(lab, target, mode="auto"))
    await asyncio.gather(*(person.say("please") for person in people))
    # Each waits for the other: one after the other would wait for ever.
    assert [await person.ended() for person in people] == ["end_turn", "end_turn"]
    for person, words in zip(people, ("One.", "Two."), strict=True):
        state = await told_whole(lab, person)
        assert state.turns[0].items[-1].text == words  # type: ignore[union-attr]
        [run] = state.runs.values()
        assert run.target is not None
        assert run.target.kernel_id == person.target["kernel_id"]


async def test_two_threads_on_one_kernel_take_turns_and_a_stop_stops_one_of_them(
    lab: Lab, model: ModelServer
) -> None:
    target = await lab.notebook()
    model.load(
        script(
            asked("first", Cell(WAITING)),
            asked("second", Cell("second = 2")),
            told("done", Say("Done.")),
        )
    )
    first = await Person.at(lab, target, mode="auto")
    second = await Person.at(lab, target, mode="auto")
    await first.say("first")
    await first.talk.event("output.added")
    seen = len(second.talk.frames)
    await second.say("second")
    await second.talk.saw(
        lambda frame: frame["type"] == "kernel.state" and frame["queued"] == 1,
        "the second wait",
        after=seen,
    )
    await second.do("turn.stop")
    assert await second.ended() == "cancelled"
    assert first.state.turn is not None
    let_go(lab)
    assert await first.ended() == "end_turn"
    [run] = (await told_whole(lab, second)).runs.values()
    assert run.status == "not_run"
    mine = await KernelPerson.at(lab.app.kernel_manager.get_kernel(target["kernel_id"]))
    assert await mine.value("globals().get('second')") == "None"
    await mine.leave()


async def test_a_restart_ends_the_turns_of_all_threads_of_that_kernel_and_no_other(
    lab: Lab, model: ModelServer
) -> None:
    target = await lab.notebook()
    model.load(script(ScriptedTurn("any", answer=(Say("I wait. "), Gate("go"), Say("Done.")))))
    here = [await Person.at(lab, target) for _ in range(2)]
    other = await Person.at(lab, await lab.notebook("other.ipynb"))
    for person in (*here, other):
        await person.say("please")
        await person.talk.event("text.delta")
    kernel = f"api/kernels/{target['kernel_id']}/restart"
    assert (await lab.fetch(kernel, method="POST", body={})).code == 200
    assert [await person.ended() for person in here] == ["kernel_lost", "kernel_lost"]
    assert other.state.turn is not None
    model.release("go")
    assert await other.ended() == "end_turn"


async def test_a_message_goes_to_the_notebook_it_was_sent_from(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("first", Cell("where = 'here'\nwhere")),
        asked("second", Cell("globals().get('where', 'elsewhere')")),
        told("", Say("Done.")),
        mode="auto",
    )
    await person.say("first")
    assert await person.ended() == "end_turn"
    other = await lab.notebook("other.ipynb")
    await person.say("second", target=other)
    assert await person.ended(2) == "end_turn"
    _, second = (await told_whole(lab, person)).runs.values()
    assert second.excerpt is not None
    assert second.excerpt.head == "'elsewhere'"
    assert second.target is not None
    assert second.target.kernel_id == other["kernel_id"]


# ── deleting


async def test_a_thread_deleted_in_mid_run_is_gone_and_its_cell_is_stopped(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    secret = "a secret of the person's"
    code = f"print({secret!r}, flush=True)\nimport time\ntime.sleep(600)"
    person = await begun(lab, model, asked("please", Cell(code)), mode="auto")
    await person.say("please")
    await person.talk.event("output.added")
    await person.do("thread.delete")
    deleted = await person.talk.event("thread.changed", deleted=True)
    assert deleted["thread_id"] == person.thread_id
    for command in ("thread.open", "turn.stop"):
        with pytest.raises(Refused, match="not_found"):
            await person.do(command)
    reply = await run_as_person(lab, person.target, "1 + 1")
    assert reply["status"] == "ok", "the kernel is free again"
    listed = await person.talk.ask("thread.list")
    assert listed["threads"] == []
    for file in (tmp_path / "journal").iterdir():
        assert secret.encode() not in file.read_bytes(), file


async def test_deleting_twice_and_after_a_reconnect_says_that_it_is_gone(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model)
    again = await lab.connect()
    outcomes = await asyncio.gather(
        person.do("thread.delete"),
        again.ask("thread.delete", thread_id=person.thread_id),
        return_exceptions=True,
    )
    assert sum(outcome is None for outcome in outcomes) >= 1
    assert all(outcome is None or isinstance(outcome, Refused) for outcome in outcomes)
    with pytest.raises(Refused, match="not_found"):
        await again.ask("thread.open", thread_id=person.thread_id)


# ── memory


async def test_a_thread_that_nobody_looks_at_is_let_go_and_hears_of_a_restart_all_the_same(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("first", Say("Yes.")), asked("second", Say("I see.")))
    await run_as_person(lab, person.target, "revenue = 1")
    await person.say("first")
    assert await person.ended() == "end_turn"
    domain = await lab.domain()
    registry = domain.threads._registry
    thread = await domain.threads.get(person.thread_id, "local")
    link = thread.watch.link
    await person.talk.close()
    await until(lambda: not thread.in_use, "nobody looking on")
    await registry._let_go(thread)
    assert list(registry) == []
    assert link is not None
    assert link._watchers == [], "the kernel's link holds nothing of it"
    former = link.generation
    kernel = f"api/kernels/{person.target['kernel_id']}/restart"
    assert (await lab.fetch(kernel, method="POST", body={})).code == 200
    await until(
        lambda: link.generation != former and link.activity.state == "idle", "the new kernel"
    )
    person.talk = await lab.connect()
    await person.do("thread.open")
    await person.say("second")
    assert await person.ended(2) == "end_turn"
    last = model.requests[-1].body["messages"][-1]["content"]
    assert "Gone: revenue." in last
    state = await told_whole(lab, person)
    assert state.loss is not None
    assert state.loss.lost == ["revenue"]


async def test_a_thread_that_was_let_go_is_out_of_memory_although_its_runs_may_print_on(
    lab: Lab, model: ModelServer
) -> None:
    code = (
        "import threading, pathlib, time\n"
        "def late():\n"
        "    while not pathlib.Path('go').exists():\n"
        "        time.sleep(0.01)\n"
        "    print('late', flush=True)\n"
        "threading.Thread(target=late).start()"
    )
    person = await begun(
        lab, model, asked("please", Cell(code)), told("", Say("Yes.")), mode="auto"
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    threads = (await lab.domain()).threads
    let_go_of: Any = ref(await threads.get(person.thread_id, "local"))
    await person.talk.close()
    await until(lambda: not let_go_of().in_use, "nobody looking on")
    await threads._registry._let_go(let_go_of())

    def forgotten() -> bool:
        gc.collect()
        return let_go_of() is None

    await until(forgotten, "the thread out of memory")
    let_go(lab)
    assert (await run_as_person(lab, person.target, "1"))["status"] == "ok"


async def test_a_connection_that_ends_leaves_nothing_of_it_behind(
    lab: Lab, model: ModelServer
) -> None:
    model.load(script(ScriptedTurn("any", When(), (Say("Yes."),))))
    target = await lab.notebook()
    person = await Person.at(lab, target)
    thread = await (await lab.domain()).threads.get(person.thread_id, "local")
    others = [await lab.connect() for _ in range(3)]
    for talk in others:
        await talk.ask("thread.open", thread_id=person.thread_id)
    assert len(thread.followers) == 4
    for talk in others:
        await talk.close()
    await until(lambda: len(thread.followers) == 1, "the others forgotten")
    await person.say("please")
    assert await person.ended() == "end_turn"
    assert len(thread.watch.link._watchers) == 1
    assert thread.gate._open == {}
