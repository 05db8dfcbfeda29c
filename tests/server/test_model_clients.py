"""The connections to model servers: kept while the server runs, closed when it stops."""

import gc
from typing import Any

import aiohttp
import httpx

from cave_lab.model.script import Cell, Say
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import asked, begun, told
from tests.server.test_extension import extension_of
from tests.server.test_settings import put
from tests.talk import Lab
from tests.waiting import until

Client = httpx.AsyncClient | aiohttp.ClientSession


def open_clients() -> list[Client]:
    """All clients of this process that could hold a connection."""
    return [
        one
        for one in gc.get_objects()
        if (type(one) is aiohttp.ClientSession and not one.closed)
        or (isinstance(one, httpx.AsyncClient) and not one.is_closed)
    ]


async def test_the_connections_to_a_model_are_closed_when_the_server_stops(lab: Lab) -> None:
    before = open_clients()
    async with ModelServer(keep_alive=True) as model:
        chosen: dict[str, Any] = {"model": "openai/kept", "api_base": model.url, "key_env": None}
        assert (await put(lab, **chosen))[0] == 200
        person = await begun(
            lab, model, asked("count", Cell("1 + 1")), told("2", Say("Two.")), mode="auto"
        )
        await person.say("count")
        assert await person.ended() == "end_turn"
        assert len(model.requests) == 2
        await until(lambda: model.connections == 1, "one connection that is kept for the next call")
        await extension_of(lab).stop_extension()
        await until(lambda: model.connections == 0, "the connection closed")
    known = {id(one) for one in before}
    assert [one for one in open_clients() if id(one) not in known] == []
