"""The fold as a whole: pure, total, and the same from a snapshot."""

from typing import get_args

import pytest

from cave_lab.protocol.events import EVENT_ADAPTER, Event
from cave_lab.protocol.thread_events import ThreadCreated, ThreadSnapshot
from cave_lab.state import fold, replay
from cave_lab.state.fold import _FOLDS
from tests.state.making import Story


def test_every_type_of_event_is_folded() -> None:
    (union, _) = get_args(Event.__value__)
    kinds = set(get_args(union)) - {ThreadCreated, ThreadSnapshot}
    assert set(_FOLDS) == kinds


def test_a_fold_leaves_the_state_before_it_as_it_was() -> None:
    story = Story().turn().says("Hm. ").writes("x")
    before, copy = story.state, story.state.model_copy(deep=True)
    story.says("More. ").proposes("x").closes("run").intends().starts().ends().over()
    assert before == copy
    assert before is not story.state


def test_replay_gives_what_folding_one_by_one_gave() -> None:
    story = Story().turn().runs("x = 1").over().turn(2).says("hi", 2).over(2)
    assert replay(story.events) == story.state
    assert replay([]) is None


def test_a_thread_goes_on_from_a_snapshot_as_from_its_events() -> None:
    story = Story().turn().runs("x = 1").over()
    snapshot = ThreadSnapshot(
        seq=story.state.seq + 1,
        thread_id=story.state.thread_id,
        at=story.state.created_at,
        state=story.state.model_dump(mode="json"),
    )
    stored = EVENT_ADAPTER.validate_json(EVENT_ADAPTER.dump_json(snapshot))
    state = fold(None, stored)
    assert state == story.state.model_copy(update={"seq": snapshot.seq})


def test_a_snapshot_of_something_else_is_an_error() -> None:
    story = Story()
    snapshot = ThreadSnapshot(
        seq=story.state.seq,
        thread_id=story.state.thread_id,
        at=story.state.created_at,
        state={"title": "no thread"},
    )
    with pytest.raises(ValueError, match="ThreadState"):
        fold(None, snapshot)


def test_a_thread_that_does_not_begin_is_an_error() -> None:
    events = Story().turn().events
    with pytest.raises(ValueError, match=r"begins with thread.created"):
        replay(events[1:])
