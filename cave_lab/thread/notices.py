"""What a turn tells the person in a sentence, with the next steps as buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT
from cave_lab.protocol.ids import TurnId
from cave_lab.protocol.thread_events import Notice
from cave_lab.protocol.words import NextStep
from cave_lab.state.values import NoticeItem, ThreadState
from cave_lab.thread.recorder import Recorder

_AFTER_MODEL: dict[type[errors.ModelError], Sequence[NextStep]] = {
    errors.ModelNotSet: ("open_model_settings",),
    errors.ModelNotFound: ("open_model_settings",),
    errors.ModelKeyRejected: ("open_model_settings",),
    errors.ModelKeyMissing: ("open_model_settings",),
    errors.ModelUnreachable: ("try_again", "open_model_settings"),
    errors.EmptyResponse: ("open_model_settings", "try_again"),
    errors.ToolsUnsupported: ("open_model_settings",),
    errors.ModelTimeout: ("try_again", "open_model_settings"),
    errors.ModelInterrupted: ("go_on", "try_again"),
    errors.ContextTooLong: ("new_thread",),
    errors.ModelQuota: ("open_model_settings",),
    errors.ModelRefused: (),
    errors.ModelBadRequest: ("open_model_settings", "try_again"),
}
_AFTER_KERNEL: dict[type[errors.KernelError], Sequence[NextStep]] = {
    errors.NoKernel: ("start_kernel", "try_again"),
}
_SILENT_KERNEL: Sequence[NextStep] = ("wait_for_kernel", "restart_kernel", "try_again")


PRICE_UNKNOWN = "price_unknown"
"""The code of the notice that a budget in money can't be kept."""


class Notices:
    """The notices of one turn."""

    def __init__(self, recorder: Recorder, turn_id: TurnId) -> None:
        self._recorder = recorder
        self._turn_id = turn_id

    async def failed(self, error: errors.ModelError | errors.KernelError) -> None:
        """Tell what failed."""
        await self._write("error", error.code, str(error), steps_after(error), error.detail)

    async def say(
        self,
        level: Literal["info", "warning"],
        code: str,
        text: str,
        *steps: NextStep,
        detail: str | None = None,
    ) -> None:
        """Tell something that ends nothing."""
        await self._write(level, code, text, steps, detail)

    async def say_to_both(self, code: str, text: str, *steps: NextStep) -> None:
        """Tell it so that the model's next call can tell of it too: that goes by the journal."""
        await self.say("info", code, text, *steps)
        await self._recorder.flush()

    async def _write(
        self,
        level: Literal["info", "warning", "error"],
        code: str,
        text: str,
        steps: Sequence[NextStep],
        detail: str | None = None,
    ) -> None:
        await self._recorder.soft(
            Notice(
                **DRAFT,
                turn_id=self._turn_id,
                level=level,
                code=code,
                text=text,
                detail=detail,
                actions=list(steps),
            )
        )


def steps_after(error: errors.ModelError | errors.KernelError) -> Sequence[NextStep]:
    """What the person can do about a failure."""
    if isinstance(error, errors.ModelError):
        return _AFTER_MODEL.get(type(error), ("try_again",))
    return _AFTER_KERNEL.get(type(error), _SILENT_KERNEL)


def was_told(state: ThreadState, code: str) -> bool:
    """Whether a notice of this code stands anywhere in a thread."""
    items = (item for turn in state.turns for item in turn.items)
    return any(isinstance(item, NoticeItem) and item.code == code for item in items)
