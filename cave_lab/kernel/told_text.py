"""The text that a look tells of a value: without what is secret in the whole of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cave_lab.kernel.outputs import clean_text
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.content import Excerpt


def told_text(sent: Mapping[str, Any], redact: Redactor) -> Excerpt:
    """Make an excerpt of what the probe sends: head and tail, and what stands beside them.

    What stands beside them is not told. It is there so that a secret which lies across a cut is
    known. Raises KeyError, TypeError or ValueError on what no probe of ours sends.
    """
    before, head, behind = (_text(sent, key) for key in ("before", "head", "behind"))
    ahead, tail = _text(sent, "ahead"), _text(sent, "tail")
    left_out = max(0, int(sent["total"]) - len(head) - len(tail))
    head = f"{_text(sent, 'opening')}{redact.part(before, head, behind)}{_text(sent, 'closing')}"
    tail = redact.part(ahead, tail, "")
    total = len(head) + len(tail) + left_out
    return Excerpt(head=head, tail=tail, total=total, cut=bool(sent["cut"]))


def _text(sent: Mapping[str, Any], key: str) -> str:
    return clean_text(str(sent.get(key, "")))
