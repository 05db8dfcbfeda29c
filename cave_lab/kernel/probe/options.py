"""What the probe is told when it is put into a kernel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProbeOptions:
    """One injection's settings; the kernel keeps the generation of the first one."""

    generation: str
    """Our own mark for this life of the kernel's memory, adopted unless it has one already."""
    hook: bool = True
    """Whether cells are compared before and after; without it `changes` is never known."""
    hook_budget_ms: int = 30
    """What the comparison may add to a cell."""
    kept_cells: int = 64
    """Cells whose changes are kept: more than a person runs between two messages."""
    whole_bytes: int = 8_000_000
    """Data up to this size is compared as a whole (about 3 ms), larger data by a sample."""
    whole_elements: int = 10_000
    """Containers up to this length are compared as a whole (about 1 ms)."""
