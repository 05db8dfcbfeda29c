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
    from cave_lab.server.app import App
    from cave_lab.server.connection import Connection
    from cave_lab.thread.services import Origin


class ChannelHandler(WebSocketMixin, WebSocketHandler, JupyterHandler):
    """`/cave-lab/channel`."""

    auth_resource = "cave_lab:threads"
    max_message_size = DEFAULT_LIMITS.frame_read_bytes

    def initialize(self, app: App) -> None:
        """Keep the extension at hand."""
        self.app = app
        self._connection: Connection | None = None

    def set_default_headers(self) -> None:
        """Leave out the headers of pages, which make no sense here."""

    def _request_summary(self) -> str:
        return without_query(self)

    @property
    def ping_interval(self) -> float:
        """Seconds between pings; no answer within the same time ends the connection."""
        return float(self.settings.get("websocket_ping_interval") or DEFAULT_LIMITS.ping_seconds)

    @property
    def ping_timeout(self) -> float | None:
        """Seconds to wait for the answer to a ping; None for as long as between two."""
        timeout: float | None = self.settings.get("websocket_ping_timeout") or None
        return timeout

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
        """Say hello; a page of another version hears that it is one, and has to reload.

        Jupyter's own `open` would begin to ping a second time, in another unit.
        """
        from cave_lab.protocol.frames import CLOSE_VERSION, PROTOCOL_VERSION, encode_frame

        # Small frames in both directions: without it each waits for the other side's delayed ack.
        self.set_nodelay(True)
        origin = self._origin()
        if self.get_argument("protocol", str(PROTOCOL_VERSION)) == str(PROTOCOL_VERSION):
            self._connection = self._domain.join(self, origin)
            return
        self.write_message(encode_frame(self._domain.hello(origin)))
        self.close(CLOSE_VERSION, "another version of the protocol")

    def _origin(self) -> Origin:
        from cave_lab.protocol.ids import ClientId, new_id
        from cave_lab.thread.services import Origin

        return Origin(
            client_id=ClientId(new_id("client")),
            owner=self._owner,
            kind="browser" if self._may_approve else "api",
            may_approve=self._may_approve,
        )

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
