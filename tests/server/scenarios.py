"""Small stories of a person, a scripted model and a real kernel, for tests and recordings."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cave_lab.model.script import Cell, Gate, Item, Say, ScriptedTurn, Trajectory, When
from cave_lab.protocol.run_events import RunEnded, RunIntended
from cave_lab.protocol.thread_events import TurnEnded
from cave_lab.state import ThreadState
from tests.fakes.model_server import ModelServer
from tests.talk import Lab, Person
from tests.waiting import until


def asked(words: str, *answer: Item) -> ScriptedTurn:
    """The answer to a person's message that holds these words."""
    return ScriptedTurn(f"asked: {words}", When(last=(words,), role="user"), answer)


def told(words: str, *answer: Item) -> ScriptedTurn:
    """The answer to a run's result that holds these words."""
    return ScriptedTurn(f"told: {words}", When(last=(words,), role="tool"), answer)


def script(*turns: ScriptedTurn) -> Trajectory:
    """A trajectory of these turns."""
    return Trajectory("test", turns)


WAITING = """import pathlib, time
print('begun', flush=True)
while not pathlib.Path('go').exists():
    time.sleep(0.01)
print('done')"""
"""A cell that prints, and ends when a file called `go` is there."""


def let_go(lab: Lab) -> None:
    """Let `WAITING` end."""
    Path(lab.app.contents_manager.root_dir, "go").touch()


async def begun(lab: Lab, model: ModelServer, *turns: ScriptedTurn, **settings: Any) -> Person:
    """A person at a new notebook with a running kernel, and a model that knows these turns."""
    model.load(script(*turns))
    return await Person.at(lab, await lab.notebook(), **settings)


