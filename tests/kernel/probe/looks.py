"""Closer looks at variables of a lab's kernel."""

from typing import Any

from tests.kernel.probe.lab import Lab

Answer = dict[str, Any]


async def answers(lab: Lab, *names: str, kind: str = "head", **wish: Any) -> dict[str, Answer]:
    """What the probe answers, by name."""
    plain = {
        "reach": 0,
        "column": "",
        "start": 0,
        "values": True,
        "max_columns": 50,
        "max_chars": 4_000,
    }
    # A budget that a busy machine does not use up.
    content = {"names": list(names), "kind": kind, "budget_ms": 4_000, **plain, **wish}
    reply = await lab.ask("look", **content)
    assert reply["status"] == "ok", reply
    return {answer["name"]: answer for answer in reply["answers"]}


async def look(lab: Lab, name: str, kind: str = "head", **wish: Any) -> Answer:
    """The answer for one name."""
    return (await answers(lab, name, kind=kind, **wish))[name]


async def text(lab: Lab, name: str, kind: str = "head", **wish: Any) -> str:
    """The text of the answer for one name, which is whole."""
    answer = await look(lab, name, kind, **wish)
    assert answer.get("text") is not None, answer
    assert not answer["text"]["cut"]
    return whole(answer)


def whole(answer: Answer) -> str:
    """What is told of an answer's text from its beginning."""
    parts = answer["text"]
    return "".join(parts.get(key, "") for key in ("opening", "head", "closing"))


async def texts(lab: Lab, *names: str, **wish: Any) -> dict[str, str]:
    """The texts of the answers for several names."""
    return {name: whole(one) for name, one in (await answers(lab, *names, **wish)).items()}
