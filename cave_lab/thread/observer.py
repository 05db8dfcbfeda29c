"""Writes a run down while the kernel runs it."""

from __future__ import annotations

import json
from typing import Literal

from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.kernel import port
from cave_lab.protocol import run_events as events
from cave_lab.protocol.content import (
    BlobOutput,
    DisplayOutput,
    Output,
    ResultOutput,
    StreamOutput,
    Target,
)
from cave_lab.protocol.ids import CellId, Generation, RunId, ThreadId
from cave_lab.thread.recorder import Recorder
from cave_lab.thread.services import Services


class Observer:
    """Turns what the link says of one run into events; keeps the outputs for the model."""

    def __init__(
        self,
        recorder: Recorder,
        services: Services,
        thread_id: ThreadId,
        run_id: RunId,
        target: Target,
        cell_id: CellId | None,
        after: CellId | None,
    ) -> None:
        self._recorder = recorder
        self._services = services
        self._thread_id = thread_id
        self._run_id = run_id
        self._target = target
        self._cell_id = cell_id
        self._after = after
        self.outputs: list[Output] = []

    async def queued(self, behind: Literal["ours", "theirs"], position: int) -> None:
        """Nothing is written: the kernel's activity is told by a signal."""

    async def intend(self, generation: Generation) -> None:
        """Commit the intent; the request goes out only after it."""
        await self._recorder.full(
            events.RunIntended(
                **DRAFT,
                run_id=self._run_id,
                cell_id=self._cell_id,
                target=self._target,
                generation=generation,
                after=self._after,
            )
        )

    async def started(self, execution_count: int | None) -> None:
        """The kernel took it up."""
        await self._recorder.soft(
            events.RunStarted(**DRAFT, run_id=self._run_id, execution_count=execution_count)
        )

    async def output(self, change: port.OutputChange) -> None:
        """Its outputs changed."""
        await self._recorder.soft(await self._draft(change))

    async def _draft(self, change: port.OutputChange) -> Draft:
        run_id = self._run_id
        match change:
            case port.OutputAdded(index=index, output=output, late=late):
                self.outputs.append(output)
                wire = await self._wire(output)
                return events.OutputAdded(
                    **DRAFT, run_id=run_id, index=index, output=wire, late=late
                )
            case port.OutputAppended(index=index, text=text, late=late):
                self._append(index, text)
                return events.OutputAppended(
                    **DRAFT, run_id=run_id, index=index, text=text, late=late
                )
            case port.OutputUpdated(index=index, output=output, late=late):
                self.outputs[index] = output
                wire = await self._wire(output)
                return events.OutputUpdated(
                    **DRAFT, run_id=run_id, index=index, output=wire, late=late
                )
            case port.OutputCleared(late=late):
                self.outputs.clear()
                return events.OutputCleared(**DRAFT, run_id=run_id, late=late)
            case port.OutputTruncated(text=text):
                return events.OutputTruncated(**DRAFT, run_id=run_id, text=text)

    def _append(self, index: int, text: str) -> None:
        old = self.outputs[index]
        if isinstance(old, StreamOutput):
            self.outputs[index] = old.model_copy(update={"text": old.text + text})

    async def _wire(self, output: Output) -> Output:
        """Replace a large display by a reference; streams are capped and grow by pieces."""
        if not isinstance(output, DisplayOutput | ResultOutput):
            return output
        data = json.dumps(output.model_dump(mode="json"), ensure_ascii=False).encode(
            "utf-8", "replace"
        )
        if len(data) <= self._services.limits.blob_inline_bytes:
            return output
        blob = await self._services.journal.put_blob(data, "application/json", self._thread_id)
        return BlobOutput(
            blob=blob, of=output.output_type, size=len(data), mime_types=list(output.data)
        )
