"""The probe's request types on the kernel's own channels."""

from __future__ import annotations

from typing import Any, Callable

from cave_lab.kernel.probe.inside.plain import class_name

PREFIX = "cave_lab_"


class Requests:
    """Puts handlers into the kernel's tables and takes them out again."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._tables = (kernel.shell_handlers, kernel.control_handlers)
        self._mine: list[tuple[dict[str, Any], str]] = []

    def answer(self, name: str, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Answer a request type on both channels with the content that a function returns."""
        reply_type = PREFIX + name + "_reply"

        def handle(stream: Any, ident: Any, parent: Any) -> None:
            content = self._content(answer, parent)
            self._kernel.session.send(stream, reply_type, content, parent, ident=ident)

        for table in self._tables:
            self._put(table, PREFIX + name + "_request", handle)

    def take_over(self, name: str, handler: Callable[..., Any]) -> None:
        """Let a handler that replies by itself answer a request type on the shell channel."""
        self._put(self._tables[0], PREFIX + name + "_request", handler)

    def remove(self) -> None:
        """Take all handlers out; the kernel no longer knows the request types."""
        for table, message_type in self._mine:
            table.pop(message_type, None)
        self._mine.clear()

    def _put(self, table: dict[str, Any], message_type: str, handler: Callable[..., Any]) -> None:
        table[message_type] = handler
        self._mine.append((table, message_type))

    def _content(
        self, answer: Callable[[dict[str, Any]], dict[str, Any]], parent: Any
    ) -> dict[str, Any]:
        try:
            return {"status": "ok", **answer(parent["content"])}
        except Exception as error:
            reason = "The kernel could not answer: " + class_name(type(error)) + "."
            return {"status": "error", "reason": reason}
