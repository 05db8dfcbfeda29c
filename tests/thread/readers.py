"""A client of a thread that keeps what it is told."""

import asyncio

from cave_lab.protocol.events import Event
from cave_lab.protocol.frames import CaughtUp, KernelState, Signal, ThreadFault, WriterLease
from cave_lab.protocol.ids import ClientId
from cave_lab.thread.services import Origin


class Reader:
    """Reads while `free` is set."""

    def __init__(self, name: str = "client-1") -> None:
        self.origin = Origin(ClientId(name), "local", "browser", may_approve=True)
        self.got: list[Event | Signal] = []
        self.free = asyncio.Event()
        self.free.set()

    def receive(self, message: Event | Signal) -> None:
        self.got.append(message)

    async def room(self) -> None:
        await self.free.wait()

    @property
    def events(self) -> list[Event]:
        """What it got of the journal."""
        signals = CaughtUp | KernelState | ThreadFault | WriterLease
        return [message for message in self.got if not isinstance(message, signals)]

    @property
    def numbers(self) -> list[int]:
        """The numbers of its events."""
        return [event.seq for event in self.events]

    @property
    def is_caught_up(self) -> bool:
        """Whether it was told last that it has all of a thread that runs here."""
        found = [message for message in self.got if isinstance(message, CaughtUp)]
        return bool(found) and found[-1].read_only is None

    @property
    def faults(self) -> list[ThreadFault]:
        """The journal's faults that it was told of."""
        return [message for message in self.got if isinstance(message, ThreadFault)]
