"""What a message changes about its thread, before its turn begins."""

from __future__ import annotations

from collections.abc import Sequence

from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.protocol.content import MentionPart, Part, Target, TextPart
from cave_lab.protocol.thread_events import ThreadChanged
from cave_lab.state.values import ThreadState

DEFAULT_TITLE = "New thread"


def changes_before(
    state: ThreadState, target: Target | None, content: Sequence[Part], title_chars: int
) -> list[Draft]:
    """The thread follows the notebook it was sent from, and is named after its first message."""
    moved = target if target not in (None, state.target) else None
    unnamed = not state.turns and state.title == DEFAULT_TITLE
    title = title_of(content, title_chars) if unnamed else None
    if moved is None and title is None:
        return []
    return [ThreadChanged(**DRAFT, target=moved, title=title)]


def _typed(part: Part) -> str:
    match part:
        case TextPart():
            return part.text
        case MentionPart():
            return f"@{part.name}"
        case _:
            return ""


def target_of(asked: Target | None, now: Target) -> Target:
    """Where a message belongs that has waited: its notebook may have another name by now."""
    if asked is None or (asked.session_id is not None and asked.session_id == now.session_id):
        return now
    return asked


def title_of(content: Sequence[Part], limit: int) -> str | None:
    """Name a thread after its first message, cut at a word; None if there are no words."""
    words = " ".join("".join(_typed(part) for part in content).split())
    if len(words) <= limit:
        return words or None
    return words[:limit].rsplit(" ", 1)[0] + " …"
