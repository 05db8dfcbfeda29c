"""Tells a thread's events to all who follow it, from where each of them stands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

from cave_lab.protocol.events import Event
from cave_lab.protocol.frames import Signal
from cave_lab.protocol.ids import ClientId, Seq
from cave_lab.thread.services import Client

Pages = Callable[[Seq], AsyncIterator[list[Event]]]


@dataclass
class _Follower:
    client: Client
    held_back: list[Event] | None = field(default_factory=list)
    """Events that came while older ones are still being read; None once it is up to date."""


class Followers:
    """The clients that follow one thread."""

    def __init__(self) -> None:
        self._by_client: dict[ClientId, _Follower] = {}

    def __contains__(self, client_id: ClientId) -> bool:
        return client_id in self._by_client

    async def add(self, client: Client, after: Seq, upto: Seq, pages: Pages) -> None:
        """Send the stored events after `after`, then all that come; `upto` is the last now."""
        follower = _Follower(client)
        self._by_client[client.origin.client_id] = follower
        async for page in pages(after):
            for event in page:
                if event.seq <= upto:
                    client.receive(event)
            if page[-1].seq >= upto:
                break
            await client.room()
        for event in follower.held_back or ():
            client.receive(event)
        follower.held_back = None

    def remove(self, client_id: ClientId) -> None:
        """Tell this client nothing more."""
        self._by_client.pop(client_id, None)

    def tell(self, events: Sequence[Event]) -> None:
        """Pass on committed events, in order."""
        for follower in list(self._by_client.values()):
            if follower.held_back is not None:
                follower.held_back += events
            else:
                for event in events:
                    follower.client.receive(event)

    def signal(self, signal: Signal) -> None:
        """Pass on what is only told."""
        for follower in list(self._by_client.values()):
            follower.client.receive(signal)
