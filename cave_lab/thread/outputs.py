"""Outputs that lie in the journal as blobs."""

from __future__ import annotations

from typing import Final

from pydantic import TypeAdapter

from cave_lab.journal.journal import Journal
from cave_lab.protocol.content import Output
from cave_lab.protocol.ids import BlobId, ThreadId

_ADAPTER: Final[TypeAdapter[Output]] = TypeAdapter(Output)


async def read_output(journal: Journal, name: BlobId, thread_id: ThreadId) -> Output:
    """Read a large output; raises NotFound if the thread holds none of this name."""
    blob = await journal.get_blob(name, thread_id)
    return _ADAPTER.validate_json(blob.data)
