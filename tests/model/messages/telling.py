"""What the tests of the derivation share: stories with results, outlines and compactions."""

from collections.abc import Mapping
from typing import Any

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.messages import View, derive
from cave_lab.model.port import AssistantMessage, ModelMessage, ResultMessage, asked_in
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.content import Excerpt, Outline, OutlineCell, Variable, VariableChange
from cave_lab.protocol.ids import BlobId, Sha256
from cave_lab.protocol.thread_events import ContextCompacted, ContextSent
from tests.state.making import SHA, Story

FIRST, SECOND = BlobId("1" * 64), BlobId("2" * 64)
FRAME = Variable(name="df", type="DataFrame", kind="frame", shape=[3, 1])


def cell(name: str, source: str, sha: Sha256 = SHA) -> OutlineCell:
    return OutlineCell(cell_id=name, cell_type="code", sha256=sha, source=source)


def shown(head: str) -> Excerpt:
    return Excerpt(head=head, total=len(head))


def told(
    story: Story,
    outlines: Mapping[BlobId, Outline] | None = None,
    newer: BlobId | None = None,
    secret: str = "",
) -> list[ModelMessage]:
    """All messages of the coming call."""
    redact = Redactor({"MY_API_KEY": secret} if secret else {})
    return derive(story.state, View("SYSTEM", redact, DEFAULT_LIMITS, outlines or {}, newer))


def text_of(message: ModelMessage) -> str:
    """All that a message says, code included."""
    asked = message.action if isinstance(message, AssistantMessage) else None
    return message.text + (f"\n{asked_in(asked)}" if asked else "")


def whole(messages: list[ModelMessage]) -> str:
    return "\n".join(map(text_of, messages))


def sends(story: Story, number: int, call: int, **fields: Any) -> Story:
    """A call is made."""
    values: dict[str, Any] = {"model": "m", "messages": [], "variables": 0, "cells": 0}
    return story.add(
        ContextSent,
        turn_id=f"turn-{number}",
        call=call,
        **{**values, "estimated_tokens": 0, **fields},
    )


def computes(story: Story, run: int, number: int = 1, call: int = 1, output: str = "") -> Story:
    """A cell that makes a variable `v<run>`, and prints."""
    change = VariableChange(name=f"v{run}", kind="added")
    excerpt = shown(output or f"output of run {run}")
    return story.runs(f"v{run} = 1", "ok", run, number, call, excerpt=excerpt, variables=[change])


def compacts(story: Story, tier: str, turn: int, call: int = 0, *, at: int, **more: Any) -> Story:
    """What comes before a call of a turn is shortened, in the middle of turn `at`."""
    values: dict[str, Any] = {
        "before_tokens": 9_000,
        "after_tokens": 4_000,
        "call": 1,
        "privacy": "standard",
        **more,
    }
    return story.add(
        ContextCompacted,
        turn_id=f"turn-{at}",
        tier=tier,
        up_to_turn=f"turn-{turn}",
        up_to_call=call,
        **values,
    )


def is_paired(messages: list[ModelMessage]) -> bool:
    """Whether each result follows its very call, and each call has its result."""
    asked: str | None = None
    for message in messages:
        if isinstance(message, ResultMessage):
            if message.call_id != asked:
                return False
            asked = None
        elif asked is not None:
            return False
        elif isinstance(message, AssistantMessage) and message.action is not None:
            asked = message.action.call_id
    return asked is None
