"""Who is asking, and what they may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlsplit

from jupyter_core.utils import ensure_async
from jupyter_server.auth.identity import IdentityProvider, PasswordIdentityProvider
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.utils import origin_matches_pat
from tornado.web import HTTPError, authenticated

RESOURCES = ("kernels", "cave_lab:threads")
"""Both must be granted: what CaveLab does is never more than the person may do to kernels."""

LOCAL = "local"
"""The owner of threads where Jupyter does not name people."""

_NAMELESS = (IdentityProvider, PasswordIdentityProvider)
"""Jupyter's own providers. One that is made from them may name people, so it is none of these."""

Method = TypeVar("Method", bound=Callable[..., Awaitable[Any]])


# ── who


def owner_of(handler: JupyterHandler) -> str:
    """The owner of this request's threads.

    Jupyter's stock providers give each browser a random name, so there all threads belong to the
    one person that the server belongs to; any other provider names people.
    """
    if type(handler.identity_provider) in _NAMELESS:
        return LOCAL
    return str(handler.current_user.username)


# ── what they may do


async def authorize(handler: JupyterHandler, action: str, *resources: str) -> None:
    """Raise 403 unless the authorizer grants `action` on each resource; by default on ours."""
    for resource in resources or RESOURCES:
        granted = await ensure_async(
            handler.authorizer.is_authorized(handler, handler.current_user, action, resource)
        )
        if not granted:
            raise HTTPError(403, f"not authorized to {action} {resource}")


def requires(action: str) -> Callable[[Method], Method]:
    """Authenticate and authorize a REST method before it runs."""

    def decorate(method: Method) -> Method:
        @wraps(method)
        async def authorized(self: JupyterHandler, *args: Any, **kwargs: Any) -> Any:
            await authorize(self, action)
            return await method(self, *args, **kwargs)

        # Jupyter looks for tornado's own decorator to see that a method is guarded.
        return authenticated(authorized)  # type: ignore[return-value]

    return decorate


# ── whether it is the person


async def may_decide(handler: JupyterHandler) -> bool:
    """Whether this is a person's browser: signed in by cookie, on a page of this very server.

    Code in the kernel can read the server's token from its runtime files; a token alone must not
    be enough to approve a run.
    """
    return _own_page(handler) and await _by_cookie(handler)


def _own_page(handler: JupyterHandler) -> bool:
    """Whether the request comes from our own page, or one the administrator named as such."""
    origin = (handler.get_origin() or "").lower()
    try:
        site = urlsplit(origin).netloc
    except ValueError:
        return False
    if not site:
        return False
    if site == handler.request.headers.get("Host", "").lower():
        return True
    if handler.allow_origin:
        # "*" names nobody.
        return handler.allow_origin == origin
    pattern = handler.allow_origin_pat
    return bool(pattern and origin_matches_pat(pattern, origin))


async def _by_cookie(handler: JupyterHandler) -> bool:
    provider = handler.identity_provider
    if type(provider) not in _NAMELESS and not await _has_token(handler):
        # A sign-in of its own, such as a hub's: without a token only its cookie can have done it.
        return True
    known = await ensure_async(provider.get_user_cookie(handler))
    return known is not None and known.username == handler.current_user.username


async def _has_token(handler: JupyterHandler) -> bool:
    provider = handler.identity_provider
    if provider.is_token_authenticated(handler):
        return True
    return bool(await ensure_async(provider.get_token(handler)))


# ── what the log is told


def without_query(handler: JupyterHandler) -> str:
    """A request in the log: its query may hold the server's token."""
    request = handler.request
    return f"{request.method} {request.path} ({request.remote_ip})"
