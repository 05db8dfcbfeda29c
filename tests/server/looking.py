"""What the tests of looks and of scratch cells share."""

from typing import Any

import pytest

from cave_lab.model.script import ScriptedTurn
from cave_lab.state.values import LookItem, RefusedItem
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import begun
from tests.talk import Frame, Lab, Person, run_as_person

FORMATS = pytest.mark.parametrize(
    "more_config",
    [{"CaveLab": {"model": "openai/scripted"}}, {"CaveLab": {"model": "openai/plain"}}],
    ids=["tools", "fences"],
)
"""With a model that has tools, and with one that has none."""


async def known(person: Person, after: int = 0) -> None:
    """Wait until the thread knows its kernel; one that is taken as it is found is another story."""
    await person.talk.saw(
        lambda frame: frame["type"] == "kernel.state" and frame["state"] == "idle",
        "the kernel",
        after=after,
    )


async def beside(
    lab: Lab, model: ModelServer, code: str, *turns: ScriptedTurn, **settings: Any
) -> Person:
    """A person whose own cell ran in a kernel that the thread knows."""
    person = await begun(lab, model, *turns, **settings)
    await known(person)
    await run_as_person(lab, person.target, code)
    return person


def looks(person: Person) -> list[LookItem]:
    """The looks of the last turn."""
    return [item for item in person.state.turns[-1].items if isinstance(item, LookItem)]


def refusals(person: Person) -> list[str]:
    """The codes of the last turn's refused actions."""
    return [i.code for i in person.state.turns[-1].items if isinstance(i, RefusedItem)]


def mention(name: str) -> Frame:
    """A variable that a message names."""
    return {"type": "mention", "kind": "variable", "name": name}


async def say_with(person: Person, words: str, *names: str, **fields: Any) -> None:
    """Send a message that names variables."""
    content = [{"type": "text", "text": words}, *map(mention, names)]
    await person.do("message.send", content=content, **fields)


async def count(lab: Lab, person: Person) -> int:
    """The number of the person's next cell but one, which running this takes up."""
    reply = await run_as_person(lab, person.target, "None")
    return int(reply["execution_count"])
