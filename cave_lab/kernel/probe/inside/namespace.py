"""The user's namespace: its names, which of them are the user's own, and one value at a time."""

from __future__ import annotations

from typing import Any

MISSING = object()


class Namespace:
    """A view of the shell's namespace that keeps no value alive."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell

    @property
    def values(self) -> dict[Any, Any]:
        """The namespace itself: the very dict that cells run in."""
        found = self._shell.user_ns
        if type(found) is not dict:
            raise TypeError("the namespace is not a plain dict")
        return found

    def visible(self) -> dict[str, int]:
        """The user's own names with the ids of their values, oldest binding first."""
        values = self.values
        # One step that no other thread divides; keys that are no exact text are never hashed.
        found = list(zip(dict.keys(values), map(id, dict.values(values))))
        hidden = self._shell.user_ns_hidden
        return {
            name: identity
            for name, identity in found
            if type(name) is str
            and name[:1] != "_"
            and (name not in hidden or id(hidden[name]) != identity)
        }

    def get(self, name: str) -> Any:
        """One value, or `MISSING` if the name was unbound meanwhile."""
        return dict.get(self.values, name, MISSING)
