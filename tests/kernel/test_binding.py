"""From a notebook to its live kernel."""

import asyncio

import pytest

from cave_lab.errors import KernelSilent, NoKernel
from cave_lab.kernel.binding import corrected
from cave_lab.kernel.life import Life
from cave_lab.kernel.message import Channel, Message
from cave_lab.kernel.opening import Opening
from cave_lab.kernel.requests import Requests
from cave_lab.protocol.content import NotebookRef, Target
from tests.kernel.conftest import PATH
from tests.kernel.recorder import run, start
from tests.waiting import until

NOTEBOOK = NotebookRef(path=PATH)


def session(name: str, path: str, kernel: str) -> dict:
    return {"id": name, "path": path, "kernel": {"id": kernel}}


def test_the_session_wins_over_the_path():
    sessions = [session("s1", "a.ipynb", "k1"), session("s2", "b.ipynb", "k2")]
    target = Target(notebook=NotebookRef(path="b.ipynb"), session_id="s1")
    found = corrected(target, sessions, {"k1", "k2"})
    assert found is not None
    assert (found.session_id, found.kernel_id) == ("s1", "k1")
    assert found.notebook is not None
    assert found.notebook.path == "a.ipynb"


def test_the_path_finds_the_session_of_a_reopened_notebook_with_another_kernel():
    sessions = [session("s2", "a.ipynb", "k2")]
    target = Target(notebook=NotebookRef(path="/a.ipynb"), session_id="old", kernel_id="k1")
    found = corrected(target, sessions, {"k1", "k2"})
    assert found is not None
    assert (found.session_id, found.kernel_id) == ("s2", "k2")


def test_a_kernel_whose_session_is_gone_is_found_by_its_id():
    found = corrected(Target(notebook=NOTEBOOK, session_id="old", kernel_id="k1"), [], {"k1"})
    assert found == Target(notebook=NOTEBOOK, kernel_id="k1")


def test_nothing_is_found_where_nothing_runs():
    target = Target(notebook=NOTEBOOK, kernel_id="k1")
    assert corrected(target, [], set()) is None
    assert corrected(target, [session("s1", PATH, "gone")], {"k9"}) is None


async def test_no_kernel_is_ever_started(server):
    with pytest.raises(NoKernel):
        await server.room().bind(Target(notebook=NOTEBOOK))
    assert server.kernels.list_kernel_ids() == []


async def test_a_kernel_culled_while_the_sessions_are_read_is_no_kernel(server):
    opened = await server.open()
    read = server.sessions.list_sessions

    async def read_slowly() -> list:
        records = await read()
        await server.kernels.shutdown_kernel(opened["kernel"]["id"], now=True)
        return records

    server.sessions.list_sessions = read_slowly
    with pytest.raises(NoKernel):
        await server.room().bind(Target(notebook=NOTEBOOK))


async def test_concurrent_first_binds_make_one_link(server):
    await server.open()
    room = server.room()
    bindings = await asyncio.gather(*(room.bind(Target(notebook=NOTEBOOK)) for _ in range(8)))
    assert len({id(binding.link) for binding in bindings}) == 1
    assert bindings[0].target.language == "python"
    assert bindings[0].link.facts.guarded


async def test_binding_right_after_the_kernel_was_launched_waits_until_it_answers(server):
    server.kernels.use_pending_kernels = True
    await server.open()
    binding = await server.room().bind(Target(notebook=NOTEBOOK))
    assert (await run(binding.link, "1")).status == "ok"


async def test_a_renamed_notebook_keeps_its_kernel_and_gets_its_new_path(server):
    opened = await server.open()
    room = server.room()
    first = await room.bind(Target(notebook=NOTEBOOK))
    await server.sessions.update_session(opened["id"], path="other.ipynb", name="other.ipynb")
    second = await room.bind(first.target)
    assert second.link is first.link
    assert second.target.notebook is not None
    assert second.target.notebook.path == "other.ipynb"


async def test_a_switched_kernel_is_another_link(server):
    opened = await server.open()
    room = server.room()
    first = await room.bind(Target(notebook=NOTEBOOK))
    other = await server.kernels.start_kernel()
    await server.sessions.update_session(opened["id"], kernel_id=other)
    second = await room.bind(first.target)
    assert second.target.kernel_id == other
    assert second.link is not first.link


async def test_a_kernel_that_is_busy_when_we_come_is_bound_at_once_and_probed_later(
    server, group, gate
):
    opened = await server.open()
    person = await server.person(opened["kernel"]["id"])
    theirs = person.send(gate.cell())
    await person.running(theirs)
    async with asyncio.timeout(30):
        binding = await server.room().bind(Target(notebook=NOTEBOOK))
    link = binding.link
    assert not link.facts.guarded
    assert (link.activity.state, link.activity.whose) == ("busy", "theirs")
    ours = await start(link, "1", group).waiting()
    gate.open()
    assert (await ours.outcome()).status == "ok"
    assert ours.recorder.waits == [("theirs", 0)]
    assert link.facts.guarded
    assert (await person.reply(theirs))["status"] == "ok"


