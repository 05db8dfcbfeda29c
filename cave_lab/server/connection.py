"""One client's connection: commands in, events out, both bounded."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from typing import Protocol

from pydantic import ValidationError

from cave_lab import errors
from cave_lab.limits import Limits
from cave_lab.protocol.commands import COMMAND_ADAPTER, Command
from cave_lab.protocol.events import Event
from cave_lab.protocol.frames import (
    CLOSE_ABUSE,
    CLOSE_RESUME,
    CLOSE_TOO_BIG,
    CommandOk,
    CommandRejected,
    Frame,
    Hello,
    Signal,
    encode_frame,
)
from cave_lab.protocol.ids import CommandId
from cave_lab.server.fields import field_name
from cave_lab.server.rate import Window
from cave_lab.thread.service import ThreadService
from cave_lab.thread.services import Origin
from cave_lab.thread.tasks import Tasks

_log = logging.getLogger("cave_lab")


class Gone(Exception):
    """The other side has hung up."""


class Socket(Protocol):
    """The part of a websocket that a connection needs."""

    async def send(self, text: bytes) -> None:
        """Send a text frame and return when it has left; raises Gone."""

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
        self._outgoing: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._ready = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._closed = False
        # The last of so many is the one that closes.
        self._bad = Window(limits.bad_frames - 1, limits.bad_frames_seconds)
        self._commands = Window(int(limits.commands_per_second), 1.0)

    def start(self, hello: Hello) -> None:
        """Say hello and begin to send."""
        self._tasks.spawn(self._send(), "send to a client")
        self._put(hello)

    async def stop(self) -> None:
        """Forget the client; its threads and commands go on."""
        self._end()
        self._threads.disconnect(self.origin.client_id)
        await self._tasks.close()

    def close(self, code: int, reason: str) -> None:
        """Hang up; what was not sent is not sent any more."""
        self._end()
        self._outgoing.clear()
        self._socket.close(code, reason)

    # ── out

    def receive(self, message: Event | Signal) -> None:
        """Queue one event or signal; a reader that is too slow is closed and resumes later."""
        self._put(message)

    async def room(self) -> None:
        """Wait until half of what may wait for the reader has been taken."""
        await self._room.wait()

    def _put(self, frame: Frame) -> None:
        if self._closed:
            return
        text = encode_frame(frame)
        self._outgoing.append(text)
        self._count(len(text))
        self._ready.set()
        if self._waiting_bytes > self._limits.send_queue_bytes:
            self.close(CLOSE_RESUME, "too slow: reconnect and resume")

    def _count(self, size: int) -> None:
        self._waiting_bytes += size
        if self._waiting_bytes > self._limits.send_queue_bytes / 2 and not self._closed:
            self._room.clear()
        else:
            self._room.set()

    async def _send(self) -> None:
        try:
            while not self._closed:
                await self._ready.wait()
                self._ready.clear()
                while self._outgoing:
                    text = self._outgoing.popleft()
                    await self._socket.send(text)
                    self._count(-len(text))
        except Gone:
            self._end()

    def _end(self) -> None:
        self._closed = True
        self._room.set()

    # ── in

    def take(self, raw: str | bytes) -> None:
        """Carry out one frame's command, each in a task of its own: a Stop waits for nothing."""
        if self._closed:
            return
        if len(raw) > self._limits.frame_bytes:
            self.close(CLOSE_TOO_BIG, "the frame is too big")
            return
        try:
            command = read_command(raw)
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
            self.close(CLOSE_ABUSE, "too many frames that are no commands")

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


def read_command(raw: str | bytes) -> Command:
    """Read a frame; raises InvalidCommand with a sentence that names the wrong fields.

    Nesting is bounded by the parser, which gives up at 200 levels; a command has about eight.
    """
    try:
        return COMMAND_ADAPTER.validate_json(raw)
    except ValidationError as error:
        fields = sorted(
            {field_name(found["loc"]) or "frame" for found in error.errors(include_input=False)}
        )
        raise errors.InvalidCommand(
            f"The frame is not a command of this version ({', '.join(fields[:5])})."
        ) from error


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
