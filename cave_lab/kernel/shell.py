"""Who occupies a kernel's main shell now, as far as its status messages tell."""

from __future__ import annotations

from cave_lab.kernel.message import RUN_REQUEST, Header

_OCCUPYING = frozenset({"execute_request", RUN_REQUEST, "comm_open", "comm_msg", "comm_close"})
"""Requests that run a person's code. Others take milliseconds, or run beside the shell."""

UNKNOWN_CELL = "unknown"
"""Stands for a request that began before we listened."""


class Shell:
    """The request that the main shell works on; one at a time, in the order of arrival."""

    def __init__(self) -> None:
        self.occupant: str | None = None
        """Its `msg_id`, None when the shell is free."""

    def status(self, header: Header, state: str) -> bool:
        """Take in a status message; True if the occupant is another one now."""
        before = self.occupant
        if header.parent_type in _OCCUPYING and not header.parent_in_subshell:
            if state == "busy":
                self.occupant = header.parent_id
            elif state == "idle" and self.occupant in (header.parent_id, UNKNOWN_CELL):
                self.occupant = None
        return self.occupant != before

    def release(self, occupant: str | None) -> bool:
        """Learn by another way that `occupant` has ended; True if it was still believed busy."""
        if occupant is None or self.occupant != occupant:
            return False
        self.occupant = None
        return True
