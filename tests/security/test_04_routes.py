"""Case 4: each route and method that we add is guarded, and there is no other."""

import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import tornado.web
from jupyter_server.auth.authorizer import Authorizer
from jupyter_server.serverapp import ServerApp

from cave_lab.server.routes import routes
from tests.security.trying import ROUTES, refused
from tests.talk import Lab


class Recorder(Authorizer):
    """Denies all, and remembers what it was asked."""

    asked: list[tuple[str, str]] = []  # noqa: RUF012 one per test

    def is_authorized(self, handler: Any, user: Any, action: str, resource: str) -> bool:
        self.asked.append((action, resource))
        return False


def all_rules(router: Any) -> Iterator[tuple[str, Any]]:
    """Every pattern and handler of a router, and of the routers below it."""
    for rule in router.rules:
        if hasattr(rule.target, "rules"):
            yield from all_rules(rule.target)
        elif hasattr(rule.matcher, "regex"):
            yield rule.matcher.regex.pattern.rstrip("$"), rule.target


def our_methods(app: ServerApp) -> set[tuple[str, str]]:
    """Every pattern and method of ours that the server really answers."""
    return {
        (pattern, method)
        for pattern, handler in all_rules(app.web_app.default_router)
        if "cave" in pattern or handler.__module__.startswith("cave_lab")
        for method in handler.SUPPORTED_METHODS
        if getattr(handler, method.lower()) != tornado.web.RequestHandler._unimplemented_method
    }


async def test_these_are_all_our_routes_and_methods(lab: Lab) -> None:
    served = {(pattern, m) for pattern, m in our_methods(lab.app) if m != "OPTIONS"}
    declared = {path for path, *_ in routes(None)}  # type: ignore[arg-type]
    base = lab.base_url.rstrip("/")
    assert {pattern for pattern, _ in served} == {base + path for path in declared}
    expected = [*ROUTES, ("cave-lab/channel", "GET")]
    for path, method in expected:
        fits = {p for p, m in served if m == method and re.fullmatch(p, f"{base}/{path}")}
        assert len(fits) == 1, (path, method)
    assert len(served) == len(expected)


async def test_each_method_carries_the_mark_that_jupyter_looks_for(lab: Lab) -> None:
    for path, handler, _ in routes(None):  # type: ignore[arg-type]
        assert lab.app.web_app._check_handler_auth(path, handler) == []


async def test_options_is_jupyters_own_and_says_nothing_of_ours(lab: Lab) -> None:
    for path, _ in ROUTES:
        answer = await lab.fetch(path, method="OPTIONS", headers={})
        assert answer.body == b""
        assert answer.headers.get("Access-Control-Allow-Origin") is None


@pytest.mark.parametrize(
    "more_config", [{"ServerApp": {"authorizer_class": Recorder}}], ids=["recording authorizer"]
)
async def test_each_method_asks_the_authorizer(lab: Lab) -> None:
    for (path, method), body in ROUTES.items():
        Recorder.asked.clear()
        answer = await lab.fetch(path, method=method, body=body)
        action = "read" if method == "GET" else "execute"
        assert (answer.code, Recorder.asked) == (403, [(action, "kernels")])
    Recorder.asked.clear()
    assert await refused(lab) == 403
    assert Recorder.asked == [("execute", "kernels")]


@pytest.mark.parametrize(
    "more_config",
    [{"ServerApp": {"allow_unauthenticated_access": False}}],
    ids=["unauthenticated access forbidden"],
)
def test_a_server_that_forbids_unauthenticated_access_starts_without_a_warning(
    jp_configurable_serverapp: Callable[..., ServerApp], jp_server_config: dict[str, Any]
) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        app = jp_configurable_serverapp(config=jp_server_config)
    assert app.extension_manager.extensions["cave_lab"].enabled
    assert [str(warning.message) for warning in told if "cave" in str(warning.message)] == []
