"""Names the messages of one call by their content, as they are stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from cave_lab.journal.blobs import name_of
from cave_lab.model.port import AssistantMessage, ModelMessage
from cave_lab.protocol.ids import BlobId


@dataclass(frozen=True)
class Named:
    """A message and the name it is stored by."""

    message: ModelMessage
    blob: BlobId


class Naming:
    """Names messages one behind the other; those that are stored already are not written again.

    The stored ones are those of an earlier call, mostly the same up to its last.
    """

    def __init__(self, stored: Sequence[Named] = ()) -> None:
        self._stored = stored
        self._by_message: Mapping[ModelMessage, Named] | None = None
        self.messages: list[ModelMessage] = []
        self.blobs: list[BlobId] = []
        self.named: list[Named] = []
        self.unstored: dict[BlobId, bytes] = {}

    def add_all(
        self, messages: Iterable[ModelMessage], behind: Iterable[Sequence[BlobId] | None]
    ) -> None:
        """Add messages, each with the names of those its reply was made from, if that matters.

        What was kept of a reply is left out where it would no longer stand behind just these: it
        could tell what they no longer tell, and newer models refuse it.
        """
        for message, before in zip(messages, behind, strict=True):
            moved = before is not None and list(before) != self.blobs
            if isinstance(message, AssistantMessage) and moved:
                self._add(replace(message, kept=None))
            else:
                self._add(message)

    def _add(self, message: ModelMessage) -> None:
        named = self._known(message) or self._new(message)
        self.named.append(named)
        self.messages.append(message)
        self.blobs.append(named.blob)

    def _known(self, message: ModelMessage) -> Named | None:
        place = len(self.named)
        if place >= len(self._stored):
            return None
        there = self._stored[place]
        return there if there.message == message else self._elsewhere(message)

    def _elsewhere(self, message: ModelMessage) -> Named | None:
        if self._by_message is None:
            self._by_message = {named.message: named for named in self._stored}
        return self._by_message.get(message)

    def _new(self, message: ModelMessage) -> Named:
        body = _json(message)
        named = Named(message, name_of(body))
        self.unstored[named.blob] = body
        return named


_ROLES = {
    "SystemMessage": "system",
    "UserMessage": "user",
    "AssistantMessage": "assistant",
    "ResultMessage": "result",
}


def _json(message: ModelMessage) -> bytes:
    body = {"role": _ROLES[type(message).__name__], **asdict(message)}
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
