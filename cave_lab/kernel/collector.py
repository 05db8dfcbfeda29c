"""What one run put out: taken in as the kernel sends it, told as few bounded changes.

It keeps the outputs as they should be and what of them was told; the difference is what `drain`
gives. So a thousand updates of a progress bar between two tellings are one change, and however
fast a cell prints, what waits here stays within the limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cave_lab.kernel import outputs
from cave_lab.kernel.displays import Displays
from cave_lab.kernel.flood import Flood
from cave_lab.kernel.message import LeftOut, Message
from cave_lab.kernel.port import (
    OutputAdded,
    OutputAppended,
    OutputChange,
    OutputCleared,
    OutputTruncated,
    OutputUpdated,
)
from cave_lab.kernel.stream_text import Append, StreamText
from cave_lab.limits import Limits
from cave_lab.protocol.content import (
    DisplayOutput,
    ErrorOutput,
    ResultOutput,
    StreamOutput,
)

_Rich = DisplayOutput | ResultOutput | ErrorOutput


@dataclass(eq=False)
class _Slot:
    """One output: a stream's text, or something rich that is let go once it was told."""

    stream: str | None = None
    text: StreamText | None = None
    rich: _Rich | None = None
    result_count: tuple[int | None] | None = None
    """Of a result, its number: an update has none."""
    size: int = 0
    told: bool = False


