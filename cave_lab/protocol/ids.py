"""Distinct types for every id; the server makes all but CommandId."""

from __future__ import annotations

from typing import Annotated, NewType
from uuid import uuid4

from pydantic import Field, StringConstraints

_Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]

ThreadId = NewType("ThreadId", _Id)
TurnId = NewType("TurnId", _Id)
RunId = NewType("RunId", _Id)
"""Also the `msg_id` of the run's request."""
CellId = NewType("CellId", _Id)
"""nbformat's cell id: at most 64 of `A-Za-z0-9_-`."""
ApprovalId = NewType("ApprovalId", _Id)
MessageId = NewType("MessageId", _Id)
ClientId = NewType("ClientId", _Id)
ServerId = NewType("ServerId", _Id)
CommandId = NewType("CommandId", _Id)
KernelId = NewType("KernelId", _Id)
SessionId = NewType("SessionId", _Id)

BlobId = NewType("BlobId", Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")])
"""The sha256 of a blob's bytes."""
Sha256 = NewType("Sha256", Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")])

Generation = NewType("Generation", Annotated[str, StringConstraints(max_length=64)])
"""One life of a kernel's memory: `<count>-<nonce>`; compared for equality only."""

MAX_SEQ = 2**53 - 1
"""The largest whole number that JavaScript holds exactly."""

Seq = NewType("Seq", Annotated[int, Field(ge=0, le=MAX_SEQ)])
"""A thread's event number: contiguous from 1."""


def new_id(prefix: str) -> str:
    """Make a random id that says what it names."""
    return f"{prefix}-{uuid4().hex}"
