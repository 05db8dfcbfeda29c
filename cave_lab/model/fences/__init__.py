"""Actions in fenced blocks: the text of a model without tools, read as it streams."""

from __future__ import annotations

from cave_lab.model.fences.reader import GARBLED, UNCLOSED, FenceReader

__all__ = ["GARBLED", "UNCLOSED", "FenceReader"]
