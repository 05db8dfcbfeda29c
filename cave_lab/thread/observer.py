"""Writes a run down while the kernel runs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from weakref import ref

from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.kernel import port
from cave_lab.protocol import run_events as events
from cave_lab.protocol.content import (
    BlobOutput,
    DisplayOutput,
    Output,
    ResultOutput,
    StreamOutput,
)
from cave_lab.protocol.ids import CellId, Generation, RunId
from cave_lab.thread.clock import WorkClock
from cave_lab.thread.host import Host


class NotAllowed(Exception):
    """The run waited, and in the meantime its thread came into a mode that runs nothing."""


class Observer:
    """Turns what the link says of one run into events; keeps the outputs until it has ended."""

    def __init__(
        self,
        host: Host,
        clock: WorkClock,
        *,
        run_id: RunId,
        cell_id: CellId | None,
        after: CellId | None,
    ) -> None:
        self._its_host = ref(host)
        self._clock = clock
        self._run_id = run_id
        self._cell_id = cell_id
        self._after = after
        self._outputs: list[Output] = []
        self._ended = False
        self._questions = 0
        self.intended = False
        """Whether the request may be on its way."""

    def finish(self) -> Sequence[Output]:
        """The run is over: return its outputs, and let go of them.

        The kernel's link keeps this for late outputs, which must not keep the thread in memory.
        """
        outputs = self._outputs
        self._outputs, self._ended = [], True
        return outputs

    @property
    def _host(self) -> Host:
        host = self._its_host()
        assert host is not None, "a turn that runs holds its thread"
        return host

    @property
    def _is_let_go(self) -> bool:
        host = self._its_host()
        return host is None or host.recorder.closed

    # ── RunObserver

    async def queued(self, behind: Literal["ours", "theirs"], position: int) -> None:
        """Waiting is no work of the turn's; the panel hears of it by the kernel's state."""
        self._clock.pause()

    async def intend(self, generation: Generation) -> None:
        """Commit the intent; the request goes out only after it. Raises TurnCut and NotAllowed."""
        self._host.cut.check()
        if self._host.state.mode == "chat":
            raise NotAllowed
        self.intended = True
        self._clock.go_on()
        await self._host.recorder.full(
            events.RunIntended(
                **DRAFT,
                run_id=self._run_id,
                cell_id=self._cell_id,
                target=self._host.state.target,
                generation=generation,
                after=self._after,
            )
        )

    async def started(self, execution_count: int | None) -> None:
        """The kernel took it up."""
        await self._host.recorder.soft(
            events.RunStarted(**DRAFT, run_id=self._run_id, execution_count=execution_count)
        )

    async def output(self, change: port.OutputChange) -> None:
        """Its outputs changed; what comes when the thread has been put away is in no journal."""
        if self._ended and self._is_let_go:
            return
        await self._host.recorder.soft(await self._draft(change))

    async def asked(self, prompt: str, *, password: bool) -> None:
        """The cell waits for a line; that the person thinks is no work of the turn's."""
        self._clock.pause()
        self._questions += 1
        await self._host.recorder.full(
            events.StdinRequested(
                **DRAFT,
                run_id=self._run_id,
                prompt=prompt,
                password=password,
                question=self._questions,
            )
        )

    async def asked_no_more(self, reason: Literal["answered", "cancelled"]) -> None:
        """The cell goes on, or was stopped."""
        self._clock.go_on()
        await self._host.recorder.full(
            events.StdinClosed(**DRAFT, run_id=self._run_id, reason=reason)
        )

    # ── inside

    async def _draft(self, change: port.OutputChange) -> Draft:
        run_id = self._run_id
        self._keep(change)
        match change:
            case port.OutputAdded(index=index, output=output, late=late):
                wire = await self._wire(output)
                return events.OutputAdded(
                    **DRAFT, run_id=run_id, index=index, output=wire, late=late
                )
            case port.OutputAppended(index=index, text=text, late=late):
                return events.OutputAppended(
                    **DRAFT, run_id=run_id, index=index, text=text, late=late
                )
            case port.OutputUpdated(index=index, output=output, late=late):
                wire = await self._wire(output)
                return events.OutputUpdated(
                    **DRAFT, run_id=run_id, index=index, output=wire, late=late
                )
            case port.OutputCleared(late=late):
                return events.OutputCleared(**DRAFT, run_id=run_id, late=late)
            case port.OutputTruncated(text=text):
                return events.OutputTruncated(**DRAFT, run_id=run_id, text=text)

    def _keep(self, change: port.OutputChange) -> None:
        """Keep the outputs as they are now, for the model; it is told of none that come late."""
        if self._ended:
            return
        match change:
            case port.OutputAdded(output=output):
                self._outputs.append(output)
            case port.OutputAppended(index=index, text=text):
                old = self._outputs[index]
                if isinstance(old, StreamOutput):
                    self._outputs[index] = old.model_copy(update={"text": old.text + text})
            case port.OutputUpdated(index=index, output=output):
                self._outputs[index] = output
            case port.OutputCleared():
                self._outputs.clear()
            case port.OutputTruncated():
                pass

    async def _wire(self, output: Output) -> Output:
        """Replace a large display by a reference; streams are capped and grow by pieces."""
        if not isinstance(output, DisplayOutput | ResultOutput):
            return output
        data = output.model_dump_json().encode()
        services = self._host.services
        if len(data) <= services.limits.blob_inline_bytes:
            return output
        blob = await services.journal.put_blob(data, "application/json", self._host.state.thread_id)
        return BlobOutput(
            blob=blob, of=output.output_type, size=len(data), mime_types=list(output.data)
        )
