"""The websocket: authenticated and authorized before the upgrade, then handed to a Connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from cave_lab import errors
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.server.access import authorize, may_decide, owner_of, without_query

if TYPE_CHECKING:
    from cave_lab.server.connection import Connection
    from cave_lab.server.extension import CaveLab


class ChannelHandler(WebSocketMixin, WebSocketHandler, JupyterHandler):
    """`/cave-lab/channel`."""

    auth_resource = "cave_lab:threads"
    max_message_size = DEFAULT_LIMITS.frame_read_bytes

    def initialize(self, app: CaveLab) -> None:
        """Keep the extension at hand."""
        self.app = app
        self._connection: Connection | None = None

    def set_default_headers(self) -> None:
        """Leave out the headers of pages, which make no sense here."""

    def _request_summary(self) -> str:
        return without_query(self)

    @property
    def ping_interval(self) -> float:
        """Milliseconds between pings, as Jupyter's mixin counts them."""
        return float(self.settings.get("ws_ping_interval", DEFAULT_LIMITS.ping_seconds * 1_000))

    @ws_authenticated
    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Check who it is and what they may do, open the rooms below, then upgrade."""
        await authorize(self, "execute")
        self._owner, self._may_approve = owner_of(self), await may_decide(self)
        try:
            self._domain = await self.app.domain()
            await self._domain.choices.settings(self._owner)
        except errors.JournalError as error:
            raise HTTPError(503, str(error)) from error
        await super().get(*args, **kwargs)

    def open(self, *args: Any, **kwargs: Any) -> None:
        """Say hello."""
        from cave_lab.protocol.frames import CLOSE_VERSION, PROTOCOL_VERSION
        from cave_lab.protocol.ids import ClientId, new_id
        from cave_lab.thread.services import Origin

        super().open(*args, **kwargs)
        # Small frames in both directions: without it each waits for the other side's delayed ack.
        self.set_nodelay(True)
        origin = Origin(
            client_id=ClientId(new_id("client")),
            owner=self._owner,
            kind="browser" if self._may_approve else "api",
            may_approve=self._may_approve,
        )
        self._connection = self._domain.join(self, origin)
        if self.get_argument("protocol", str(PROTOCOL_VERSION)) != str(PROTOCOL_VERSION):
            self.close(CLOSE_VERSION, "another version of the protocol")

    async def send(self, text: bytes) -> None:
        """Send a text frame and return when it has left; raises Gone."""
        from cave_lab.server.connection import Gone

        try:
            await self.write_message(text)
        except WebSocketClosedError as error:
            raise Gone from error

    def on_message(self, message: str | bytes) -> None:
        """Hand a frame on."""
        if self._connection is not None:
            self._connection.take(message)

    def on_close(self) -> None:
        """Let the connection go; its threads go on."""
        super().on_close()
        if self._connection is not None:
            self._domain.leave(self._connection)
            self._connection = None
