"""Cells of ours that ask for input: told, answered once, and never left to another cell."""

import asyncio
import dataclasses
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from cave_lab.errors import NotFound
from cave_lab.kernel.questions import Question, Questions, prompt_of
from cave_lab.limits import DEFAULT_LIMITS
from tests.kernel.probe.kernels import kernel_python
from tests.kernel.recorder import Started, run, start
from tests.waiting import until

LATE_STDIN = str(Path(__file__).with_name("late_stdin_kernel.py"))
ASK = "name = input('Your name? ')"
STUBBORN = """
while True:
    try:
        word = input('Again? ')
        break
    except KeyboardInterrupt:
        pass
"""


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Make a kernel known by its command to this test's server alone; returns its name."""

    def offer(name: str, *command: str) -> str:
        folder = tmp_path / "data" / "kernels" / name
        folder.mkdir(parents=True)
        argv = [*command, "-f", "{connection_file}"]
        spec = {"argv": argv, "display_name": name, "language": "python"}
        (folder / "kernel.json").write_text(json.dumps(spec))
        monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "data"))
        return name

    return offer


@pytest.fixture
def old(offer) -> str:
    """A kernel spec of the oldest ipykernel at hand."""
    return offer("old", kernel_python("old").path, "-m", "ipykernel_launcher")


@pytest.fixture(params=["guarded", "plain", "old"])
async def desk(request, sit):
    """A desk at each way of running a cell."""
    if request.param == "old":
        return await sit(kernel_name=request.getfixturevalue("old"))
    return await sit(probe=request.param == "guarded")


async def asked(ours: Started, times: int = 1) -> Started:
    """Return when the run has asked so often."""
    await until(
        lambda: len(ours.recorder.prompts) == times or ours.task.done(), f"question {times}"
    )
    assert not ours.task.done(), ours.task
    return ours


async def asks(desk, group, code: str = ASK) -> Started:
    """Start a cell, and return when it asks."""
    return await asked(start(desk.link, code, group))


# ── asking and answering


async def test_a_cell_that_asks_is_told_and_goes_on_with_the_answer(desk, group):
    ours = await asks(desk, group, f"print('before')\n{ASK}\nprint('Hello', name)")
    assert ours.recorder.prompts == [("Your name? ", False)]
    assert ours.recorder.text == "before\n"
    await desk.link.answer_stdin(ours.run_id, "Ada")
    assert (await ours.outcome()).status == "ok"
    assert ours.recorder.text == "before\nHello Ada\n"
    assert ours.recorder.told == [
        "intend",
        "started",
        "output",
        "asked",
        "answered",
        "output",
    ]


async def test_the_first_question_is_not_lost_in_a_kernel_whose_stdin_comes_last(sit, group, offer):
    desk = await sit(probe=False, kernel_name=offer("late", sys.executable, LATE_STDIN))
    ours = await asks(desk, group)
    await desk.link.answer_stdin(ours.run_id, "Ada")
    assert (await ours.outcome()).status == "ok"


async def test_a_kernel_without_stdin_is_used_all_the_same(sit, offer, caplog):
    desk = await sit(probe=False, kernel_name=offer("deaf", sys.executable, LATE_STDIN, "never"))
    assert (await run(desk.link, "1")).status == "ok"
    assert "its cells can't ask" in caplog.text


async def test_a_password_is_asked_for_as_one(desk, group):
    code = "import getpass\nword = getpass.getpass('Secret: ')\nprint(len(word))"
    ours = await asks(desk, group, code)
    assert ours.recorder.prompts == [("Secret: ", True)]
    await desk.link.answer_stdin(ours.run_id, "swordfish")
    assert (await ours.outcome()).status == "ok"
    assert ours.recorder.text == "9\n"


