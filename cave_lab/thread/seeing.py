"""Sees the kernel's variables for the model, or says why they can't be seen."""

from __future__ import annotations

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.kernel.port import KernelLink, OutsideChanges, VariablesSnapshot
from cave_lab.privacy.modes import previews_wanted
from cave_lab.protocol.ids import Generation, TurnId
from cave_lab.protocol.thread_events import VariablesSeen
from cave_lab.state.values import ThreadState, VariablesView


def unseen(turn_id: TurnId, why: str, generation: Generation | None = None) -> VariablesSeen:
    """The variables can't be seen, for a reason in a sentence."""
    return VariablesSeen(**DRAFT, turn_id=turn_id, generation=generation, unavailable=why)


async def see_variables(link: KernelLink | None, turn_id: TurnId, state: ThreadState) -> Draft:
    """Look at the kernel's variables, and at what others did to them since the last look."""
    if link is None:
        return unseen(turn_id, errors.NoKernel.default)
    try:
        seen = await link.variables(previews=previews_wanted(state.privacy))
    except errors.KernelError as error:
        return unseen(turn_id, str(error), link.generation)
    outside = await _changes_since(link, state, seen)
    return VariablesSeen(
        **DRAFT,
        turn_id=turn_id,
        generation=seen.generation,
        variables=list(seen.variables),
        total=seen.total,
        omitted=dict(seen.omitted),
        age_seconds=seen.age_seconds,
        changes=list(outside.changes) if outside else [],
        changes_complete=outside is None or outside.complete,
        changes_lost=outside.lost if outside else 0,
        mark=outside.mark if outside else None,
    )


async def _changes_since(
    link: KernelLink, state: ThreadState, seen: VariablesSnapshot
) -> OutsideChanges | None:
    """What cells outside the thread did since the last look; None if the kernel does not say now.

    The mark stands then, so that the next look tells of it.
    """
    if seen.age_seconds > 0:
        return None
    try:
        return await link.changes_since(_mark(state, seen.generation), state.runs)
    except errors.KernelError:
        return None


def _mark(state: ThreadState, generation: Generation | None) -> int | None:
    """Up to where the thread knows what cells did to this memory."""
    marks = [
        turn.seen.mark
        for turn in state.turns
        if turn.seen is not None and turn.seen.generation == generation
    ]
    return next((mark for mark in reversed(marks) if mark is not None), None)


async def alive(link: KernelLink | None, state: ThreadState) -> VariablesView | None:
    """The variables now, for a talk that is shortened; as seen last if the kernel is silent.

    None if there is no kernel, or nothing of its memory was ever seen.
    """
    if link is None:
        return None
    try:
        seen = await link.variables(previews=previews_wanted(state.privacy))
    except errors.KernelError:
        return _seen_last(state, link.generation)
    return VariablesView(
        generation=seen.generation,
        variables=list(seen.variables),
        total=seen.total,
        omitted=dict(seen.omitted),
        unavailable=None,
        age_seconds=seen.age_seconds,
    )


def _seen_last(state: ThreadState, generation: Generation | None) -> VariablesView | None:
    views = (turn.seen for turn in reversed(state.turns) if turn.seen is not None)
    return next(
        (view for view in views if view.unavailable is None and view.generation == generation),
        None,
    )
