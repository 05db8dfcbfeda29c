"""The lease: at most one client writes a notebook for us at a time."""

from __future__ import annotations

from cave_lab.protocol.ids import ClientId


class Leases:
    """Who holds which notebook, by path."""

    def __init__(self) -> None:
        self._holders: dict[str, ClientId] = {}

    def holder(self, path: str) -> ClientId | None:
        """Return who may write the notebook now."""
        return self._holders.get(path)

    def claim(self, path: str, client: ClientId) -> bool:
        """Take a free notebook; returns whether `client` holds it now."""
        return self._holders.setdefault(path, client) == client

    def grant(self, path: str, client: ClientId) -> None:
        """Give the notebook to the client that sent a message about it."""
        self._holders[path] = client

    def release(self, path: str, client: ClientId) -> bool:
        """Give it back; returns whether `client` held it."""
        if self._holders.get(path) != client:
            return False
        del self._holders[path]
        return True

    def release_all(self, client: ClientId) -> list[str]:
        """Give back all of a client that went away; returns the paths."""
        paths = [path for path, holder in self._holders.items() if holder == client]
        for path in paths:
            del self._holders[path]
        return paths

    def rename(self, old: str, new: str) -> None:
        """Follow a notebook to its new path."""
        if old != new and old in self._holders:
            self._holders[new] = self._holders.pop(old)
