"""The small steps that the folds are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from cave_lab.protocol.content import Usage
from cave_lab.protocol.ids import RunId, TurnId
from cave_lab.state.values import Item, RunState, ThreadState, TurnState

T = TypeVar("T")


def with_run(state: ThreadState, run_id: RunId, **update: Any) -> ThreadState:
    """Change fields of one run; a run that is not there changes nothing."""
    run = state.runs.get(run_id)
    if run is None:
        return state
    return put_run(state, run.model_copy(update=update))


def put_run(state: ThreadState, run: RunState) -> ThreadState:
    """Put a run in its place."""
    return state.model_copy(update={"runs": {**state.runs, run.run_id: run}})


def edit_turn(
    state: ThreadState, turn_id: TurnId, edit: Callable[[TurnState], TurnState]
) -> ThreadState:
    """Change one turn, looked up from the end: it is nearly always the last."""
    for index in range(len(state.turns) - 1, -1, -1):
        if state.turns[index].turn_id == turn_id:
            turns = [*state.turns]
            turns[index] = edit(turns[index])
            return state.model_copy(update={"turns": turns})
    return state


def with_turn(state: ThreadState, turn_id: TurnId, **update: Any) -> ThreadState:
    """Change fields of one turn."""
    return edit_turn(state, turn_id, lambda turn: turn.model_copy(update=update))


def add_item(state: ThreadState, turn_id: TurnId, item: Item) -> ThreadState:
    """Add to the end of a turn's answer."""
    return edit_turn(
        state, turn_id, lambda turn: turn.model_copy(update={"items": [*turn.items, item]})
    )


def replaced(items: Sequence[T], index: int, item: T) -> list[T]:
    """Copy a list with one item changed; an index past the end appends."""
    if 0 <= index < len(items):
        return [*items[:index], item, *items[index + 1 :]]
    return [*items, item]


def add_usage(first: Usage, second: Usage) -> Usage:
    """Sum usage; a cost is the sum of the known ones, None while none is known."""
    return Usage(
        calls=first.calls + second.calls,
        prompt=first.prompt + second.prompt,
        completion=first.completion + second.completion,
        cached=first.cached + second.cached,
        cost=_add_cost(first.cost, second.cost),
        price_source=second.price_source or first.price_source,
        runs=first.runs + second.runs,
        estimated=first.estimated or second.estimated,
        unpriced=first.unpriced + second.unpriced,
        seconds=first.seconds + second.seconds,
    )


def add_to_usage(state: ThreadState, turn_id: TurnId, used: Usage) -> ThreadState:
    """Count in the turn and in the thread."""
    state = edit_turn(
        state,
        turn_id,
        lambda turn: turn.model_copy(update={"usage": add_usage(turn.usage, used)}),
    )
    return state.model_copy(update={"usage": add_usage(state.usage, used)})


def _add_cost(first: float | None, second: float | None) -> float | None:
    if first is None or second is None:
        return first if second is None else second
    return first + second
