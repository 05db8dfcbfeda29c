"""Decides whether a proposed run may go ahead by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cave_lab.protocol.content import Risk
from cave_lab.protocol.words import Mode

CHAT_SENTENCE = "The thread is in chat mode, which never runs anything."


@dataclass(frozen=True)
class Allow:
    """It may run; `by` says why, as `mode:auto` or `scope:turn`."""

    by: str


@dataclass(frozen=True)
class Ask:
    """The person decides."""

    reasons: Sequence[str]


@dataclass(frozen=True)
class Refuse:
    """It may not run at all in this mode."""

    sentence: str


Decision = Allow | Ask | Refuse


def decide(mode: Mode, *, allowed_for_turn: bool, risks: Sequence[Risk]) -> Decision:
    """Answer for one proposal; the reasons are the risks in plain words."""
    if mode == "chat":
        return Refuse(CHAT_SENTENCE)
    if mode == "auto":
        return Allow("mode:auto")
    if allowed_for_turn:
        return Allow("scope:turn")
    return Ask([risk.words for risk in risks])
