"""Data in the model's messages: marked as such, and unable to look like anything else."""

from __future__ import annotations

import re
from typing import Literal

from cave_lab.privacy.controls import strip_controls

Tag = Literal["data", "variables", "notebook", "summary"]

_ENDS = re.compile(r"<(?=\s*/\s*(?:data|variables|notebook|summary)\b)", re.IGNORECASE)


def enclose(tag: Tag, text: str) -> str:
    """Fence text that is data, without controls; what looks like the end of a fence is disarmed."""
    safe = _ENDS.sub(r"<\\", strip_controls(text))
    return f"<{tag}>\n{safe}\n</{tag}>"
