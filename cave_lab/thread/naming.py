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
    """The name a message is stored by, and its size in bytes."""

    blob: BlobId
    size: int


class Naming:
    """Names messages one behind the other; those that are stored already are not written again."""

    def __init__(self, stored: Mapping[ModelMessage, Named]) -> None:
        self._stored = stored
        self.messages: list[ModelMessage] = []
        self.blobs: list[BlobId] = []
        self.named: dict[ModelMessage, Named] = {}
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
        named = self.named.get(message) or self._stored.get(message)
        if named is None:
            body = _json(message)
            named = Named(name_of(body), len(body))
            self.unstored[named.blob] = body
        self.named[message] = named
        self.messages.append(message)
        self.blobs.append(named.blob)


_ROLES = {
    "SystemMessage": "system",
    "UserMessage": "user",
    "AssistantMessage": "assistant",
    "ResultMessage": "result",
}


def _json(message: ModelMessage) -> bytes:
    body = {"role": _ROLES[type(message).__name__], **asdict(message)}
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
