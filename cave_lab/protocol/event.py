"""What every event carries."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from cave_lab.protocol.base import Wire
from cave_lab.protocol.ids import Seq, ThreadId

EVENT_VERSION: Literal[1] = 1


class EventBase(Wire):
    """What every event carries; `at` is UTC."""

    v: Literal[1] = EVENT_VERSION
    seq: Seq
    thread_id: ThreadId
    at: datetime