async def test_several_questions_are_asked_one_after_the_other(desk, group):
    ours = await asks(desk, group, "answers = [input(f'{n}? ') for n in range(3)]\nprint(answers)")
    for number, answer in enumerate(["one", "", "drei"], start=1):
        await asked(ours, number)
        await desk.link.answer_stdin(ours.run_id, answer)
    assert (await ours.outcome()).status == "ok"
    assert ours.recorder.text == "['one', '', 'drei']\n"
    assert [one for one in ours.recorder.told if one in ("asked", "answered")] == [
        "asked",
        "answered",
    ] * 3


async def test_the_debugger_is_a_row_of_questions(desk, group):
    await run(desk.link, "def divide(n):\n    return 1 / n\ndivide(0)")
    ours = await asks(desk, group, "%debug")
    assert "ipdb> " in ours.recorder.prompts[0][0]
    await desk.link.answer_stdin(ours.run_id, "p n + 41")
    await asked(ours, 2)
    assert "41" in ours.recorder.text
    await desk.link.answer_stdin(ours.run_id, "q")
    assert (await ours.outcome()).status == "ok"


async def test_an_answer_is_sent_once(sit, group):
    desk = await sit()
    ours = await asks(desk, group, f"{ASK}\nprint('Hello')\nimport time\ntime.sleep(60)")
    await desk.link.answer_stdin(ours.run_id, "Ada")
    await until(lambda: ours.recorder.text == "Hello\n", "that the cell has its answer")
    with pytest.raises(NotFound, match="does not wait"):
        await desk.link.answer_stdin(ours.run_id, "Eve")
    await desk.link.stop(ours.run_id)
    await ours.outcome()
    assert await (await desk.person()).value("name") == "'Ada'"


async def test_a_run_that_does_not_ask_takes_no_answer(sit, group, gate):
    desk = await sit()
    ours = await start(desk.link, gate.cell(), group).running()
    for run_id in (ours.run_id, "run-of-nobody"):
        with pytest.raises(NotFound, match="Nothing was sent"):
            await desk.link.answer_stdin(run_id, "yes")
    gate.open()
    assert (await ours.outcome()).status == "ok"
    with pytest.raises(NotFound):
        await desk.link.answer_stdin(ours.run_id, "yes")


@pytest.mark.parametrize(
    ("answer", "arrives"),
    [
        ("a\ud800b", "'a?b'"),
        ("a\x00b", "'a\\x00b'"),
        ("日本 🏝", "'日本 🏝'"),
        ("x" * 300_000, None),
    ],
    ids=["half a character", "nul", "wide", "long"],
)
async def test_any_text_can_be_the_answer(sit, group, answer, arrives):
    desk = await sit()
    ours = await asks(desk, group)
    await desk.link.answer_stdin(ours.run_id, answer)
    assert (await ours.outcome()).status == "ok"
    person = await desk.person()
    if arrives is None:
        assert await person.value("len(name)") == str(len(answer))
    else:
        assert await person.value("name") == arrives


async def test_waiting_for_an_answer_is_no_work(sit, group):
    desk = await sit()
    clock = asyncio.get_running_loop().time
    began = clock()
    ours = await asks(desk, group)
    since = clock()
    await until(lambda: clock() - since > 0.5, "half a second")
    waited = clock() - since
    await desk.link.answer_stdin(ours.run_id, "Ada")
    outcome = await ours.outcome()
    assert outcome.duration_seconds is not None
    assert 0 <= outcome.duration_seconds <= clock() - began - waited


# ── the end of a question without an answer


async def test_stop_ends_the_question_and_the_next_one_gets_its_own_answer(desk, group):
    ours = await asks(desk, group)
    async with asyncio.timeout(30):
        stopped = await desk.link.stop(ours.run_id)
    outcome = await ours.outcome()
    assert stopped.outcome == "interrupted", stopped
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "stop")
    assert [one for one in ours.recorder.told if one != "output"][-2:] == ["asked", "cancelled"]
    with pytest.raises(NotFound):
        await desk.link.answer_stdin(ours.run_id, "too late")
    following = await asks(desk, group, f"{ASK}\nprint(name)")
    await desk.link.answer_stdin(following.run_id, "mine")
    assert (await following.outcome()).status == "ok"
    assert following.recorder.text == "mine\n"


