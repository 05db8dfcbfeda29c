"""Pages of what earlier runs put out, from the journal: nothing is run for them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from pydantic import TypeAdapter

from cave_lab import errors
from cave_lab.model.references import REFERENCE_CHARS, reference
from cave_lab.privacy.excerpt import page_of
from cave_lab.privacy.modes import run_output_out
from cave_lab.privacy.output_text import outputs_text
from cave_lab.protocol.content import BlobOutput, Excerpt, Looked, Output
from cave_lab.state.values import RunState
from cave_lab.thread.host import Host

_REFERENCE = re.compile(rf"out_[0-9a-f]{{{REFERENCE_CHARS}}}")
_OUTPUT: TypeAdapter[Output] = TypeAdapter(Output)

_HELD_BACK = "Outputs are not shared with you (privacy mode `{mode}`)."
_PAGE = "Page {number} of {pages} of its output."
_NO_PAGE = "There is no page {number} of its output: it has {pages}."
_NOTHING = "It put out nothing that is kept."
_SEVERAL = "Several outputs have this name, so none of them is shown."
_NO_OUTPUT = "There is no output of this name."


class OutputPages:
    """The outputs of a thread's runs, by the references that the model was given."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def has(self, name: str) -> bool:
        """Whether a run's output has this name."""
        return any(reference(run) == name for run in self._runs())

    async def look(self, name: str, number: int, chars: int) -> Looked:
        """One page of an output, in pages of so many characters; or why there is none to show."""
        state = self._host.state
        if not run_output_out(state.privacy):
            return Looked(name=name, note=_HELD_BACK.format(mode=state.privacy))
        match [run for run in self._runs() if reference(run) == name]:
            case []:
                return self.unknown(name)
            case [run]:
                return await self._page(name, run, number, chars)
            case _:
                return Looked(name=name, note=_SEVERAL)

    def unknown(self, name: str) -> Looked:
        """Say that there is no such output, and which ones there are, the latest first."""
        known = [reference(run) for run in reversed(list(self._runs()))]
        shown = ", ".join(known[: self._host.services.limits.looked_names])
        there = f"There are: {shown}." if known else "No run has put out anything so far."
        return Looked(name=name, note=f"{_NO_OUTPUT} {there}")

    def _runs(self) -> Sequence[RunState]:
        runs = self._host.state.runs.values()
        return [run for run in runs if run.outputs or (run.excerpt and run.excerpt.total)]

    async def _page(self, name: str, run: RunState, number: int, chars: int) -> Looked:
        redact = self._host.services.redact
        outputs = [await self._whole(output) for output in run.outputs]
        # Redacted before it is cut: half a secret would not be recognised.
        text = await asyncio.to_thread(lambda: redact(outputs_text(outputs, redact)))
        if not text:
            return Looked(name=name, note=_NOTHING)
        page, pages = page_of(text, number, chars)
        if not page:
            return Looked(name=name, note=_NO_PAGE.format(number=number, pages=pages))
        note = _PAGE.format(number=number, pages=pages)
        if run.truncated and number == pages:
            note = f"{note} {run.truncated}"
        return Looked(name=name, text=Excerpt(head=page, total=len(page)), note=note)

    async def _whole(self, output: Output) -> Output:
        """An output with what was stored apart; what is no longer there is told in a line."""
        if not isinstance(output, BlobOutput):
            return output
        try:
            journal, thread_id = self._host.services.journal, self._host.state.thread_id
            blob = await journal.get_blob(output.blob, thread_id)
        except errors.NotFound:
            return output
        return _OUTPUT.validate_json(blob.data)


def is_reference(name: str) -> bool:
    """Whether a name is one that outputs have."""
    return _REFERENCE.fullmatch(name) is not None
