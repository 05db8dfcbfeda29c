"""Derives what the model is given from the folded thread, under the privacy mode in force.

Messages are never stored as the truth: a stricter mode applies to the past too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from cave_lab.limits import Limits
from cave_lab.model.outline_text import outline_text
from cave_lab.model.port import (
    ActionCall,
    AssistantMessage,
    ModelMessage,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from cave_lab.model.results import result_text
from cave_lab.model.variables_text import variables_text
from cave_lab.privacy.modes import variables_out
from cave_lab.protocol.content import MentionPart, Outline, Part, TextPart
from cave_lab.protocol.ids import BlobId, RunId
from cave_lab.protocol.words import PrivacyMode
from cave_lab.state.values import (
    Item,
    RefusedItem,
    RunItem,
    RunState,
    SteerItem,
    TextItem,
    ThreadState,
    TurnState,
    VariablesView,
)


@dataclass(frozen=True)
class View:
    """What the derivation needs besides the thread."""

    system: str
    redact: Callable[[str], str]
    limits: Limits
    outlines: Mapping[BlobId, Outline]


def derive(state: ThreadState, view: View) -> list[ModelMessage]:
    """All messages of the next call: prompt, then turn by turn, the kernel's state last."""
    replacing = {run.replaces: run for run in state.runs.values() if run.replaces is not None}
    messages: list[ModelMessage] = [SystemMessage(view.system)]
    before: TurnState | None = None
    for turn in state.turns:
        messages.append(_question(turn, before, state.privacy, view))
        messages += _answer(turn, state, replacing, view)
        before = turn
    return messages


# ── the person's side


def _question(
    turn: TurnState, before: TurnState | None, privacy: PrivacyMode, view: View
) -> UserMessage:
    sections = [_interruption(before)]
    if turn.seen is not None:
        now = _seen(turn.seen, privacy)
        earlier = _seen(before.seen, privacy) if before and before.seen else None
        table = variables_text(now, earlier, view.limits.model_variables)
        sections.append(f"<variables>\n{table}\n</variables>")
    outline = view.outlines.get(turn.outline) if turn.outline else None
    if outline is not None:
        old = view.outlines.get(before.outline) if before and before.outline else None
        cells = outline_text(outline, old, turn.anchor, privacy, view.limits.outline_chars)
        sections.append(f"<notebook>\n{cells}\n</notebook>")
    sections.append(parts_text(turn.content))
    return UserMessage(view.redact("\n".join(section for section in sections if section)))


def _seen(seen: VariablesView, privacy: PrivacyMode) -> VariablesView:
    return seen.model_copy(update={"variables": variables_out(privacy, seen.variables)})


def _interruption(before: TurnState | None) -> str:
    match before.stop_reason if before else None:
        case "cancelled":
            return "(The person stopped your last turn.)"
        case "interrupted":
            return "(The server was restarted during your last turn.)"
        case "kernel_lost":
            return "(The kernel lost its memory during your last turn.)"
        case _:
            return ""


def parts_text(parts: Sequence[Part]) -> str:
    """A message's parts as text; a mention is its name."""
    texts = []
    for part in parts:
        match part:
            case TextPart():
                texts.append(part.text)
            case MentionPart():
                texts.append(f"@{part.name}")
            case _:
                texts.append("[attachment]")
    return "".join(texts)


# ── the model's side


def _answer(
    turn: TurnState, state: ThreadState, replacing: Mapping[RunId, RunState], view: View
) -> list[ModelMessage]:
    messages: list[ModelMessage] = []
    for call, items in groupby(_told(turn.items, state), key=lambda pair: pair[0]):
        group = [item for _, item in items]
        messages += _call(call, group, state, replacing, view)
    return messages


def _told(items: Sequence[Item], state: ThreadState) -> list[tuple[int, Item]]:
    """Pair each item the model should hear of with its call; a steer goes with the call before."""
    pairs: list[tuple[int, Item]] = []
    call = 0
    for item in items:
        match item:
            case TextItem() | RefusedItem():
                call = item.call
            case RunItem():
                call = item.call
                if state.runs[item.run_id].replaces is not None:
                    continue
            case SteerItem():
                pass
            case _:
                continue
        pairs.append((call, item))
    return pairs


def _call(
    call: int,
    items: Sequence[Item],
    state: ThreadState,
    replacing: Mapping[RunId, RunState],
    view: View,
) -> list[ModelMessage]:
    text = "".join(item.text for item in items if isinstance(item, TextItem))
    steer = [parts_text(item.content) for item in items if isinstance(item, SteerItem)]
    added = "".join(f"\nThe person adds: {words}" for words in steer)
    refused = [item.text for item in items if isinstance(item, RefusedItem)]
    runs = [state.runs[item.run_id] for item in items if isinstance(item, RunItem)]
    whole = [run for run in runs if run.sha256 is not None]
    if not whole:
        note = "\n".join(refused) + added
        said: list[ModelMessage] = [AssistantMessage(view.redact(text))] if text else []
        if refused and not text:
            said = [AssistantMessage("(an action that could not be used)")]
        return [*said, *([UserMessage(view.redact(note))] if note else [])]
    run = whole[0]
    ran = replacing.get(run.run_id, run)
    call_id = f"call_{call}_{run.run_id[-12:]}"
    action = ActionCall(call_id, view.redact(run.code), run.purpose)
    result = result_text(run, ran, state.privacy) + added
    return [
        AssistantMessage(view.redact(text), action),
        ResultMessage(call_id, view.redact(result)),
    ]
