"""The REST edge: thin handlers over the domain."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeVar

from jupyter_server.base.handlers import APIHandler
from tornado.web import HTTPError

from cave_lab import errors
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.server.access import authorize, may_decide, owner_of, requires, without_query
from cave_lab.server.fields import field_name

if TYPE_CHECKING:
    from pydantic import BaseModel

    from cave_lab.server.app import App
    from cave_lab.server.domain import Domain

    Body = TypeVar("Body", bound=BaseModel)

_log = logging.getLogger("cave_lab")

STATUS: dict[type[errors.CaveLabError], int] = {
    errors.NotFound: 404,
    errors.Forbidden: 403,
    errors.InvalidCommand: 400,
    errors.LimitReached: 413,
    errors.JournalError: 503,
}


class Handler(APIHandler):
    """What our REST handlers share."""

    auth_resource = "cave_lab:threads"

    def initialize(self, app: App) -> None:
        """Keep the extension at hand."""
        self.app = app

    async def domain(self) -> Domain:
        """The rooms below."""
        return await self.app.domain()

    def answer(self, value: BaseModel) -> None:
        """Finish with a model as JSON."""
        self.finish(value.model_dump_json())

    def body(self, model: type[Body]) -> Body:
        """Read the request's body; raises InvalidCommand, or LimitReached before it is read."""
        from pydantic import ValidationError

        if len(self.request.body) > DEFAULT_LIMITS.request_bytes:
            raise errors.LimitReached
        try:
            return model.model_validate_json(self.request.body)
        except ValidationError as error:
            fields = ", ".join(field_name(found["loc"]) for found in error.errors()[:5])
            raise errors.InvalidCommand(
                f"The request was not understood ({fields or 'its body'}). Nothing was changed."
            ) from error

    async def must_decide(self) -> None:
        """Raise Forbidden unless a person's browser asks."""
        if not await may_decide(self):
            raise errors.Forbidden("This can only be changed in the panel, signed in by cookie.")

    def _request_summary(self) -> str:
        return without_query(self)

    def log_exception(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        """Log what went wrong: our own errors in a line, others with their traceback."""
        if isinstance(error, HTTPError):
            super().log_exception(kind, error, trace)
        elif isinstance(error, errors.CaveLabError):
            _log.info("%s was answered with %s.", self._request_summary(), error.code)
        else:
            _log.error("%s failed.", self._request_summary(), exc_info=error)

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Answer our own errors as RestError, never with a traceback."""
        from cave_lab.protocol.rest import RestError

        error = kwargs.get("exc_info", (None, None, None))[1]
        if isinstance(error, errors.CaveLabError):
            self.set_status(_status_of(error))
            self.answer(RestError(code=error.code, message=str(error)))
            return
        message = errors.CaveLabError.default
        if isinstance(error, HTTPError) and status_code < 500:
            message = error.reason or f"The server refused the request ({status_code})."
        self.answer(RestError(code=f"http_{status_code}", message=message))


def _status_of(error: errors.CaveLabError) -> int:
    return next((code for kind, code in STATUS.items() if isinstance(error, kind)), 500)


class TourHandler(Handler):
    """Makes the tour's own notebook."""

    @requires("execute")
    async def post(self) -> None:
        """Write a new notebook below the directory of TourRequest; no other file is touched."""
        from cave_lab.protocol.rest import TourRequest
        from cave_lab.server.tour import make_tour

        await authorize(self, "write", "contents")
        self.answer(await make_tour(self.contents_manager, self.body(TourRequest)))


class BlobHandler(Handler):
    """A stored output, outline or message."""

    @requires("read")
    async def get(self, thread_id: str, blob_id: str) -> None:
        """Answer with the bytes, if the thread is the person's own and refers to them."""
        from cave_lab.protocol.ids import BlobId, ThreadId

        domain = await self.domain()
        thread = await domain.threads.get(ThreadId(thread_id), owner_of(self))
        blob = await domain.journal.get_blob(BlobId(blob_id), thread.state.thread_id)
        # Never to be taken for a page: what is in it came out of a kernel.
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Content-Security-Policy", "sandbox; default-src 'none'")
        self.set_header("Cache-Control", "private, max-age=31536000, immutable")
        self.finish(blob.data, set_content_type=blob.mime)
