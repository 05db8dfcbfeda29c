"""Cells that ask for input: the person answers in the panel, and nobody else."""

from pathlib import Path

import pytest

from cave_lab.model.script import Cell, Say
from cave_lab.thread.clock import WorkClock
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import asked, begun, last_request, told, told_whole
from tests.server.test_budgets import allow
from tests.server.test_turns_ends import Hands
from tests.talk import Lab, Person, Refused
from tests.waiting import until

SECRET = "canary-password-0123456789"
ASK = "name = input('Your name? ')\nprint('Hello,', name)"
SECRETLY = "import getpass\nword = getpass.getpass('Password: ')\nprint(len(word), 'letters')"
NOT_WAITING = "does not wait for input"


async def at_question(
    lab: Lab, model: ModelServer, code: str = ASK, result: str = "Hello, Ada"
) -> Person:
    """A person whose cell asks for input."""
    person = await begun(
        lab, model, asked("please", Cell(code, "Ask")), told(result, Say("So it is.")), mode="auto"
    )
    await person.say("please")
    await person.talk.event("stdin.requested", question=1)
    return person


def run_id(person: Person) -> str:
    """The one run of the thread."""
    [run] = person.state.runs
    return run


async def give(person: Person, value: str, **fields: object) -> None:
    """Answer as the panel does."""
    await person.do("stdin.answer", run_id=run_id(person), value=value, **fields)


async def test_a_cell_gets_the_persons_answer_and_the_model_what_the_cell_made_of_it(
    lab: Lab, model: ModelServer
) -> None:
    person = await at_question(lab, model)
    [run] = person.state.runs.values()
    assert run.stdin is not None
    assert (run.stdin.prompt, run.stdin.password, run.phase) == ("Your name? ", False, "running")
    assert len(model.requests) == 1
    await give(person, "Ada", question=1)
    assert await person.ended() == "end_turn"
    closed = await person.talk.event("stdin.closed")
    assert closed["reason"] == "answered"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.stdin) == ("ok", None)
    assert "Hello, Ada" in last_request(model)


async def test_a_password_is_in_no_event_in_no_file_and_not_with_the_model(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    person = await at_question(lab, model, SECRETLY, f"{len(SECRET)} letters")
    requested = await person.talk.event("stdin.requested")
    assert (requested["prompt"], requested["password"]) == ("Password: ", True)
    await give(person, SECRET)
    assert await person.ended() == "end_turn"
    await told_whole(lab, person)
    assert SECRET not in str(person.talk.frames)
    assert SECRET not in str([request.body for request in model.requests])
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert any(file.suffix == ".db" or "journal" in str(file) for file in files)
    assert [file for file in files if SECRET.encode() in file.read_bytes()] == []


async def test_an_answer_is_for_the_question_that_was_shown_and_for_no_other(
    lab: Lab, model: ModelServer
) -> None:
    code = "print([input(word) for word in ('first? ', 'second? ')])"
    person = await at_question(lab, model, code, "['one', '']")
    await give(person, "one", question=1)
    await person.talk.event("stdin.requested", question=2, prompt="second? ")
    with pytest.raises(Refused, match="something else") as refused:
        await give(person, "one again", question=1)
    assert refused.value.code == "not_found"
    await give(person, "", question=2)
    assert await person.ended() == "end_turn"
    with pytest.raises(Refused, match=NOT_WAITING) as refused:
        await give(person, "late")
    assert refused.value.code == "not_found"
    await told_whole(lab, person)


async def test_nothing_is_taken_for_a_run_that_is_not_there(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model)
    with pytest.raises(Refused, match=NOT_WAITING) as refused:
        await person.do("stdin.answer", run_id="run-1", value="x")
    assert refused.value.code == "not_found"


async def test_a_program_with_the_token_sees_the_question_and_may_not_answer_it(
    lab: Lab, model: ModelServer
) -> None:
    person = await at_question(lab, model)
    program = await lab.connect(lab.token_headers)
    await program.ask("thread.open", thread_id=person.thread_id)
    await program.event("stdin.requested")
    with pytest.raises(Refused, match="Only the person answers") as refused:
        await program.ask(
            "stdin.answer", thread_id=person.thread_id, run_id=run_id(person), value="Eve"
        )
    assert refused.value.code == "forbidden"
    await give(person, "Ada")
    assert await person.ended() == "end_turn"


async def test_stop_closes_the_question_and_the_kernel_goes_on(
    lab: Lab, model: ModelServer
) -> None:
    person = await at_question(lab, model)
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    closed = await person.talk.event("stdin.closed")
    assert closed["reason"] == "cancelled"
    with pytest.raises(Refused, match=NOT_WAITING):
        await give(person, "too late", question=1)
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "interrupted"
    await person.say("please")
    await person.talk.event("stdin.requested", after=len(person.talk.frames) - 1)
    [_, again] = person.state.runs
    await person.do("stdin.answer", run_id=again, value="Ada")
    assert await person.ended(2) == "end_turn"


async def test_a_kernel_restarted_while_a_cell_asks_ends_run_and_question(
    lab: Lab, model: ModelServer
) -> None:
    person = await at_question(lab, model)
    kernel_id = person.target["kernel_id"]
    answer = await lab.fetch(f"api/kernels/{kernel_id}/restart", method="POST", body={})
    assert answer.code == 200
    assert await person.ended() == "kernel_lost"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.stdin) == ("kernel_restarted", None)


async def test_the_time_in_which_the_person_thinks_is_no_work_of_the_turns(
    lab: Lab, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = Hands()
    monkeypatch.setattr("cave_lab.thread.turn.WorkClock", lambda: WorkClock(hands))
    await allow(lab, turn={"seconds": 10})
    person = await at_question(lab, model)
    hands.at += 100
    await give(person, "Ada")
    assert await person.ended() == "end_turn"


async def test_another_page_is_shown_the_open_question_and_can_answer_it(
    lab: Lab, model: ModelServer
) -> None:
    person = await at_question(lab, model)
    page = Person(await lab.connect(), person.thread_id, person.target)
    await page.do("thread.open")
    await page.talk.event("stdin.requested")
    await give(page, "Ada")
    assert await person.ended() == "end_turn"
    await until(lambda: page.state == person.state, "both pages showing the same")