class Collector:
    """The outputs of one run."""

    def __init__(
        self, run_id: str, limits: Limits, displays: Displays, on_change: Callable[[], None]
    ) -> None:
        self._run_id = run_id
        self._limits = limits
        self._displays = displays
        self._on_change = on_change
        self._slots: list[_Slot] = []
        self._dirty: set[int] = set()
        self._kept = 0
        self._flood = Flood(limits)
        self._last_error: int | None = None
        """The one error for which there was no room: the next one takes its place."""
        self._cleared = False
        self._clear_before_next = False
        self._captors: set[str] = set()
        self._truncation: str | None = None
        self._truncation_told = False
        self.told_bytes = 0
        """About how much was told so far, overwritten things too."""

    # ── what the kernel sends

    def take(self, message: Message) -> None:
        """Take in one message that has this run as its parent."""
        kind, content = message.header.type, message.content
        if kind in ("comm_open", "comm_msg"):
            self._note_capture(content)
        elif self._captors:
            return
        elif kind == "stream":
            self._take_stream(content, message.left_out)
        elif kind == "clear_output":
            self._take_clear(wait=bool(content.get("wait")))
        elif kind == "error":
            self._take_error(content, message.left_out)
        elif message.left_out is not None and kind in ("display_data", "execute_result"):
            self._refuse(message.left_out.size)
        elif kind == "display_data":
            self._show(outputs.display_output(content))
        elif kind == "execute_result":
            self._show(outputs.result_output(content))

    def page(self, content: Mapping[str, Any]) -> None:
        """Take in a pager's text (`?x`), which comes with the reply."""
        self._show(outputs.display_output(content))

    def redraw(self, index: int, output: DisplayOutput) -> None:
        """Replace data and metadata of the display at `index`."""
        slot = self._slots[index]
        size = outputs.output_bytes(output)
        if self._kept - slot.size + size > self._limits.run_output_bytes:
            self._truncate()
            return
        self._kept += size - slot.size
        slot.size = size
        slot.rich = output if slot.result_count is None else _as_result(output, slot.result_count)
        self._touch(index)

    def finish(self) -> None:
        """The run ended: the end of a flood of text follows its beginning."""
        self._put_out_end()
        self._flood.close()

    # ── what is told

    @property
    def dirty(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self._cleared or self._dirty or self._untold_truncation)

    def drain(self, *, late: bool = False) -> list[OutputChange]:
        """The changes since the last call, in order."""
        changes: list[OutputChange] = []
        if self._cleared:
            changes.append(OutputCleared(late))
            self._cleared = False
        for index in self._due():
            change = self._tell(index, late=late)
            if change is not None:
                changes.append(change)
        self._dirty.clear()
        if self._untold_truncation is not None:
            changes.append(OutputTruncated(self._untold_truncation))
            self._truncation_told = True
        return changes

    def forget(self) -> None:
        """Let go of all texts; what still comes can only be appended."""
        for slot in self._slots:
            if slot.text is not None:
                slot.text.forget()

    # ── inside

    @property
    def _untold_truncation(self) -> str | None:
        return None if self._truncation_told else self._truncation

    def _touch(self, index: int) -> None:
        self._dirty.add(index)
        self._on_change()

    def _due(self) -> list[int]:
        """What changed, and what lies before it and was never told: an index is a position."""
        end = max(self._dirty, default=-1) + 1
        return [
            index
            for index, slot in enumerate(self._slots[:end])
            if index in self._dirty or not slot.told
        ]

    def _tell(self, index: int, *, late: bool) -> OutputChange | None:
        slot = self._slots[index]
        if slot.text is None:
            return self._tell_rich(index, slot, late=late)
        change = slot.text.tell()
        if change is None and (slot.told or index == len(self._slots) - 1):
            return None
        # Text that has cancelled itself out, as of a progress bar that leaves, holds its place.
        change = change or Append("")
        self.told_bytes += len(change.text)
        output = StreamOutput(name="stderr" if slot.stream == "stderr" else "stdout", text="")
        if not slot.told:
            slot.told = True
            return OutputAdded(index, output.model_copy(update={"text": change.text}), late)
        if isinstance(change, Append):
            return OutputAppended(index, change.text, late)
        return OutputUpdated(index, output.model_copy(update={"text": change.text}), late)

    def _tell_rich(self, index: int, slot: _Slot, *, late: bool) -> OutputChange | None:
        output, slot.rich = slot.rich, None
        if output is None:
            return None
        self.told_bytes += slot.size
        added, slot.told = not slot.told, True
        return OutputAdded(index, output, late) if added else OutputUpdated(index, output, late)

    def _take_stream(self, content: Mapping[str, Any], left_out: LeftOut | None) -> None:
        if left_out is not None and not content:
            self._refuse(left_out.size)
            return
        name = "stderr" if content.get("name") == "stderr" else "stdout"
        text = outputs.clean_text(str(content.get("text", "")))
        if not text:
            return
        self._clear_if_due()
        full = len(self._slots) >= self._limits.run_outputs
        rest = text if full or self._flood.rising else self._feed(name, text)
        if rest or left_out is not None:
            self._flood.rise(name, rest, left_out)
            if self._flood.drops:
                self._truncate()

    def _feed(self, name: str, text: str) -> str:
        """Keep as much of the text as the limit allows; returns the rest."""
        slot, at = self._slot_for(name), 0
        while at < len(text) and self._flood.room > 0:
            piece = text[at : at + self._flood.room]
            self._flood.room -= slot.feed(piece)
            at += len(piece)
        self._touch(len(self._slots) - 1)
        return text[at:]

    def _slot_for(self, name: str) -> StreamText:
        last = self._slots[-1] if self._slots else None
        if last is not None and last.stream == name and last.text is not None:
            return last.text
        text = StreamText()
        self._slots.append(_Slot(stream=name, text=text))
        return text

    def _take_error(self, content: Mapping[str, Any], left_out: LeftOut | None) -> None:
        if left_out is not None:
            size = outputs.readable_bytes(left_out.size)
            content = {**content, "evalue": f"Its message of {size} is too long to keep."}
        error = outputs.error_output(content, self._limits)
        self._clear_if_due()
        if self._last_error is not None:
            self._replace_error(self._last_error, error)
            return
        # What was printed before it stays before it: mostly it ends the cell's own code.
        self._put_out_end()
        fits = self._has_room(outputs.output_bytes(error))
        self._add(error)
        if not fits:
            self._last_error = len(self._slots) - 1

    def _replace_error(self, index: int, error: ErrorOutput) -> None:
        """Put an error in the place of the last one; whatever is left out, the newest is told."""
        slot, size = self._slots[index], outputs.output_bytes(error)
        self._kept += size - slot.size
        slot.rich, slot.size = error, size
        self._truncate()
        self._touch(index)

    def _put_out_end(self) -> None:
        """Put what is held back of a flood of text behind its beginning."""
        for name, text in self._flood.end():
            self._kept += self._slot_for(name).feed(text)
            self._touch(len(self._slots) - 1)

    def _has_room(self, size: int) -> bool:
        full = len(self._slots) >= self._limits.run_outputs
        return not full and self._kept + size <= self._limits.run_output_bytes

    def _take_clear(self, *, wait: bool) -> None:
        if wait:
            self._clear_before_next = True
        else:
            self._clear()

    def _show(self, output: DisplayOutput | ResultOutput) -> None:
        name = output.display_id
        if name is not None and name in self._displays:
            self._displays.update(name, _as_display(output))
        size = outputs.output_bytes(output)
        self._clear_if_due()
        if not self._has_room(size):
            self._truncate()
            return
        self._add(output)
        if name is not None:
            self._displays.add(name, self, len(self._slots) - 1)

    def _add(self, output: _Rich) -> None:
        size = outputs.output_bytes(output)
        count = (output.execution_count,) if isinstance(output, ResultOutput) else None
        self._kept += size
        self._slots.append(_Slot(rich=output, result_count=count, size=size))
        self._touch(len(self._slots) - 1)

    def _refuse(self, size: int) -> None:
        self._show(
            outputs.sentence_output(
                f"An output of {outputs.readable_bytes(size)} is too large to keep."
            )
        )
        self._truncate()

    def _clear_if_due(self) -> None:
        if self._clear_before_next:
            self._clear()

    def _clear(self) -> None:
        self._clear_before_next = False
        if any(slot.told for slot in self._slots):
            self._cleared = True
        self._displays.drop(self)
        self._slots, self._kept = [], 0
        self._dirty.clear()
        self._flood, self._last_error = Flood(self._limits), None
        self._on_change()

    def _truncate(self) -> None:
        if self._truncation is None:
            self._truncation = _kept_words(self._limits)
            self._on_change()

    def _note_capture(self, content: Mapping[str, Any]) -> None:
        """An Output widget takes what a run puts out while it holds the run's id."""
        data = content.get("data")
        state = data.get("state") if isinstance(data, Mapping) else None
        if not isinstance(state, Mapping) or "msg_id" not in state:
            return
        widget = str(content.get("comm_id"))
        if state["msg_id"] == self._run_id:
            self._captors.add(widget)
        else:
            self._captors.discard(widget)


def _as_display(output: DisplayOutput | ResultOutput) -> DisplayOutput:
    return DisplayOutput(data=output.data, metadata=output.metadata, display_id=output.display_id)


def _as_result(output: DisplayOutput, count: tuple[int | None]) -> ResultOutput:
    return ResultOutput(
        execution_count=count[0],
        data=output.data,
        metadata=output.metadata,
        display_id=output.display_id,
    )


def _kept_words(limits: Limits) -> str:
    half = outputs.readable_bytes(limits.stream_bytes // 2)
    return (
        f"Not all of this cell's output is kept: of printed text the first and the last {half}, "
        f"{limits.run_outputs} outputs, {outputs.readable_bytes(limits.run_output_bytes)} in all."
    )
