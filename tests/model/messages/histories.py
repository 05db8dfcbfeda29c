"""Random histories: turns of cells, words, looks and compactions, and what may happen besides."""

import random
from collections.abc import Callable
from typing import Any

from cave_lab.protocol.content import (
    Excerpt,
    Outline,
    RunCellAction,
    StreamOutput,
    TextPart,
    VariableChange,
)
from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import RunId
from cave_lab.protocol.run_events import (
    CellPlaced,
    CellReviewed,
    OutputAdded,
    RunEnded,
    RunProposed,
)
from cave_lab.protocol.thread_events import (
    ActionRefused,
    MessageQueued,
    MessageUnqueued,
    Notice,
    ThreadChanged,
    UsageReported,
    VariablesLooked,
    VariablesSeen,
)
from cave_lab.state import fold
from cave_lab.state.values import ThreadState
from tests.model.messages.telling import (
    FIRST,
    FRAME,
    SECOND,
    cell,
    compacts,
    computes,
    sends,
    shown,
)
from tests.state.making import OTHER_SHA, TARGET, Story

ALIVE: dict[str, Any] = {"generation": "1-a", "variables": [FRAME], "variables_total": 1}

OUTLINES = {
    FIRST: Outline(cells=[cell("c1", "x"), cell("c2", "y")], total=2),
    SECOND: Outline(cells=[cell("c1", "x"), cell("c2", "z", OTHER_SHA)], total=2),
}


def random_talk(seed: int) -> Story:
    """Turns of cells, words, steers, looks and compactions in any order."""
    chance = random.Random(seed)
    story, run = Story(), 0
    for number in range(1, chance.randint(2, 6)):
        story.turn(number, f"question {number}", outline=chance.choice([None, FIRST, SECOND]))
        story.seen(number, generation="1-a", variables=[FRAME], total=1)
        for call in range(1, chance.randint(2, 7)):
            if chance.random() < 0.25:
                tier = chance.choice(["stubs", "summary", "trimmed"])
                turn = chance.randint(1, number)
                up_to = chance.randint(0, call) if turn == number else chance.randint(0, 3)
                compacts(story, tier, turn, up_to, at=number, summary="S", **ALIVE)
            sends(story, number, call, outline=chance.choice([None, None, FIRST, SECOND]))
            kind = chance.choice(["cell", "cell", "words", "look", "nothing", "steer"])
            if kind in ("cell", "steer"):
                run += 1
                computes(story, run, number, call)
            elif kind == "words":
                story.says("words", number, call)
            elif kind == "look":
                story.add(
                    VariablesLooked,
                    turn_id=f"turn-{number}",
                    call=call,
                    by="model",
                    names=["df"],
                )
            if kind == "steer":
                name = f"m-{number}-{call}"
                words = [TextPart(text=f"steer {name}")]
                story.add(MessageQueued, message_id=name, content=words, when="steer")
                story.add(
                    MessageUnqueued, message_id=name, reason="steered", turn_id=f"turn-{number}"
                )
        if chance.random() < 0.8:
            story.says("done", number, 9)
        story.over(number)
    return story.turn(99, "the last question")


def steps(story: Story) -> list[tuple[ThreadState, Any]]:
    """Each event with the thread before it."""
    state, found = Story().state, []
    for event in story.events[1:]:
        found.append((state, event))
        state = fold(state, event)
    return [*found, (state, None)]


# ── what may happen besides, at any time


def _late_output(story: Story, run: str, chance: random.Random) -> None:
    story.add(
        OutputAdded,
        run_id=run,
        index=99,
        output=StreamOutput(name="stdout", text="late"),
        late=True,
    )


def _known_better(story: Story, run: str, chance: random.Random) -> None:
    text = f"known later {chance.random()}"
    excerpt = chance.choice([shown(text), Excerpt(head=text, tail=text * 9, total=999)])
    changes = [VariableChange(name=f"late{chance.randint(0, 3)}", kind="added")]
    story.add(RunEnded, run_id=run, status="error", excerpt=excerpt, variables=changes)


def _in_the_notebook(story: Story, run: str, chance: random.Random) -> None:
    story.add(CellPlaced, run_id=run, cell_id="c", level="in_file", by="b")


def _decided(story: Story, run: str, chance: random.Random) -> None:
    story.add(CellReviewed, run_id=run, cell_id="c", verdict="edited_since")


def _edited(story: Story, run: str, chance: random.Random) -> None:
    """A run that was edited before it ran, as is seen only now."""
    of, name = story.state.runs[RunId(run)], f"edit-{len(story.events)}"
    story.add(
        RunProposed,
        run_id=name,
        turn_id=of.turn_id,
        call=of.call,
        action=RunCellAction(code="y"),
        purpose="p",
        code="y",
        sha256=OTHER_SHA,
        by="user",
        replaces=run,
        target=TARGET,
    )
    story.add(RunEnded, run_id=name, status="ok", excerpt=shown("edited"))


def _privacy(story: Story, run: str, chance: random.Random) -> None:
    story.add(ThreadChanged, privacy=chance.choice(["schema", "standard", "full"]))


def _refused(story: Story, run: str, chance: random.Random) -> None:
    turn = story.state.turns[-1].turn_id
    story.add(ActionRefused, turn_id=turn, call=9, code="empty_code", text="Nothing was run.")


def _told(story: Story, run: str, chance: random.Random) -> None:
    turn = story.state.turns[-1].turn_id
    story.add(Notice, turn_id=turn, level="info", code="no_kernel", text="No kernel.")


def _named(story: Story, run: str, chance: random.Random) -> None:
    turn, call = story.state.turns[-1].turn_id, chance.choice([0, 1, 2])
    story.add(VariablesLooked, turn_id=turn, call=call, by="user", names=["df"])


def _seen_again(story: Story, run: str, chance: random.Random) -> None:
    turn = story.state.turns[-1].turn_id
    generation = chance.choice(["1-a", "2-b"])
    story.add(VariablesSeen, turn_id=turn, generation=generation, variables=[], total=0)


def _used(story: Story, run: str, chance: random.Random) -> None:
    turn = story.state.turns[-1].turn_id
    story.add(UsageReported, turn_id=turn, call=1, prompt=9, completion=1)


_BESIDES: list[Callable[[Story, str, random.Random], None]] = [
    *(_late_output, _known_better, _in_the_notebook, _decided, _edited, _privacy),
    *(_refused, _told, _named, _seen_again, _used),
]


def disturbed_talk(seed: int) -> Story:
    """A random talk in which anything else happens in between, to older runs too."""
    chance, story = random.Random(seed), Story()
    for event in random_talk(seed).events[1:]:
        _again(story, event)
        if story.state.runs and chance.random() < 0.3:
            run = chance.choice(list(story.state.runs))
            chance.choice(_BESIDES)(story, run, chance)
    return story


def _again(story: Story, event: Event) -> None:
    fields = {name: getattr(event, name) for name in event.model_fields_set}
    story.add(
        type(event), **{k: v for k, v in fields.items() if k not in ("seq", "thread_id", "at")}
    )