async def told_whole(lab: Lab, person: Person) -> ThreadState:
    """The thread when all is over: each thing begun once, ended once, and told as it is kept."""
    thread = await (await lab.domain()).threads.get(person.thread_id, "local")
    await until(lambda: not thread.busy and person.state == thread.state, "all that is kept")
    state, events = person.state, person.talk.events(person.thread_id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    ended = Counter(event.turn_id for event in events if isinstance(event, TurnEnded))
    assert ended == Counter(turn.turn_id for turn in state.turns)
    closed = Counter(event.run_id for event in events if isinstance(event, RunEnded))
    assert closed == Counter(list(state.runs))
    intended = Counter(event.run_id for event in events if isinstance(event, RunIntended))
    assert all(count == 1 for count in intended.values())
    for run in state.runs.values():
        assert run.phase == "ended"
        assert run.approval is None or run.approval.outcome is not None
    return state


def last_request(model: ModelServer) -> str:
    """All that the model was given at last, as text."""
    return "\n".join(str(message.get("content")) for message in model.requests[-1].body["messages"])


Story = Callable[[Lab, ModelServer], Awaitable[Person]]


async def plain_answer(lab: Lab, model: ModelServer) -> Person:
    """A question that needs no run."""
    model.load(script(asked("hello", Say("Hello. What shall we look at?"))))
    person = await Person.at(lab, await lab.notebook())
    await person.say("hello")
    assert await person.ended() == "end_turn"
    return person


async def one_run(lab: Lab, model: ModelServer) -> Person:
    """One approved cell and a summary."""
    model.load(
        script(
            asked("six times seven", Say("I compute it."), Cell("x = 6 * 7\nx", "Multiply")),
            told("42", Say("It is 42.")),
        )
    )
    person = await Person.at(lab, await lab.notebook())
    await person.say("six times seven")
    await person.answer(await person.asked())
    assert await person.ended() == "end_turn"
    return person


async def failed_and_repaired(lab: Lab, model: ModelServer) -> Person:
    """A cell fails, and the next one repairs it, keyed on the exact error."""
    model.load(
        script(
            asked("look up b", Cell("d = {'a': 1}['b']", "Look b up")),
            told("KeyError: 'b'", Cell("d = {'a': 1}.get('b', 0)\nd", "Look b up with a default")),
            told("Finished", Say("There is no b, so I used 0.")),
        )
    )
    person = await Person.at(lab, await lab.notebook(), mode="auto")
    await person.say("look up b")
    assert await person.ended() == "end_turn"
    return person


async def rejected_run(lab: Lab, model: ModelServer) -> Person:
    """The person rejects a cell with a reason, which the model is told."""
    model.load(
        script(
            asked("tidy up", Cell("del x", "Delete x")),
            told("I still need x", Say("Then I leave it.")),
        )
    )
    person = await Person.at(lab, await lab.notebook())
    await person.say("tidy up")
    await person.answer(await person.asked(), "rejected", reason="I still need x")
    assert await person.ended() == "end_turn"
    return person


async def edit_and_run(lab: Lab, model: ModelServer) -> Person:
    """The person changes the code and runs it; the model is told what really ran."""
    model.load(
        script(
            asked("count", Cell("list(range(1000))", "Count")),
            told("What ran:\n<data>\nlist(range(3))\n</data>", Say("Three it is.")),
        )
    )
    person = await Person.at(lab, await lab.notebook())
    await person.say("count")
    await person.answer(await person.asked(), "run_edited", edited_code="list(range(3))")
    assert await person.ended() == "end_turn"
    return person


async def stopped(lab: Lab, model: ModelServer) -> Person:
    """Stop in the middle of a run."""
    model.load(
        script(
            asked(
                "wait",
                Cell("import time\nprint('begun', flush=True)\ntime.sleep(600)", "Wait"),
            )
        )
    )
    person = await Person.at(lab, await lab.notebook(), mode="auto")
    await person.say("wait")
    await person.talk.event("output.added")
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    return person


async def kernel_death(lab: Lab, model: ModelServer) -> Person:
    """The kernel dies in the middle of a run, once what it put out has been seen."""
    code = (
        "import os, time, pathlib\n"
        "print('one', flush=True)\n"
        "while not pathlib.Path('go').exists():\n"
        "    time.sleep(0.01)\n"
        "os._exit(1)"
    )
    model.load(script(asked("crash", Cell(code, "End the process"))))
    person = await Person.at(lab, await lab.notebook(), mode="auto")
    await person.say("crash")
    await person.talk.event("output.added")
    Path(lab.app.contents_manager.root_dir, "go").write_text("go")
    assert await person.ended() == "kernel_lost"
    await person.talk.event("kernel.changed", reason="lost")
    return person


async def reconnect_in_mid_run(lab: Lab, model: ModelServer) -> Person:
    """The connection is lost while a cell runs, and another one resumes from where it was."""
    code = (
        "import time, pathlib\n"
        "print('one', flush=True)\n"
        "while not pathlib.Path('go').exists():\n"
        "    time.sleep(0.01)\n"
        "print('two')"
    )
    model.load(
        script(asked("wait for me", Cell(code, "Wait for a file")), told("two", Say("Done.")))
    )
    person = await Person.at(lab, await lab.notebook(), mode="auto")
    await person.say("wait for me")
    await person.talk.event("output.added")
    before = person.talk
    await before.close()
    folder = lab.app.contents_manager.root_dir
    person.talk = await lab.connect()
    # What came over both connections is one story, as a panel that reconnects has it.
    person.talk.frames += [frame for frame in before.frames if "seq" in frame and "at" in frame]
    last = max(event.seq for event in person.talk.events(person.thread_id))
    await person.do("thread.open", from_seq=last)
    with open(f"{folder}/go", "w") as file:
        file.write("go")
    assert await person.ended() == "end_turn"
    return person


async def queued_message(lab: Lab, model: ModelServer) -> Person:
    """A message that is written while a turn runs is sent when it ends."""
    model.load(
        script(
            asked("first", Say("Working on the first. "), Gate("first"), Say("First done.")),
            asked("second", Say("Second done.")),
        )
    )
    person = await Person.at(lab, await lab.notebook())
    await person.say("first")
    await person.talk.event("text.delta")
    await person.say("second")
    model.release("first")
    assert await person.ended(1) == "end_turn"
    assert await person.ended(2) == "end_turn"
    return person


@dataclass(frozen=True)
class Told:
    """A story and the name of its recording."""

    name: str
    story: Story


STORIES = [
    Told(story.__name__, story)
    for story in (
        plain_answer,
        one_run,
        failed_and_repaired,
        rejected_run,
        edit_and_run,
        stopped,
        kernel_death,
        reconnect_in_mid_run,
        queued_message,
    )
]


async def all_told(person: Person) -> None:
    """Wait until nothing more is to be said: the turn is over and the kernel's state is told."""
    await until(lambda: person.state.turn is None, "the turn ended")
