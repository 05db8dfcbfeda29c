"""The connection to a kernel behind a Jupyter gateway: one websocket instead of sockets of its own.

Jupyter's own `GatewayKernelClient` shows the gateway no token when it connects, gives up when the
kernel says nothing for a while and has nothing to wait on; so this speaks for itself, with the
settings of Jupyter's `GatewayClient`.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote

from jupyter_client.jsonutil import json_default
from jupyter_client.session import Session
from jupyter_server.gateway import managers
from jupyter_server.gateway.gateway_client import GatewayClient

from cave_lab.kernel.channels import Reader
from cave_lab.kernel.message import Channel, Header, Message

_websocket = cast(Any, managers).websocket
"""The library that Jupyter's gateway client uses and brings along."""


class GatewayChannels:
    """Implements `Channels`. What comes in is decoded whole: the gateway bounds it, not we."""

    def __init__(self, kernel_id: str) -> None:
        self._kernel_id = kernel_id
        self._session = Session()
        self._socket: Any = None
        self._unsent: list[str] = []
        """What waits for the websocket to open."""

    def send(
        self,
        channel: Channel,
        message_type: str,
        content: Mapping[str, Any],
        message_id: str | None = None,
    ) -> str:
        """Send a request; returns its `msg_id`."""
        message = dict(self._session.msg(message_type, dict(content)), channel=channel)
        if message_id is not None:
            message["msg_id"] = message["header"]["msg_id"] = message_id
        text = json.dumps(message, default=json_default)
        if self._socket is None:
            self._unsent.append(text)
        else:
            self._socket.send(text)
        return str(message["msg_id"])

    async def serve(self, reader: Reader) -> None:
        """Connect, then read until cancelled; raises ConnectionError when the gateway hangs up."""
        # The library blocks, so threads do the waiting; closing the socket frees them.
        socket = self._socket = await asyncio.to_thread(_connect, self._kernel_id)
        waiting, self._unsent = self._unsent, []
        for text in waiting:
            socket.send(text)
        while True:
            raw = await asyncio.to_thread(_receive, socket)
            header = Header.of(raw["header"], raw.get("parent_header") or {})
            channel: Channel = raw["channel"]
            if channel != "iopub" or reader.wants(header):
                reader.take(channel, Message(header, raw.get("content") or {}))

    async def beats(self, seconds: float) -> bool:
        """A gateway passes no heartbeat on; its connection speaks for the kernel."""
        await asyncio.sleep(seconds)
        return True

    def close(self) -> None:
        """Close the websocket."""
        if self._socket is not None:
            self._socket.shutdown()


def _connect(kernel_id: str) -> Any:
    gateway = cast(Any, GatewayClient.instance())
    arguments = gateway.load_connection_args()
    socket = _websocket.create_connection(
        "/".join(
            (
                gateway.ws_url.rstrip("/"),
                gateway.kernels_endpoint.strip("/"),
                quote(kernel_id),
                "channels",
            )
        ),
        timeout=arguments.get("connect_timeout"),
        header=arguments.get("headers"),
        enable_multithread=True,
        sslopt={
            "ca_certs": gateway.ca_certs,
            "certfile": gateway.client_cert,
            "keyfile": gateway.client_key,
            **({} if gateway.validate_cert else {"cert_reqs": ssl.CERT_NONE}),
        },
    )
    socket.settimeout(None)
    return socket


def _receive(socket: Any) -> dict[str, Any]:
    try:
        text = socket.recv()
    except (_websocket.WebSocketException, OSError) as error:
        raise ConnectionError("the connection to the gateway broke") from error
    if not text:
        raise ConnectionError("the gateway closed the connection to the kernel")
    message: dict[str, Any] = json.loads(text)
    return message
