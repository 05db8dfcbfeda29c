"""What only a person's browser may ask for, and what the administrator's policy leaves of a thread.

Code in the kernel can read the server's token and so be a client like any other. It may do here
what it could do there without CaveLab; it may not speak for the person.
"""

from __future__ import annotations

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.protocol import commands as cmd
from cave_lab.protocol.thread_events import ThreadChanged
from cave_lab.state.values import ThreadState
from cave_lab.thread.services import Origin, Policy

_PERSONS_OWN: dict[type[cmd.CommandBase], str] = {
    cmd.ApprovalAnswer: "Runs can only be approved in the panel, signed in by cookie.",
    cmd.StdinAnswer: "Only the person answers what a cell asks for.",
    cmd.ThreadDelete: "A thread can only be deleted in the panel.",
    cmd.MessageUnqueue: "Only the panel takes a message back.",
    cmd.NotebookOutline: "Only the panel tells what the notebook looks like.",
    cmd.CellPlacedReport: "Only the panel knows where a cell is.",
    cmd.CellReview: "Only the panel knows what became of a cell.",
    cmd.WriterClaim: "Only the panel writes notebooks.",
}


def check_rights(command: cmd.Command, origin: Origin) -> None:
    """Raise Forbidden if this is for a person's browser only, and the connection is none."""
    sentence = _PERSONS_OWN.get(type(command))
    if sentence is not None and not origin.may_approve:
        raise errors.Forbidden(f"{sentence} Nothing was changed.")


def check_change(command: cmd.ThreadChange, origin: Origin) -> None:
    """Raise Forbidden if a program wants to change more than a thread's title."""
    decided = (
        command.mode,
        command.privacy,
        command.max_runs,
        command.extend_budget,
        command.model,
        command.target,
    )
    if not origin.may_approve and any(value is not None for value in decided):
        raise errors.Forbidden("This can only be changed in the panel. Nothing was changed.")


def check_message(
    command: cmd.MessageSend, state: ThreadState, origin: Origin, *, busy: bool
) -> None:
    """Raise Forbidden if a program's message might make something run that nobody approves."""
    if origin.may_approve:
        return
    if state.mode == "auto":
        raise errors.Forbidden(
            "This thread runs cells without asking, so only the panel may send to it. "
            "Nothing was sent."
        )
    if busy or command.when == "steer":
        raise errors.Forbidden(
            "A turn is running, and only the panel may add to it. Send again when it has ended."
        )
    if command.target not in (None, state.target):
        raise errors.Forbidden(
            "Only the panel takes a thread to another notebook. Leave the target out."
        )


def within_policy(state: ThreadState, policy: Policy) -> list[Draft]:
    """What to write for a thread whose mode the configuration no longer allows."""
    if state.mode in policy.allowed_modes:
        return []
    return [ThreadChanged(**DRAFT, mode=policy.default_mode)]
