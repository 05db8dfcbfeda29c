"""Who is asking, and what they may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlsplit

from jupyter_core.utils import ensure_async
from jupyter_server.auth.identity import (
    IdentityProvider,
    LegacyIdentityProvider,
    PasswordIdentityProvider,
)
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.utils import origin_matches_pat
from tornado.web import HTTPError

RESOURCES = ("kernels", "cave_lab:threads")
"""Both must be granted: what CaveLab does is never more than the person may do to kernels."""

LOCAL = "local"
"""The owner of threads where Jupyter does not name people."""

_NAMELESS = (IdentityProvider, PasswordIdentityProvider, LegacyIdentityProvider)

Method = TypeVar("Method", bound=Callable[..., Awaitable[Any]])


def owner_of(handler: JupyterHandler) -> str:
    """The owner of this request's threads.

    Jupyter's stock providers give each browser a random name, so there all threads belong to the
    one person that the server belongs to; any other provider names people.
    """
    if type(handler.identity_provider) in _NAMELESS:
        return LOCAL
    return str(handler.current_user.username)


async def authorize(handler: JupyterHandler, action: str) -> None:
    """Raise 403 unless the authorizer grants `action` on kernels and on our threads."""
    for resource in RESOURCES:
        granted = await ensure_async(
            handler.authorizer.is_authorized(handler, handler.current_user, action, resource)
        )
        if not granted:
            raise HTTPError(403, f"not authorized to {action} {resource}")


def requires(action: str) -> Callable[[Method], Method]:
    """Authenticate and authorize a REST method before it runs."""

    def decorate(method: Method) -> Method:
        @wraps(method)
        async def guarded(self: JupyterHandler, *args: Any, **kwargs: Any) -> Any:
            if self.current_user is None:
                raise HTTPError(403)
            await authorize(self, action)
            return await method(self, *args, **kwargs)

        guarded.__dict__["cave_lab_requires"] = action
        return guarded  # type: ignore[return-value]

    return decorate


async def may_decide(handler: JupyterHandler) -> bool:
    """Whether this is a person's browser: signed in by cookie, on a page of this very server.

    Code in the kernel can read the server's token from its runtime files; a token alone must not
    be enough to approve a run.
    """
    return _own_page(handler) and await _by_cookie(handler)


def _own_page(handler: JupyterHandler) -> bool:
    origin = handler.request.headers.get("Origin")
    if not origin:
        return False
    if urlsplit(origin.lower()).netloc == handler.request.headers.get("Host", "").lower():
        return True
    if handler.allow_origin_pat:
        return bool(origin_matches_pat(handler.allow_origin_pat, origin.lower()))
    return handler.allow_origin not in ("", "*") and handler.allow_origin == origin.lower()


async def _by_cookie(handler: JupyterHandler) -> bool:
    provider = handler.identity_provider
    if await ensure_async(provider.get_user_cookie(handler)) is not None:
        return True
    # A provider with a sign-in of its own, such as a hub's, knows the person without a token.
    return type(provider) not in _NAMELESS and provider.get_token(handler) is None
