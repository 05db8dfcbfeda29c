"""One client's connection: commands in, events out, both bounded."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import Awaitable
from typing import Protocol

from pydantic import ValidationError

from cave_lab import __version__, errors
from cave_lab.limits import Limits
from cave_lab.protocol.commands import COMMAND_ADAPTER, Command
from cave_lab.protocol.events import Event
from cave_lab.protocol.frames import (
    CLOSE_ABUSE,
    CLOSE_RESUME,
    CommandOk,
    CommandRejected,
    Frame,
    Hello,
    Signal,
    encode_frame,
)
from cave_lab.protocol.ids import CommandId, ServerId
from cave_lab.server.rate import Window
from cave_lab.thread.service import ThreadService
from cave_lab.thread.services import Origin
from cave_lab.thread.tasks import Tasks

_log = logging.getLogger("cave_lab")


class Socket(Protocol):
    """The part of a websocket that a connection needs."""

    def write_message(self, message: str) -> Awaitable[None]:
        """Send a text frame; the result is ready when it has left."""

    def close(self, code: int | None = None, reason: str | None = None) -> None:
        """Close with a code and a reason."""


class Connection:
    """Implements `Client` over a socket."""

    def __init__(
        self, socket: Socket, origin: Origin, threads: ThreadService, limits: Limits
    ) -> None:
        self.origin = origin
        self._socket = socket
        self._threads = threads
        self._limits = limits
        self._tasks = Tasks()
        self._outgoing: deque[str] = deque()
        self._waiting_bytes = 0
        self._ready = asyncio.Event()
        self._closed = False
        self._bad = Window(limits.bad_frames, limits.bad_frames_seconds)
        self._commands = Window(int(limits.commands_per_second), 1.0)

    def start(self, server_id: ServerId) -> None:
        """Say hello and begin to send."""
        self._tasks.spawn(self._send(), "send to a client")
        self._put(
            Hello(
                server_version=__version__,
                server_id=server_id,
                client_id=self.origin.client_id,
                may_approve=self.origin.may_approve,
                allowed_modes=list(self._threads.services.policy.allowed_modes),
            )
        )

    async def stop(self) -> None:
        """Forget the client; its threads go on."""
        self._closed = True
        self._threads.disconnect(self.origin.client_id)
        await self._tasks.close()

    # ── out

    def receive(self, message: Event | Signal) -> None:
        """Queue one event or signal; a reader that is too slow is closed and resumes later."""
        self._put(message)

    def _put(self, frame: Frame) -> None:
        if self._closed:
            return
        text = encode_frame(frame)
        self._outgoing.append(text)
        self._waiting_bytes += len(text)
        self._ready.set()
        if self._waiting_bytes > self._limits.send_queue_bytes:
            self._close(CLOSE_RESUME, "too slow: reconnect and resume")

    def _close(self, code: int, reason: str) -> None:
        self._closed = True
        self._outgoing.clear()
        self._socket.close(code, reason)

    async def _send(self) -> None:
        while not self._closed:
            await self._ready.wait()
            self._ready.clear()
            while self._outgoing:
                text = self._outgoing.popleft()
                await self._socket.write_message(text)
                self._waiting_bytes -= len(text)

    # ── in

    def take(self, raw: str | bytes) -> None:
        """Carry out one frame's command, each in a task of its own: a Stop waits for nothing."""
        if self._closed:
            return
        try:
            command = read_command(raw, self._limits)
        except errors.InvalidCommand as error:
            self._refuse(raw, error)
            return
        if not self._commands.admit():
            limit = errors.LimitReached("Too many commands at once. This one was not carried out.")
            self._reject(command.command_id, limit)
            return
        self._tasks.spawn(self._carry_out(command), command.type)

    def _refuse(self, raw: str | bytes, error: errors.InvalidCommand) -> None:
        self._reject(_command_id(raw), error)
        if not self._bad.admit():
            self._close(CLOSE_ABUSE, "too many frames that are no commands")

    def _reject(self, command_id: CommandId | None, error: errors.CaveLabError) -> None:
        self._put(CommandRejected(command_id=command_id, code=error.code, message=str(error)))

    async def _carry_out(self, command: Command) -> None:
        try:
            result = await self._threads.handle(command, self)
        except errors.CaveLabError as error:
            self._reject(command.command_id, error)
        except Exception:  # noqa: BLE001 the client gets a sentence, the log the traceback
            _log.exception("A command failed: %s", command.type)
            self._reject(command.command_id, errors.CaveLabError())
        else:
            self._put(CommandOk(command_id=command.command_id, result=result))


def read_command(raw: str | bytes, limits: Limits) -> Command:
    """Read a frame; raises InvalidCommand with a sentence that names the wrong fields."""
    try:
        text = raw.decode() if isinstance(raw, bytes) else raw
    except UnicodeDecodeError as error:
        raise errors.InvalidCommand("The frame is not text in UTF-8.") from error
    if _depth(text) > limits.json_depth:
        raise errors.InvalidCommand("The frame is nested too deeply.")
    try:
        return COMMAND_ADAPTER.validate_json(text)
    except ValidationError as error:
        fields = sorted({".".join(map(str, found["loc"])) or "frame" for found in error.errors()})
        raise errors.InvalidCommand(
            f"The frame is not a command of this version ({', '.join(fields[:5])})."
        ) from error


def _depth(text: str) -> int:
    """How deeply a JSON text is nested at most; brackets in strings count too, which is safe."""
    depth = deepest = 0
    for character in text:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _command_id(raw: str | bytes) -> CommandId | None:
    """The id of a broken command, if it can be read at all, so that its sender hears of it."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    found = value.get("command_id") if isinstance(value, dict) else None
    if isinstance(found, str) and 0 < len(found) <= 64 and found.replace("-", "").isalnum():
        return CommandId(found)
    return None
