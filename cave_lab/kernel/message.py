"""A message of the Jupyter protocol as the rest of this room sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Channel = Literal["shell", "control", "stdin", "iopub"]

RUN_REQUEST = "cave_lab_execute_request"
"""The guarded form of an execute request; the probe answers it."""


@dataclass(frozen=True)
class Header:
    """What a message is and which request it belongs to; known before its content is read."""

    type: str
    msg_id: str
    parent_id: str | None
    parent_type: str | None
    parent_in_subshell: bool = False

    @classmethod
    def of(cls, header: Mapping[str, Any], parent: Mapping[str, Any] | None) -> Header:
        """Take what matters out of the two headers of a message."""
        parent = parent or {}  # xeus sends null where there is none
        return cls(
            type=str(header["msg_type"]),
            msg_id=str(header["msg_id"]),
            parent_id=parent.get("msg_id"),
            parent_type=parent.get("msg_type"),
            parent_in_subshell=parent.get("subshell_id") is not None,
        )


@dataclass(frozen=True)
class LeftOut:
    """What was not read of a content that was too long: its size in bytes, and its end."""

    size: int
    tail: str


@dataclass(frozen=True)
class Message:
    """A message and its content, of which the longest kinds are only read in part."""

    header: Header
    content: Mapping[str, Any]
    left_out: LeftOut | None = None
