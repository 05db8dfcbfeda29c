"""Models without tools: cells from fenced blocks, and the same notebook as with tools."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cave_lab.model.script import Cell, Fault, Gate, Look, Say, ScriptedTurn, When
from cave_lab.protocol.events import decode_event
from cave_lab.state import replay
from cave_lab.state.values import RefusedItem, TextItem
from tests.fakes.model_server import ModelServer
from tests.golden import normalised, settled
from tests.lab import KEY
from tests.server.scenarios import asked, begun, last_request, script, told, told_whole
from tests.server.test_settings import put
from tests.talk import Frame, Lab, Person, run_as_person
from tests.waiting import until

PLAIN = pytest.mark.parametrize(
    "more_config", [{"CaveLab": {"model": "openai/plain"}}], ids=["no tools"]
)
RAN = "open('ran', 'w').close()"


def has_run(lab: Lab) -> bool:
    """Whether `RAN` was run."""
    return Path(lab.app.contents_manager.root_dir, "ran").exists()


def words(person: Person) -> str:
    """All that was said in the last turn."""
    return "".join(i.text for i in person.state.turns[-1].items if isinstance(i, TextItem))


def refusals(person: Person) -> list[str]:
    """The codes of the last turn's refused actions."""
    return [i.code for i in person.state.turns[-1].items if isinstance(i, RefusedItem)]


# ── the main job


@PLAIN
async def test_a_model_without_tools_uses_a_variable_repairs_an_error_and_sums_up(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("numbers: list of 3", Say("I add them."), Cell("total = sum(number)", "Add up")),
        told("NameError", Say("A slip."), Cell("total = sum(numbers)\ntotal", "Add up")),
        told("6", Say("It is 6.")),
    )
    await run_as_person(lab, person.target, "numbers = [1, 2, 3]")
    await person.say("add them up")
    await person.answer(await person.asked())
    seen = len(person.talk.frames)
    await person.answer(await person.asked(after=seen))
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    wrong, right = state.runs.values()
    assert (wrong.status, right.status, right.repairs) == ("error", "ok", wrong.run_id)
    assert (right.purpose, [c.name for c in right.variables]) == ("Add up", ["total"])
    assert words(person).endswith("It is 6.")
    assert "```" not in words(person), "the blocks are cells, not words"
    assert {call.format for call in state.turns[0].calls} == {"fences"}
    for request in model.requests:
        assert "tools" not in request.body
        roles = [message["role"] for message in request.body["messages"]]
        assert roles == ["system", *["user", "assistant"] * (len(roles) // 2)][: len(roles)]
    assert "```python run Add up\ntotal = sum(number)\n```" in last_request(model)


@PLAIN
async def test_nothing_behind_the_first_block_is_read_and_the_connection_closes(
    lab: Lab, model: ModelServer
) -> None:
    behind = (Say("Behind it."), Cell(RAN, "Another"), Gate("never"), Cell(RAN))
    person = await begun(
        lab,
        model,
        asked("please", Say("I begin."), Cell("x = 1", "Set x"), *behind),
        told("Finished", Say("Done.")),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    first = model.requests[0]
    await until(lambda: first.when("hung_up"), "the connection closed")
    assert first.when("ended") is None
    assert [run.code for run in (await told_whole(lab, person)).runs.values()] == ["x = 1"]
    assert "Behind" not in words(person)
    assert "Behind" not in last_request(model)
    assert not has_run(lab)


@PLAIN
async def test_the_connection_closes_before_the_person_has_answered(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Cell("x = 1", "Set x"), Gate("never")),
        told("Finished", Say("Done.")),
    )
    await person.say("please")
    card = await person.asked()
    await until(lambda: model.requests[0].when("hung_up"), "the connection closed")
    await person.answer(card)
    assert await person.ended() == "end_turn"


@PLAIN
async def test_in_chat_mode_a_block_is_shown_and_never_run(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model, asked("please", Say("So:"), Cell(RAN, "Run it")), mode="chat")
    await person.say("please")
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    assert state.runs == {}
    assert f"```python run Run it\n{RAN}\n```" in words(person)
    assert not has_run(lab)


# ── what never runs


@PLAIN
async def test_a_block_that_was_cut_at_the_models_limit_never_runs_and_the_answer_goes_on(
    lab: Lab, model: ModelServer
) -> None:
    half = Say(f"So.\n\n```python run Half\n{RAN}\n")
    cut = ScriptedTurn("cut", When(last=("please",)), (half,), finish="length", times=1)
    rest = ScriptedTurn("rest", When(last=("was cut off",)), (Say("I see."),))
    person = await begun(lab, model, cut, rest, mode="auto")
    await person.say("please")
    assert await person.ended() == "end_turn"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.cell_id) == ("not_run", None)
    assert refusals(person) == ["cut"]
    assert not has_run(lab)


@PLAIN
@pytest.mark.parametrize("kind", ["eof", "reset", "no_finish", "error_event"])
async def test_a_block_whose_stream_broke_never_runs(
    lab: Lab, model: ModelServer, kind: Any
) -> None:
    half = Say(f"```python run Half\n{RAN}\n``")
    broken = ScriptedTurn("broken", answer=(half,), fault=Fault(kind))
    person = await begun(lab, model, broken, mode="auto")
    await person.say("please")
    assert await person.ended() == "model_error"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.cell_id) == ("not_run", None)
    assert not has_run(lab)


