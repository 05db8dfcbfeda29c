"""Our runs of one kernel in the order they came, one of them at the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cave_lab.kernel.port import RunRequest
from cave_lab.kernel.pulse import Pulse
from cave_lab.protocol.ids import RunId

if TYPE_CHECKING:
    from cave_lab.kernel.execution import Execution


@dataclass(eq=False)
class Ticket:
    """One run's place in the queue; it has an execution from the moment its request goes out."""

    request: RunRequest
    withdrawn: bool = False
    """Stopped before its request went out: it never will."""
    execution: Execution | None = None


class RunQueue:
    """First come, first served; the head alone may be sent."""

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._tickets: list[Ticket] = []

    def __len__(self) -> int:
        return len(self._tickets)

    def enter(self, request: RunRequest) -> Ticket:
        """Take a place at the end."""
        ticket = Ticket(request)
        self._tickets.append(ticket)
        self._pulse.beat()
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Give the place up; those behind move on."""
        self._tickets.remove(ticket)
        self._pulse.beat()

    def withdraw(self, ticket: Ticket) -> None:
        """Keep a request that was not sent from ever being sent."""
        ticket.withdrawn = True
        self._pulse.beat()

    def ahead_of(self, ticket: Ticket) -> int:
        """How many of our runs come before it."""
        return self._tickets.index(ticket)

    def find(self, run_id: RunId) -> Ticket | None:
        """The ticket of a run that has not ended."""
        return next((t for t in self._tickets if t.request.run_id == run_id), None)

    @property
    def waiting(self) -> int:
        """How many requests have not gone out."""
        return sum(ticket.execution is None for ticket in self._tickets)

    @property
    def at_the_kernel(self) -> Execution | None:
        """The execution in flight."""
        return self._tickets[0].execution if self._tickets else None
