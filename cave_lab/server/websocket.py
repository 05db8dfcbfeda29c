"""The websocket: authenticated and authorized before the upgrade, then handed to a Connection."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.web import HTTPError
from tornado.websocket import WebSocketHandler

from cave_lab import errors
from cave_lab.server.access import authorize, may_decide, owner_of

if TYPE_CHECKING:
    from cave_lab.server.connection import Connection
    from cave_lab.server.extension import CaveLab

_log = logging.getLogger("cave_lab")


class ChannelHandler(WebSocketMixin, WebSocketHandler, JupyterHandler):
    """`/cave-lab/channel`."""

    auth_resource = "cave_lab:threads"

    def initialize(self, app: CaveLab) -> None:
        """Keep the extension at hand."""
        self.app = app
        self._connection: Connection | None = None
        self._stopping: asyncio.Task[None] | None = None

    def set_default_headers(self) -> None:
        """Leave out the headers of pages, which make no sense here."""

    @property
    def max_message_size(self) -> int:
        """Larger frames close the connection with 1009."""
        from cave_lab.limits import DEFAULT_LIMITS

        return DEFAULT_LIMITS.frame_bytes

    @ws_authenticated
    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Check who it is and what they may do, open the rooms below, then upgrade."""
        await authorize(self, "execute")
        try:
            self._domain = await self.app.domain()
        except errors.JournalError as error:
            raise HTTPError(503, str(error)) from error
        self._may_approve = await may_decide(self)
        await super().get(*args, **kwargs)

    def open(self, *args: Any, **kwargs: Any) -> None:
        """Say hello."""
        from cave_lab.protocol.ids import ClientId, new_id
        from cave_lab.server.connection import Connection
        from cave_lab.thread.services import Origin

        super().open(*args, **kwargs)
        # Small frames in both directions: without it each waits for the other side's delayed ack.
        self.set_nodelay(True)
        origin = Origin(
            client_id=ClientId(new_id("client")),
            owner=owner_of(self),
            kind="browser" if self._may_approve else "api",
            may_approve=self._may_approve,
        )
        domain = self._domain
        self._connection = Connection(self, origin, domain.threads, domain.limits)
        self._connection.start(domain.journal.server_id)

    def on_message(self, message: str | bytes) -> None:
        """Hand a frame on."""
        if self._connection is not None:
            self._connection.take(message)

    def on_close(self) -> None:
        """Let the connection go; its threads go on."""
        super().on_close()
        if self._connection is not None:
            connection, self._connection = self._connection, None
            self._stopping = asyncio.ensure_future(connection.stop())