@PLAIN
async def test_a_block_in_another_language_is_told_to_the_model_which_repairs_it(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Say("So:\n\n```bash run List\ntouch ran\n```\n")),
        told("kernel speaks “python”", Cell("1 + 1", "Add")),
        told("Finished", Say("Two.")),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    assert refusals(person) == ["wrong_language"]
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.code, run.status) == ("1 + 1", "ok")
    assert not has_run(lab)


@PLAIN
async def test_a_plain_block_runs_only_where_the_person_decided_so(
    lab: Lab, model: ModelServer
) -> None:
    block = Say("So:\n\n```python\nx = 1\n```\n")
    person = await begun(
        lab, model, asked("please", block), told("Finished", Say("Done.")), mode="auto"
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    assert person.state.runs == {}
    assert "```python\nx = 1\n```" in words(person)
    chosen = {"model": "openai/plain", "api_base": model.url, "key_env": KEY}
    assert (await put(lab, **chosen, options={"plain_fences_run": True}))[0] == 200
    await person.say("please")
    assert await person.ended(2) == "end_turn"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.code, run.status) == ("x = 1", "ok")


# ── the same notebook in both formats


@dataclass(frozen=True)
class Tale:
    """What is said, scripted and clicked."""

    name: str
    messages: tuple[str, ...]
    turns: tuple[ScriptedTurn, ...]
    clicks: tuple[dict[str, Any], ...] = ()
    mode: str = "review"
    clicks_per_turn: int = 1


RICH = """from IPython.display import HTML, display
print("one", flush=True)
display(HTML("<b>two</b>"))
rows = [{"n": n} for n in range(3)]
rows"""
TICKS = '''text = """
```python run not a cell
1
```
"""
len(text)'''

TALES = [
    Tale(
        "failed and repaired",
        ("look up b",),
        (
            asked("look up b", Say("I look."), Cell("d = {'a': 1}['b']", "Look b up")),
            told("KeyError: 'b'", Cell("d = {'a': 1}.get('b', 0)\nd", "Look b up, or 0")),
            told("Finished", Say("There is no b, so I used 0.")),
        ),
        mode="auto",
    ),
    Tale(
        "edited, rejected and run",
        ("count", "tidy up", "show x"),
        (
            asked("count", Cell("x = list(range(1000))", "Count")),
            told("list(range(3))", Say("Three it is.")),
            asked("tidy up", Say("I tidy."), Cell("del x", "Delete x")),
            told("I still need x", Say("Then I leave it.")),
            asked("show x", Cell("x", "Show x")),
            told("[0, 1, 2]", Say("There it is.")),
        ),
        (
            {"outcome": "run_edited", "edited_code": "x = list(range(3))"},
            {"outcome": "rejected", "reason": "I still need x"},
            {"outcome": "run"},
        ),
    ),
    Tale(
        "outputs of all kinds",
        ("show me", "and the ticks"),
        (
            asked("show me", Say("I show."), Cell(RICH, "Show rows")),
            told("'n': 2", Cell("import sys\nsys.stderr.write('careful\\n')\n1 / 0", "Divide")),
            told("ZeroDivisionError", Cell("1 / 2", "Divide by two")),
            told("0.5", Say("A half.")),
            asked("and the ticks", Cell(TICKS, "Measure")),
            told("Finished", Say("Measured.")),
        ),
        mode="auto",
    ),
    Tale(
        "unusable, then right",
        ("please",),
        (
            asked("please", Cell("x = = 1", "Set x")),
            asked("invalid syntax", Cell("x = 1\n\n\nif x:\n    print('é ✓ 🎉')", "Set x")),
            told("🎉", Say("Done.")),
        ),
        mode="auto",
    ),
    Tale(
        "looked, checked and run",
        ("how many", "and the rest"),
        (
            asked("how many", Say("I look."), Look(("rows", "gone"))),
            told("There is no variable", Cell("rows = list(range(9))\nrows[:2]", "Make rows")),
            told("[0, 1]", Say("A check."), Cell("len(rows)", "Count", scratch=True)),
            told("(scratch: not kept in the notebook)", Say("Nine.")),
            asked("and the rest", Look(("rows",), "tail")),
            told("There is no detail", Look(("rows",), "schema")),
            told("rows: list of 9", Cell("rows[2:]", "Show the rest")),
            told("8]", Say("There it is.")),
        ),
        (
            {"outcome": "run"},
            {"outcome": "run_edited", "edited_code": "len(rows) - 1"},
            {"outcome": "run"},
        ),
        clicks_per_turn=2,
    ),
]


