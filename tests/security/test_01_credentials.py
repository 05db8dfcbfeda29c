"""Case 1: without credentials nothing opens, whatever `allow_unauthenticated_access` says."""

from pathlib import Path

import pytest

from tests.security.trying import ROUTES, refused, rest_codes, rows
from tests.talk import Lab

BOTH = pytest.mark.parametrize(
    "more_config",
    [{"ServerApp": {"allow_unauthenticated_access": allowed}} for allowed in (True, False)],
    ids=["unauthenticated access allowed", "unauthenticated access forbidden"],
)

NOT_CREDENTIALS = {
    "nothing": {},
    "an origin": {"Origin": "http://{host}"},
    "a wrong token": {"Authorization": "token 0123456789abcdef"},
    "a made-up cookie": {"Cookie": 'username-localhost="2|1:0|10:1|1:x|4:YQ==|0"; _xsrf=1'},
}


@BOTH
@pytest.mark.parametrize("what", NOT_CREDENTIALS)
async def test_without_credentials_the_websocket_is_refused_before_the_upgrade(
    lab: Lab, what: str
) -> None:
    headers = {k: v.format(host=lab.host) for k, v in NOT_CREDENTIALS[what].items()}
    assert await refused(lab, headers) == 403
    assert await refused(lab, headers, query="?token=0123456789abcdef") == 403


@BOTH
async def test_without_credentials_every_route_is_refused_and_no_journal_is_opened(
    lab: Lab, tmp_path: Path
) -> None:
    assert await rest_codes(lab, {}) == [403] * len(ROUTES)
    assert not (tmp_path / "journal").exists()
    assert rows(tmp_path / "journal", "SELECT 1") == []


@BOTH
async def test_with_a_cookie_or_a_token_the_websocket_opens(lab: Lab) -> None:
    assert await refused(lab) is None
    assert await refused(lab, lab.token_headers) is None
    assert await refused(lab, {}, query=f"?token={lab.token}") is None