async def test_an_answer_given_in_the_moment_of_stop_is_not_left_to_the_persons_cell(sit, group):
    desk = await sit()
    person = await desk.person()
    for _ in range(6):
        ours = await asks(desk, group)
        theirs = person.client.execute("theirs = input('mine? ')", allow_stdin=True)
        stopping = group.create_task(desk.link.stop(ours.run_id))
        while not stopping.done():
            await asyncio.sleep(0)
            with pytest.raises(NotFound):
                await desk.link.answer_stdin(ours.run_id, "ours")
        assert (await ours.outcome()).status == "interrupted"
        await person.client.get_stdin_msg(timeout=20)
        person.client.input("theirs")
        assert (await person.reply(theirs))["status"] == "ok"
        assert await person.value("theirs") == "'theirs'"


async def test_a_cell_that_asks_again_in_spite_of_stop_can_be_answered_then(sit, group):
    limits = dataclasses.replace(
        DEFAULT_LIMITS, interrupt_repeat_seconds=0.3, interrupt_ask_seconds=0.5
    )
    desk = await sit(limits=limits)
    ours = await asks(desk, group, STUBBORN)
    stopped = await desk.link.stop(ours.run_id)
    assert stopped.outcome == "stuck", stopped
    await until(lambda: ours.recorder.told[-1] == "asked", "the question again")
    assert ours.recorder.told.count("cancelled") == len(ours.recorder.prompts) - 1 > 0
    await desk.link.answer_stdin(ours.run_id, "enough")
    assert (await ours.outcome()).status == "ok"
    assert await (await desk.person()).value("word") == "'enough'"


async def test_the_persons_own_interrupt_ends_the_question(sit, group):
    desk = await sit()
    ours = await asks(desk, group)
    await desk.server.kernels.interrupt_kernel(desk.kernel_id)
    outcome = await ours.outcome()
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "person")
    assert "cancelled" in ours.recorder.told


async def test_a_kernel_that_dies_takes_the_question_along(sit, group):
    desk = await sit()
    ours = await asks(desk, group)
    os.kill(desk.manager.provisioner.pid, signal.SIGKILL)
    assert (await ours.outcome()).status == "kernel_died"
    assert ours.recorder.told[-1] == "cancelled"
    with pytest.raises(NotFound):
        await desk.link.answer_stdin(ours.run_id, "anyone there?")


async def test_a_restart_takes_the_question_along_and_no_answer_into_the_new_kernel(sit, group):
    desk = await sit()
    ours = await asks(desk, group)
    restarting = asyncio.create_task(desk.link.restart())
    await until(lambda: desk.link._managed.being_stopped, "the restart")
    with pytest.raises(NotFound):
        await desk.link.answer_stdin(ours.run_id, "for the old one")
    assert (await ours.outcome()).status == "kernel_restarted"
    assert ours.recorder.told[-1] == "cancelled"
    await restarting
    following = await asks(desk, group, f"{ASK}\nprint(name)")
    await desk.link.answer_stdin(following.run_id, "new")
    assert (await following.outcome()).status == "ok"
    assert following.recorder.text == "new\n"


async def test_cancelling_a_run_that_asks_stops_it(sit, group):
    desk = await sit()
    ours = await asks(desk, group)
    ours.task.cancel()
    await asyncio.wait({ours.task})
    async with asyncio.timeout(30):
        assert (await run(desk.link, "2")).status == "ok"


async def test_r_asks_too_and_stop_ends_its_question(sit, group, r):
    desk = await sit(kernel_name=r)
    code = "cat('before\\n'); name <- readline('Your name? '); cat('Hello', name)"
    ours = await asks(desk, group, code)
    assert ours.recorder.prompts == [("Your name? ", False)]
    assert ours.recorder.text == "before\n"
    await desk.link.answer_stdin(ours.run_id, "Ada")
    assert (await ours.outcome()).status == "ok"
    assert ours.recorder.text == "before\nHello Ada"
    following = await asks(desk, group, code)
    await desk.link.stop(following.run_id)
    assert (await following.outcome()).status == "interrupted"
    assert following.recorder.told[-1] == "cancelled"


