"""Case 3: an authorizer decides, and reading is no right to run."""

import json
from typing import Any

import pytest
from jupyter_server.auth.authorizer import Authorizer

from tests.security.trying import refused
from tests.talk import Lab


class Grants(Authorizer):
    """Grants what its class lists, as (action, resource)."""

    granted: frozenset[tuple[str, str]] = frozenset()

    def is_authorized(self, handler: Any, user: Any, action: str, resource: str) -> bool:
        return (action, resource) in self.granted


def grants(*granted: tuple[str, str]) -> dict[str, Any]:
    """A configuration whose authorizer grants just this."""
    kind = type("OnlyThese", (Grants,), {"granted": frozenset(granted)})
    return {"ServerApp": {"authorizer_class": kind}}


READ = (("read", "kernels"), ("read", "cave_lab:threads"))
EXECUTE = (("execute", "kernels"), ("execute", "cave_lab:threads"))


async def code(lab: Lab, path: str, method: str = "GET", body: Any = None) -> int:
    return (await lab.fetch(path, method=method, body=body)).code


@pytest.mark.parametrize("more_config", [grants(*READ)], ids=["read only"])
async def test_who_may_only_read_gets_no_websocket_and_changes_nothing_but_reads(lab: Lab) -> None:
    assert await refused(lab) == 403
    assert await code(lab, "cave-lab/status") == 200
    assert await code(lab, f"cave-lab/blobs/thread-1/{'0' * 64}") == 404
    assert await code(lab, "cave-lab/settings", "PUT", {"model": "openai/other"}) == 403
    assert await code(lab, "cave-lab/models/check", "POST", {"model": "openai/other"}) == 403
    assert await code(lab, "cave-lab/tour", "POST", {"directory": ""}) == 403
    status = json.loads((await lab.fetch("cave-lab/status")).body)
    assert status["model"]["model"] == "openai/scripted"


@pytest.mark.parametrize(
    "more_config",
    [grants(), grants(READ[0], EXECUTE[0]), grants(READ[1], EXECUTE[1])],
    ids=["nothing", "only kernels", "only threads"],
)
async def test_both_kernels_and_threads_must_be_granted(lab: Lab) -> None:
    assert await refused(lab) == 403
    assert await code(lab, "cave-lab/status") == 403
    assert await code(lab, f"cave-lab/blobs/thread-1/{'0' * 64}") == 403
    assert await code(lab, "cave-lab/tour", "POST", {"directory": ""}) == 403


@pytest.mark.parametrize("more_config", [grants(*EXECUTE)], ids=["execute, not write contents"])
async def test_the_tour_writes_no_notebook_for_one_who_may_not_write_files(lab: Lab) -> None:
    assert await code(lab, "cave-lab/tour", "POST", {"directory": ""}) == 403
    assert await refused(lab) is None


@pytest.mark.parametrize("more_config", [grants(*READ)], ids=["read only"])
async def test_a_refusal_says_so_in_json_and_holds_no_traceback(lab: Lab) -> None:
    answer = await lab.fetch("cave-lab/tour", method="POST", body={"directory": ""})
    assert json.loads(answer.body)["code"] == "http_403"
    assert b"Traceback" not in answer.body