@pytest.fixture
async def bound_at_once(server, group, gate):
    """What must hold when their cell takes the kernel while we find it."""

    async def bound() -> None:
        async with asyncio.timeout(30):
            link = (await server.room().bind(Target(notebook=NOTEBOOK))).link
        assert (link.activity.state, link.activity.whose) == ("busy", "theirs")
        ours = await start(link, "1", group).waiting()
        gate.open()
        assert (await ours.outcome()).status == "ok"
        assert link.facts.guarded

    return bound


async def test_a_cell_that_comes_just_before_the_probe_keeps_nobody_from_binding(
    server, gate, bound_at_once, monkeypatch
):
    opened = await server.open()
    person = await server.person(opened["kernel"]["id"])
    inject = Opening._inject

    async def behind_their_cell(self: Opening, life: Life) -> None:
        await person.running(person.send(gate.cell()))
        await inject(self, life)

    monkeypatch.setattr(Opening, "_inject", behind_their_cell)
    await bound_at_once()


async def test_a_second_cell_right_behind_a_first_keeps_nobody_from_binding(
    server, gate, bound_at_once, monkeypatch
):
    opened = await server.open()
    person = await server.person(opened["kernel"]["id"])
    until_it_is_free = Opening._until_it_is_free

    async def between_two_cells(self: Opening, life: Life) -> None:
        await until(lambda: life.heard, "what the kernel publishes")
        await person.run("pass")
        await life.until_free()
        await person.running(person.send(gate.cell()))
        await until_it_is_free(self, life)

    monkeypatch.setattr(Opening, "_until_it_is_free", between_two_cells)
    await bound_at_once()


async def test_a_cell_that_begins_before_we_hear_of_it_keeps_nobody_from_binding(
    server, gate, bound_at_once, monkeypatch
):
    opened = await server.open()
    person = await server.person(opened["kernel"]["id"])
    ask, take = Requests.ask, Life.take
    deaf = True

    async def ask_and_be_overtaken(self: Requests, channel: Channel, *rest, **options):
        nonlocal deaf
        reply = await ask(self, channel, *rest, **options)
        if channel == "shell" and deaf:
            await person.running(person.send(gate.cell()))
            deaf = False
        return reply

    def take_if_not_deaf(self: Life, channel: Channel, message: Message) -> None:
        if channel != "iopub" or not deaf:
            take(self, channel, message)

    monkeypatch.setattr(Requests, "ask", ask_and_be_overtaken)
    monkeypatch.setattr(Life, "take", take_if_not_deaf)
    await bound_at_once()


async def test_a_kernel_that_minds_control_only_behind_the_shell_is_bound(server, monkeypatch):
    """As R does at times, whose first statuses come before anyone hears."""
    await server.open()
    ask, take = Requests.ask, Life.take
    answered = 0

    async def ask_on_the_shell(self: Requests, channel: Channel, *rest, **options):
        nonlocal answered
        if channel == "control" and answered < 2:
            await asyncio.sleep(0)
            raise KernelSilent
        reply = await ask(self, channel, *rest, **options)
        answered += channel == "shell"
        return reply

    def take_behind_the_first(self: Life, channel: Channel, message: Message) -> None:
        if channel != "iopub" or answered:
            take(self, channel, message)

    monkeypatch.setattr(Requests, "ask", ask_on_the_shell)
    monkeypatch.setattr(Life, "take", take_behind_the_first)
    async with asyncio.timeout(30):
        binding = await server.room().bind(Target(notebook=NOTEBOOK))
    assert (await run(binding.link, "1")).status == "ok"


@pytest.mark.parametrize("busy", [False, True], ids=["free", "busy"])
async def test_a_new_room_finds_the_generation_that_is_planted_in_the_kernel(server, gate, busy):
    opened = await server.open()
    first = server.room()
    before = (await first.bind(Target(notebook=NOTEBOOK))).link.generation
    await first.close()
    person = await server.person(opened["kernel"]["id"])
    theirs = person.send(gate.cell() if busy else "pass")
    await person.running(theirs)
    link = (await server.room().bind(Target(notebook=NOTEBOOK))).link
    assert link.generation == before
    assert link.facts.variables
    await link.variables()
    gate.open()
    assert (await run(link, "1")).status == "ok"
    assert link.generation == before
    assert (await person.reply(theirs))["status"] == "ok"
