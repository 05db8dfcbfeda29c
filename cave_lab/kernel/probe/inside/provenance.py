"""Which cell last bound or changed each name, and that cell's source at the time."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Iterable

CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The id of a cell in a notebook, as its format has it."""

NO_CELL = (None, None)


def source_of(cell_id: object, code: str) -> tuple[Any, Any]:
    """A cell by its id and the digest of its source; `NO_CELL` if it has no id of a notebook's."""
    if type(cell_id) is not str or CELL_ID.fullmatch(cell_id) is None:
        return NO_CELL
    return cell_id, hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()


class Provenance:
    """For each name the cell that bound its object; kept by ids of objects, so nothing is pinned.

    A name that is bound to another object than that cell left was bound by no cell that we know.
    """

    def __init__(self, kept: dict[str, Any]) -> None:
        self._sources: dict[str, tuple[int, Any, Any]] = kept.setdefault("sources", {})

    def note(
        self,
        source: tuple[Any, Any],
        before: dict[str, int],
        after: dict[str, int],
        changed: Iterable[str],
        named: Iterable[str],
    ) -> None:
        """Take in what a cell bound and changed; `named` are the names in its code."""
        if before != after:
            for name, identity in after.items():
                if before.get(name) != identity:
                    self._sources[name] = (identity, *source)
            for name in [name for name in self._sources if name not in after]:
                del self._sources[name]
        for name in changed:
            if name in after:
                self._sources[name] = (after[name], *source)
        self._renew(source, named)

    def _renew(self, source: tuple[Any, Any], named: Iterable[str]) -> None:
        """A cell that runs again binds equal small values to the very same objects."""
        cell_id = source[0]
        for name in named if cell_id is not None else ():
            known = self._sources.get(name)
            if known is not None and known[1] == cell_id:
                self._sources[name] = (known[0], *source)

    def row(self, name: str, identity: int) -> dict[str, str]:
        """The fields of a row that tell the cell; none if it is not known."""
        known = self._sources.get(name)
        if known is None or known[0] != identity or known[1] is None:
            return {}
        return {"cell_id": known[1], "cell_sha256": known[2]}
