"""What is kept of a derivation gives the very messages that a new one would."""

import random
from dataclasses import replace

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.messages import Derivation, View, derive
from cave_lab.model.port import ModelMessage
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.ids import RunId
from cave_lab.protocol.thread_events import ThreadChanged
from cave_lab.state.values import ThreadState
from tests.model.messages.histories import OUTLINES, disturbed_talk, steps
from tests.model.messages.telling import FIRST, SECOND, computes, sends, shown
from tests.state.making import Story

VIEW = View("SYSTEM", str, DEFAULT_LIMITS, OUTLINES)


def told(kept: Derivation, state: ThreadState, view: View = VIEW) -> list[ModelMessage]:
    return [each.message for each in kept.placed(state, view)]


@pytest.mark.parametrize("seed", range(60))
def test_whatever_happens_kept_messages_are_those_of_a_new_derivation(seed: int) -> None:
    kept, chance = Derivation(), random.Random(seed)
    for state, _ in steps(disturbed_talk(seed)):
        figures = {run: ("data:,1",) for run in state.runs if chance.random() < 0.05}
        view = replace(VIEW, newer=chance.choice([None, None, FIRST, SECOND]), figures=figures)
        if chance.random() < 0.05:
            view = replace(view, outlines={})
        if chance.random() < 0.05:
            small = replace(DEFAULT_LIMITS, outline_chars=40, past_result_chars=5)
            view = replace(view, limits=small)
        if chance.random() < 0.05:
            view = replace(view, redact=Redactor({"A_KEY": "question"}))
        assert kept.placed(state, view) == Derivation().placed(state, view)


def test_another_prompt_and_what_providers_want_back_are_never_old() -> None:
    blob, story = FIRST, Story().turn()
    sends(story, 1, 1)
    computes(story, 1)
    call = story.state.turns[0].calls[0].model_copy(update={"kept": blob})
    turn = story.state.turns[0].model_copy(update={"calls": [call]})
    state = story.state.model_copy(update={"turns": [turn]})
    kept = Derivation()
    for view in (VIEW, replace(VIEW, kept={blob: "{}"}), VIEW, replace(VIEW, system="OTHER")):
        assert told(kept, state, view) == derive(state, view)


def talk(runs: int) -> Story:
    story = Story().turn()
    for run in range(1, runs + 1):
        sends(story, 1, run)
        computes(story, run, call=run)
    return story


def test_only_what_is_new_is_told_anew() -> None:
    kept, story = Derivation(), talk(30)
    before = told(kept, story.state)
    sends(story, 1, 31)
    after = told(kept, computes(story, 31, call=31).state)
    assert all(now is then for now, then in zip(after[1:], before[1:], strict=False))
    assert after == derive(story.state, VIEW)


def test_an_older_run_that_changes_is_told_anew_and_those_behind_it_are_not() -> None:
    kept, story = Derivation(), talk(30)
    before = told(kept, story.state)
    run = RunId("run-10")
    late = story.state.runs[run].model_copy(update={"excerpt": shown("late")})
    state = story.state.model_copy(update={"runs": {**story.state.runs, run: late}})
    after = told(kept, state)
    changed = [
        at for at, pair in enumerate(zip(after, before, strict=True)) if pair[0] is not pair[1]
    ]
    assert [at for at in changed if after[at] != before[at]] == [21]
    assert set(changed) <= {0, 20, 21}
    assert after == derive(state, VIEW)


def test_a_stricter_mode_leaves_nothing_as_it_was_told_before() -> None:
    kept, story = Derivation(), talk(5)
    assert "output of run 1" in str(told(kept, story.state))
    strict = story.add(ThreadChanged, privacy="schema").state
    assert "output of run" not in str(told(kept, strict))