async def played(lab: Lab, model: ModelServer, tale: Tale, name: str) -> Person:
    """The tale with a model of this name, at a notebook of its own."""
    model.load(script(*tale.turns))
    target = await lab.notebook(f"{name}.ipynb")
    person = await Person.at(lab, target, mode=tale.mode, model=f"openai/{name}")
    clicks, seen = list(tale.clicks), 0
    for turn, message in enumerate(tale.messages, 1):
        await person.say(message)
        for click in clicks[: tale.clicks_per_turn]:
            card = await person.asked(after=seen)
            seen = len(person.talk.frames)
            await person.answer(card, **click)
        del clicks[: tale.clicks_per_turn]
        assert await person.ended(turn) == "end_turn"
    await told_whole(lab, person)
    return person


def cells(person: Person) -> list[Frame]:
    """All that is kept of each run, and what was said and refused around them, with even ids."""
    lines = normalised(person.talk.events(person.thread_id))
    state = replay(decode_event(json.dumps(line)) for line in lines)
    assert state is not None
    runs = state.model_dump(mode="json", exclude={"runs": {"__all__": {"target"}}})["runs"]
    return [settled(run) for run in runs.values()]


STREAMED = ("text.delta", "action.delta", "output.added", "output.appended", "usage")
SPOKEN = ("thread.created", "context.sent")
"""Events that come in pieces as time has it, or that hold what the model is spoken to in."""


def acts(person: Person) -> list[Frame]:
    """All that was done, in order: proposed, asked, run, looked at and refused."""
    events = person.talk.events(person.thread_id)
    lines = normalised([event for event in events if event.type not in STREAMED + SPOKEN])
    # Each was told in a notebook of its own, and each format needs its own number of tokens.
    same = [{**line, "seq": 0, "target": None, "usage": None} for line in lines]
    acted: list[Frame] = settled(same)
    return acted


def order(person: Person) -> list[list[tuple[str, int]]]:
    """Where in each turn cells, looks and refusals stand, and with which call."""
    shown = ("run", "refused", "look")
    return [
        [(item.type, item.call) for item in turn.items if item.type in shown]  # type: ignore[union-attr]
        for turn in person.state.turns
    ]


@pytest.mark.parametrize("tale", TALES, ids=lambda tale: tale.name)
async def test_the_same_tale_in_both_formats_gives_the_same_notebook(
    lab: Lab, model: ModelServer, tale: Tale
) -> None:
    with_tools = await played(lab, model, tale, "scripted")
    in_tools = len(model.requests)
    in_fences = await played(lab, model, tale, "plain")
    assert all("tools" in request.body for request in model.requests[:in_tools])
    assert all("tools" not in request.body for request in model.requests[in_tools:])
    assert len(model.requests) == 2 * in_tools
    assert cells(with_tools), "there is something to compare"
    assert cells(with_tools) == cells(in_fences)
    assert acts(with_tools) == acts(in_fences)
    assert order(with_tools) == order(in_fences)
