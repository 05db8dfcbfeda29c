"""Fixtures: a Jupyter server with CaveLab, a notebook's kernel, and a scripted model over HTTP."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_server.serverapp import ServerApp

from tests.fakes.model_server import ModelServer
from tests.talk import Lab, lab_of

KEY = "CAVE_LAB_TEST_API_KEY"
KEY_VALUE = "canary-key-0123456789"


@pytest.fixture
async def model() -> AsyncIterator[ModelServer]:
    """The fake provider; a test fails if a request found no answer in its script."""
    async with ModelServer() as server:
        yield server
    assert server.mismatches == []


def config_of(folder: Path, model: ModelServer, more: dict[str, Any]) -> dict[str, Any]:
    """CaveLab enabled, its journal in the test's own folder, the fake provider configured."""
    config: dict[str, dict[str, Any]] = {
        "ServerApp": {"jpserver_extensions": {"cave_lab": True}},
        "CaveLab": {
            "journal_dir": str(folder / "journal"),
            "model": "openai/scripted",
            "api_base": model.url,
            "key_env": KEY,
        },
    }
    for name, traits in more.items():
        config[name] = {**config.get(name, {}), **traits}
    return config


@pytest.fixture
def more_config() -> dict[str, Any]:
    """What a test sets besides, by class and trait; parametrize it."""
    return {}


@pytest.fixture
def jp_server_config(
    tmp_path: Path, model: ModelServer, more_config: dict[str, Any]
) -> dict[str, Any]:
    """The server's configuration."""
    os.environ[KEY] = KEY_VALUE
    return config_of(tmp_path, model, more_config)


@pytest.fixture
def jp_base_url() -> str:
    """A base URL as a hub gives."""
    return "/user/someone/"


@pytest.fixture
async def lab(
    jp_serverapp: ServerApp, http_server: Any, http_server_port: tuple[Any, int]
) -> AsyncIterator[Lab]:
    """The server with a signed-in browser."""
    async with lab_of(jp_serverapp, http_server_port[1]) as lab:
        yield lab


@pytest.fixture(autouse=True)
def no_key_is_left_behind() -> Iterator[None]:
    """Take the test's key out of the environment again."""
    yield
    os.environ.pop(KEY, None)
