"""Kernels behind a gateway: a second, real Jupyter server is one."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from jupyter_server.gateway.gateway_client import GatewayClient
from jupyter_server.gateway.managers import (
    GatewayKernelSpecManager,
    GatewayMappingKernelManager,
    GatewaySessionManager,
)

from cave_lab.protocol.content import NotebookRef, Target
from tests.kernel.cells import SLEEP
from tests.kernel.conftest import PATH, Server
from tests.kernel.recorder import Recorder, Watcher, run, start
from tests.waiting import until

TOKEN = "for-this-test-only"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(url: str) -> bool:
    try:
        with urlopen(Request(f"{url}/api/kernels?token={TOKEN}")) as response:
            return isinstance(json.load(response), list)
    except OSError:
        return False


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[str]:
    """The URL of a Jupyter server that runs kernels for another one."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    folders = {
        f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")
    }
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"),
            f"--ServerApp.port={port}",
            f"--IdentityProvider.token={TOKEN}",
            "--ServerApp.ip=127.0.0.1",
        ],
        cwd=tmp_path,
        env={**os.environ, **folders, "JUPYTER_NO_CONFIG": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        await until(lambda: answers(url), "the gateway", seconds=40)
        yield url
    finally:
        process.terminate()
        process.wait(20)


class GatewayServer(Server):
    """A server whose kernels all run elsewhere."""

    def __init__(self, root: Path, url: str) -> None:
        super().__init__(root)
        self.sessions.close()
        GatewayClient.clear_instance()
        GatewayClient.instance(url=url, auth_token=TOKEN, headers="{}")
        self.kernels = GatewayMappingKernelManager(
            root_dir=str(root), kernel_spec_manager=GatewayKernelSpecManager()
        )
        self.sessions = GatewaySessionManager(
            kernel_manager=self.kernels, contents_manager=self.contents
        )


@pytest.fixture
async def server(tmp_path: Path, gateway: str) -> AsyncIterator[Server]:
    server = GatewayServer(tmp_path, gateway)
    yield server
    await server.close()
    GatewayClient.clear_instance()


async def test_a_kernel_behind_a_gateway_runs_cells_with_the_probe(server, group):
    await server.open()
    link = (await server.room().bind(Target(notebook=NotebookRef(path=PATH)))).link
    watcher = Watcher()
    link.watch(watcher)
    recorder = Recorder()
    outcome = await run(link, "print('far away')\nx = 1", recorder)
    assert outcome.status == "ok"
    assert recorder.text == "far away\n"
    assert link.facts.guarded
    assert "x" in [variable.name for variable in (await link.variables()).variables]

    ours = await start(link, SLEEP, group).running()
    assert (await link.stop(ours.run_id)).outcome == "interrupted"
    assert (await ours.outcome()).interrupted_by == "stop"

    before = link.generation
    ours = await start(link, SLEEP, group).running()
    await link.restart()
    assert (await ours.outcome()).status in ("kernel_restarted", "kernel_died")
    assert link.generation != before
    assert len(watcher.losses) == 1
    assert (await run(link, "2")).status == "ok"
