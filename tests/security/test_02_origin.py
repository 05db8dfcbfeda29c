"""Case 2: a page of another site, with the person's own cookie, reaches nothing."""

import pytest

from tests.security.trying import ROUTES, refused, rest_codes
from tests.talk import Lab

FOREIGN = ["http://evil.example", "https://evil.example:8888", "null", "http://localhost.evil:80"]


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_cookie_with_the_origin_of_another_site_is_refused(lab: Lab, origin: str) -> None:
    assert await refused(lab, lab.headers(Origin=origin)) == 403
    # Jupyter answers its API so.
    assert await rest_codes(lab, lab.headers(Origin=origin)) == [404] * len(ROUTES)


async def test_a_cookie_with_the_host_of_another_site_is_refused(lab: Lab) -> None:
    headers = lab.headers(Host="evil.example", Origin="http://evil.example")
    assert await refused(lab, headers) == 403
    assert await rest_codes(lab, headers) == [403] * len(ROUTES)


@pytest.mark.parametrize(
    "more_config", [{"ServerApp": {"allow_remote_access": True}}], ids=["remote access"]
)
async def test_a_page_of_another_name_for_this_server_has_no_cookie_and_is_refused(
    lab: Lab,
) -> None:
    headers = lab.headers(Host="evil.example", Origin="http://evil.example")
    assert await refused(lab, headers) == 403


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_token_opens_for_another_site_as_jupyter_wants_it_but_decides_nothing(
    lab: Lab, origin: str
) -> None:
    talk = await lab.connect(lab.headers(Origin=origin), query=f"?token={lab.token}")
    assert talk.hello["may_approve"] is False


@pytest.mark.parametrize(
    ("more_config", "may"),
    [
        ({"ServerApp": {"allow_origin": "*"}}, False),
        ({"ServerApp": {"allow_origin": "http://lab.example"}}, True),
        ({"ServerApp": {"allow_origin_pat": r"http://(.*\.)?lab\.example$"}}, True),
    ],
    ids=["any origin", "one origin", "a pattern"],
)
async def test_another_origin_decides_only_if_the_administrator_named_it(
    lab: Lab, may: bool
) -> None:
    talk = await lab.connect(lab.headers(Origin="http://lab.example"))
    assert talk.hello["may_approve"] is may


async def test_jupyterlab_itself_with_token_cookie_and_own_origin_may_approve(lab: Lab) -> None:
    talk = await lab.connect(query=f"?token={lab.token}")
    assert talk.hello["may_approve"] is True
    bearer = await lab.connect(lab.headers(**lab.token_headers))
    assert bearer.hello["may_approve"] is True


async def test_a_cookie_without_an_origin_is_no_page_and_may_not_approve(lab: Lab) -> None:
    talk = await lab.connect({"Cookie": lab.cookie})
    assert talk.hello["may_approve"] is False


async def test_a_token_with_our_own_origin_but_no_cookie_may_not_approve(lab: Lab) -> None:
    headers = {"Origin": f"http://{lab.host}", **lab.token_headers}
    talk = await lab.connect(headers)
    assert talk.hello["may_approve"] is False
