"""Asking a kernel something and waiting for the answer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Any

from cave_lab.errors import KernelSilent
from cave_lab.kernel.channels import Channels
from cave_lab.kernel.message import Channel, Message

_REMEMBERED = 32
"""Questions whose statuses may still be on their way."""


class Requests:
    """The questions that are open on one connection."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels
        self._open: dict[str, asyncio.Future[Message]] = {}
        self._made: deque[str] = deque(maxlen=_REMEMBERED)

    async def ask(
        self,
        channel: Channel,
        message_type: str,
        content: Mapping[str, Any],
        *,
        seconds: float | None,
    ) -> Mapping[str, Any]:
        """Return the content of the reply; raises KernelSilent after `seconds`."""
        message_id = self._channels.send(channel, message_type, content)
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._open[message_id] = answer
        self._made.append(message_id)
        try:
            async with asyncio.timeout(seconds):
                return (await answer).content
        except TimeoutError:
            raise KernelSilent from None
        finally:
            del self._open[message_id]

    def tell(self, channel: Channel, message_type: str, content: Mapping[str, Any]) -> None:
        """Send something whose reply does not matter."""
        self._channels.send(channel, message_type, content)

    def is_ours(self, message_id: str | None) -> bool:
        """Whether it is one of our latest questions; a status may come after the answer."""
        return message_id in self._made

    def answer(self, message: Message) -> None:
        """Hand a reply to whoever asked; nobody may be waiting any more."""
        answer = self._open.get(message.header.parent_id or "")
        if answer is not None and not answer.done():
            answer.set_result(message)