# ── the person's own questions


async def test_the_persons_input_is_theirs_and_keeps_our_run_waiting(desk, group):
    person = await desk.person()
    theirs = person.client.execute("mine = input('mine? ')", allow_stdin=True)
    question = await person.client.get_stdin_msg(timeout=20)
    assert question["content"]["prompt"] == "mine? "
    await desk.sees_theirs()
    ours = await start(desk.link, "print(mine)", group).waiting()
    with pytest.raises(NotFound):
        await desk.link.answer_stdin(ours.run_id, "not yours")
    assert not ours.recorder.sent
    person.client.input("my own words")
    assert (await person.reply(theirs))["status"] == "ok"
    assert (await ours.outcome()).status == "ok"
    assert ours.recorder.text == "my own words\n"


async def test_a_persons_cell_behind_a_waiting_one_of_ours_comes_after_it(sit, group):
    desk = await sit()
    person = await desk.person()
    ours = await asks(desk, group)
    theirs = person.client.execute("name = name + '!'; name = name + input()", allow_stdin=True)
    await desk.link.answer_stdin(ours.run_id, "Ada")
    assert (await ours.outcome()).status == "ok"
    await person.client.get_stdin_msg(timeout=20)
    person.client.input("?")
    assert (await person.reply(theirs))["status"] == "ok"
    assert await person.value("name") == "'Ada!?'"


async def test_variables_can_be_seen_while_a_cell_of_ours_waits(sit, group):
    desk = await sit()
    ours = await asks(desk, group, f"seen = 1\n{ASK}")
    seen = await desk.link.variables()
    assert "seen" in {one.name for one in seen.variables}
    await desk.link.answer_stdin(ours.run_id, "Ada")
    assert (await ours.outcome()).status == "ok"
    assert ours.recorder.told.count("asked") == 1


# ── the parts


def test_of_a_long_prompt_the_beginning_and_the_end_are_kept():
    prompt = "Choose. " + "x" * 100_000 + " Your choice: "
    kept = prompt_of({"prompt": prompt}, 300)
    assert kept.startswith("Choose. ")
    assert kept.endswith(" Your choice: ")
    assert "[…]" in kept
    assert len(kept) < 320


@pytest.mark.parametrize(("content", "prompt"), [({}, ""), ({"prompt": "\ud800?"}, "??")])
def test_a_prompt_is_clean_text_even_if_the_kernel_sends_none(content, prompt):
    assert prompt_of(content, 100) == prompt


def test_a_question_that_is_over_before_it_was_told_is_never_told():
    news: list[Question] = []
    questions = Questions(news.append, lambda: 0.0)
    first = questions.ask("first? ", password=False)
    questions.ask("second? ", password=False)
    questions.bring(first)
    assert news == []
    with pytest.raises(NotFound):
        questions.answer()


def test_an_interrupt_ends_the_question_that_it_hit_and_not_the_next_one():
    news: list[Question] = []
    questions = Questions(news.append, lambda: 0.0)
    hit = questions.ask("first? ", password=False)
    questions.bring(hit)
    hit.state = "told"
    following = questions.ask("second? ", password=False)
    questions.interrupted(hit)
    questions.interrupted(None)
    assert questions.current is following
    questions.bring(following)
    assert [one.state for one in news] == ["cancelled", "cancelled", "due"]
    questions.interrupted(following)
    assert questions.current is None


def test_time_counts_as_waiting_from_the_question_to_its_end():
    now = [10.0]
    questions = Questions(lambda question: None, lambda: now[0])
    questions.ask("? ", password=False)
    now[0] = 13.0
    assert questions.waited_seconds == 3.0
    questions.cancel()
    now[0] = 20.0
    assert questions.waited_seconds == 3.0
