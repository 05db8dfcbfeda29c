"""Tells a thread's events to all who follow it, from where each of them stands."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from cave_lab.protocol.events import Event
from cave_lab.protocol.frames import Signal
from cave_lab.protocol.ids import ClientId, Seq
from cave_lab.thread.services import Client

_log = logging.getLogger("cave_lab")

Pages = Callable[[Seq], AsyncGenerator[list[Event], None]]
Last = Callable[[], Seq]


@dataclass(eq=False)
class _Follower:
    client: Client
    live: bool = False
    """Whether it has all stored events, and is told of each new one."""


class Followers:
    """The clients that follow one thread."""

    def __init__(self) -> None:
        self._by_client: dict[ClientId, _Follower] = {}

    def __contains__(self, client_id: ClientId) -> bool:
        return client_id in self._by_client

    def __len__(self) -> int:
        return len(self._by_client)

    @property
    def clients(self) -> list[Client]:
        """Who follows now."""
        return [follower.client for follower in self._by_client.values()]

    def expect(self, client: Client) -> None:
        """Count a client as following that will be added soon; until then it is told nothing."""
        self._by_client[client.origin.client_id] = _Follower(client)

    async def add(self, client: Client, after: Seq, last: Last, pages: Pages) -> None:
        """Send the stored events after `after`, then all that come.

        `last` tells the number of the last event that followers were told of. What comes while a
        slow client takes the stored ones is read from the journal too, so nothing waits here.
        """
        follower = _Follower(client)
        self._by_client[client.origin.client_id] = follower
        try:
            await self._catch_up(follower, after, last, pages)
        except BaseException:
            self._drop(follower)
            raise

    async def _catch_up(self, follower: _Follower, after: Seq, last: Last, pages: Pages) -> None:
        before = None
        while after != before and after < last() and self._follows(follower):
            before = after
            async with aclosing(pages(after)) as stored:
                async for page in stored:
                    if not self._follows(follower):
                        break
                    # Committed is not yet told: what lies beyond `last` is told to all later.
                    told = [event for event in page if event.seq <= last()]
                    for event in told:
                        follower.client.receive(event)
                    after = told[-1].seq if told else after
                    if len(told) < len(page):
                        break
                    await follower.client.room()
        follower.live = True

    def _follows(self, follower: _Follower) -> bool:
        """Whether it was not removed, or replaced by the same client's second opening."""
        return self._by_client.get(follower.client.origin.client_id) is follower

    def _drop(self, follower: _Follower) -> None:
        if self._follows(follower):
            self.remove(follower.client.origin.client_id)

    def remove(self, client_id: ClientId) -> None:
        """Tell this client nothing more."""
        self._by_client.pop(client_id, None)

    def tell(self, events: Sequence[Event]) -> None:
        """Pass on committed events, in order."""
        for follower in [one for one in self._by_client.values() if one.live]:
            self._tell(follower, events)

    def signal(self, signal: Signal) -> None:
        """Pass on what is only told."""
        for follower in list(self._by_client.values()):
            self._tell(follower, [signal])

    def _tell(self, follower: _Follower, messages: Sequence[Event | Signal]) -> None:
        try:
            for message in messages:
                follower.client.receive(message)
        except Exception:  # noqa: BLE001 one client must not keep the others, or the journal, waiting
            _log.exception("A client could not be told; it has to open the thread again.")
            self._drop(follower)
