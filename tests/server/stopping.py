"""The moments of a model's call at which Stop may be pressed, for tests and measurements."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from cave_lab.model.script import Fault, Gate, Item, RawCall, Say, ScriptedTurn, Think
from tests.fakes.model_server import ModelServer
from tests.fakes.record import Recorded
from tests.server.scenarios import script
from tests.talk import Frame, Person
from tests.waiting import until

PACE = 100.0
"""Tokens per second of an answer that would go on for minutes."""

Signs = Callable[[list[Frame], list[Recorded]], bool]


def _frame(type_: str) -> Signs:
    return lambda frames, _: any(frame["type"] == type_ for frame in frames)


def _noted(what: str) -> Signs:
    return lambda _, requests: any(request.when(what) for request in requests)


def _second_waits(_: list[Frame], requests: list[Recorded]) -> bool:
    return len(requests) == 2 and requests[1].when("gate") is not None


@dataclass(frozen=True)
class Moment:
    """A moment of a call: what the model plays, and by what one sees that it has come."""

    name: str
    turns: tuple[ScriptedTurn, ...]
    has_come: Signs
    plain: bool = False
    """Whether the model has no tools."""
    calls: int = 1
    """Requests that have been made by then; no more may follow."""
    open: bool = True
    """Whether a connection is open that has to be closed."""


def _plays(*answer: Item, fault: Fault | None = None) -> tuple[ScriptedTurn, ...]:
    return (ScriptedTurn("plays", answer=answer, fault=fault, tokens_per_second=PACE),)


_LONG = "word " * 8_000
_CODE = "a = 1\\n" * 4_000
_SILENCE: tuple[Fault, ...] = (
    Fault("hang"),
    Fault("keep_alives", seconds=0.02),
    Fault("empty_deltas", seconds=0.02),
)
_BUSY = Fault("rate_limited", retry_after="50")

MOMENTS = (
    Moment("waiting for the headers", _plays(fault=Fault("hang")), _noted("fault")),
    Moment("behind the headers", _plays(fault=Fault("headers_only")), _noted("fault")),
    Moment("before the first word", _plays(Gate("never")), _noted("gate")),
    Moment("keep-alives only", _plays(fault=_SILENCE[1]), _noted("fault")),
    Moment("empty deltas only", _plays(fault=_SILENCE[2]), _noted("fault")),
    Moment("words", _plays(Say(_LONG)), _frame("text.delta")),
    Moment("reasoning", _plays(Think(_LONG)), _frame("reasoning.delta")),
    Moment(
        "a call of the tool",
        _plays(RawCall('{"purpose": "x", "code": "' + _CODE)),
        _frame("action.delta"),
    ),
    Moment(
        "a fenced block",
        _plays(Say("```python run x\n" + _CODE.replace("\\n", "\n"))),
        _frame("action.delta"),
        plain=True,
    ),
    *(
        Moment(f"{fault.kind} behind words", _plays(Say(_LONG[:100]), fault=fault), _noted("fault"))
        for fault in _SILENCE
    ),
    Moment(
        "going on after a cut",
        (
            ScriptedTurn("cut", answer=(Say("It goes on and"),), finish="length", times=1),
            *_plays(Say("on and"), Gate("never")),
        ),
        _second_waits,
        calls=2,
    ),
    Moment("waiting for another try", _plays(fault=_BUSY), _frame("model.retrying"), open=False),
)


async def stop_at(person: Person, model: ModelServer, moment: Moment) -> float:
    """Stop at a moment; gives the seconds until the model's side saw it, or the turn's end.

    The turn has ended as cancelled then, and no further request was made.
    """
    model.load(script(*moment.turns))
    seen, asked = len(person.talk.frames), len(model.requests)
    turns = sum(frame["type"] == "turn.ended" for frame in person.talk.frames)
    await person.say(moment.name)
    await until(
        lambda: moment.has_come(person.talk.frames[seen:], model.requests[asked:]), moment.name
    )
    pressed = time.time()
    await person.do("turn.stop")
    assert await person.ended(turns + 1) == "cancelled"
    over = time.time()
    requests = model.requests[asked:]
    assert len(requests) == moment.calls
    last = requests[-1]
    if not moment.open:
        return over - pressed
    await until(lambda: last.when("hung_up"), f"the client hanging up while {moment.name}")
    assert last.when("ended") is None, "the answer was not read to its end"
    return (last.when("hung_up") or 0.0) - pressed
