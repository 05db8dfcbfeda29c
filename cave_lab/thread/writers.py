"""Which client writes which notebook for us, told to all who follow its threads."""

from __future__ import annotations

from cave_lab import errors
from cave_lab.notebook.lease import Leases
from cave_lab.protocol.frames import WriterLease
from cave_lab.protocol.ids import ClientId
from cave_lab.state import ThreadState
from cave_lab.thread.registry import Registry
from cave_lab.thread.services import Client
from cave_lab.thread.thread import Thread


class Writers:
    """The leases of one server."""

    def __init__(self) -> None:
        self._leases = Leases()

    def claim(self, registry: Registry, thread: Thread, client_id: ClientId) -> None:
        """Take the thread's notebook if it is free. Raises Forbidden for one who looks at none."""
        if client_id not in thread.followers:
            raise errors.Forbidden("Only a panel that has the thread open writes its notebook.")
        path = path_of(thread.state)
        if path is not None:
            self._leases.claim(path, client_id)
            self._tell(registry, path)

    def release(self, registry: Registry, thread: Thread, client_id: ClientId) -> None:
        """Give the thread's notebook back."""
        path = path_of(thread.state)
        if path is not None:
            self._leases.release(path, client_id)
            self._tell(registry, path)

    def grant(self, registry: Registry, thread: Thread, client_id: ClientId) -> None:
        """The notebook goes to the client that sent a message about it."""
        path = path_of(thread.state)
        if client_id not in thread.followers:
            # It hung up meanwhile; nobody could take the notebook from it again.
            return
        if path is not None and self._leases.holder(path) != client_id:
            self._leases.grant(path, client_id)
            self._tell(registry, path)

    def check(self, thread: Thread, client_id: ClientId) -> None:
        """Raise Forbidden if another client writes the thread's notebook.

        While nobody does, a report is taken all the same: the writer that sent it may have lost its
        connection, and with it the lease, before the report came; it does not send it twice.
        """
        path = path_of(thread.state)
        holder = self._leases.holder(path) if path is not None else None
        if holder not in (None, client_id):
            raise errors.Forbidden(
                "Another page writes this notebook now, so only that one says where its cells are. "
                "Nothing was changed."
            )

    def leave(self, registry: Registry, client_id: ClientId) -> None:
        """A client is gone: its notebooks are free."""
        for path in self._leases.release_all(client_id):
            self._tell(registry, path)

    def moved(self, registry: Registry, before: str, after: str) -> None:
        """A notebook has another path; its writer stays the same."""
        self._leases.rename(before, after)
        self._tell(registry, after)

    def tell(self, client: Client, thread: Thread) -> None:
        """Tell one client who writes the thread's notebook."""
        path = path_of(thread.state)
        if path is not None:
            client.receive(self._lease(thread, path))

    def _tell(self, registry: Registry, path: str) -> None:
        for thread in registry:
            if path_of(thread.state) == path:
                thread.signal(self._lease(thread, path))

    def _lease(self, thread: Thread, path: str) -> WriterLease:
        return WriterLease(
            thread_id=thread.state.thread_id, path=path, holder=self._leases.holder(path)
        )


def path_of(state: ThreadState) -> str | None:
    """The path of the thread's notebook; None if it has none."""
    return state.target.notebook.path if state.target.notebook else None
