"""Case 5: a cookie alone changes nothing; the page must know its XSRF token."""

from pathlib import Path

import pytest

from tests.security.trying import ROUTES, written
from tests.talk import Lab

CHANGING = [(path, method) for path, method in ROUTES if method != "GET"]


@pytest.mark.parametrize(("path", "method"), CHANGING)
@pytest.mark.parametrize("xsrf", ["", "2|00000000|0123456789abcdef0123456789abcdef|1700000000"])
async def test_a_cookie_without_its_xsrf_token_is_refused_and_changes_nothing(
    lab: Lab, tmp_path: Path, path: str, method: str, xsrf: str
) -> None:
    await lab.connect()
    before = written(tmp_path / "journal")
    headers = lab.headers(**{"X-XSRFToken": xsrf})
    answer = await lab.fetch(path, method=method, body=ROUTES[path, method], headers=headers)
    assert answer.code == 403
    assert written(tmp_path / "journal") == before
    assert list((tmp_path / "root_dir").iterdir()) == []


async def test_with_its_xsrf_token_the_same_request_is_taken(lab: Lab) -> None:
    body = {"model": "openai/other"}
    answer = await lab.fetch("cave-lab/settings", method="PUT", body=body)
    assert answer.code == 200
