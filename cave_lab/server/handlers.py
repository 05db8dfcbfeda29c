"""The REST edge: thin handlers over the domain."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, TypeVar

from jupyter_server.base.handlers import APIHandler
from tornado.web import HTTPError

from cave_lab import __version__, errors
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


class StatusHandler(Handler):
    """What the panel needs to know before the first message."""

    @requires("read")
    async def get(self) -> None:
        """Answer with ServerStatus; a journal that can't be opened is a problem told in it."""
        try:
            domain = await self.domain()
        except errors.JournalError as error:
            self.answer(_status(self.app, None, None, [str(error)]))
            return
        settings = await domain.choices.settings(owner_of(self))
        self.answer(_status(self.app, domain, settings, list(domain.journal.notes)))


def _status(app: App, domain: Domain | None, settings: Any, problems: list[str]) -> BaseModel:
    from cave_lab.model.choice import key_names
    from cave_lab.model.tour import TOUR_PREFIX
    from cave_lab.protocol.rest import ServerStatus

    policy = domain.policy if domain is not None else None
    return ServerStatus(
        version=__version__,
        model=settings,
        model_locked=app.lock_model,
        key_names=key_names(os.environ),
        allowed_modes=list(policy.allowed_modes) if policy else [],
        default_mode=policy.default_mode if policy else app.default_mode,
        default_privacy=policy.default_privacy if policy else app.default_privacy,
        tour_model=TOUR_PREFIX,
        problems=problems,
    )


class SettingsHandler(Handler):
    """The person's choice of model."""

    @requires("execute")
    async def put(self) -> None:
        """Keep ModelSettings; from a person's browser only."""
        from cave_lab.protocol.rest import ModelSettings

        await self.must_decide()
        domain, owner = await self.domain(), owner_of(self)
        await domain.choices.save(owner, self.body(ModelSettings))
        domain.warm_up(owner)
        settings = await domain.choices.settings(owner)
        self.answer(_status(self.app, domain, settings, list(domain.journal.notes)))


class CheckHandler(Handler):
    """*Test* in the model settings."""

    @requires("execute")
    async def post(self) -> None:
        """Try ModelSettings with one small call; from a person's browser only, as to keep them."""
        from cave_lab.model.port import ModelChoice
        from cave_lab.protocol.rest import ModelCheck, ModelSettings

        await self.must_decide()
        domain, wanted = await self.domain(), self.body(ModelSettings)
        await domain.choices.settings(owner_of(self))
        domain.choices.admit(owner_of(self), wanted)
        report = await domain.replies.check(
            ModelChoice(wanted.model, wanted.api_base or None, wanted.key_env or None)
        )
        self.answer(
            ModelCheck(
                ok=report.ok,
                tried=report.tried,
                outcome=report.outcome,
                detail=report.detail,
                tools=report.tools,
            )
        )


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
