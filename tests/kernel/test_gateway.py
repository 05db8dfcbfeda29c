"""Kernels behind a gateway: a second, real Jupyter server is one."""

import asyncio
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

from cave_lab.kernel.channels import Reader
from cave_lab.kernel.gateway import GatewayChannels
from cave_lab.kernel.message import Channel, Header, Message
from cave_lab.limits import DEFAULT_LIMITS
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


def connections(url: str, kernel_id: str) -> int:
    """How many the gateway itself counts on a kernel."""
    with urlopen(Request(f"{url}/api/kernels/{kernel_id}?token={TOKEN}")) as response:
        return int(json.load(response)["connections"])


class Answered(Reader):
    """Notes which of its requests were answered."""

    def __init__(self) -> None:
        self.replies: set[str | None] = set()

    def wants(self, header: Header) -> bool:
        return False

    def take(self, channel: Channel, message: Message) -> None:
        self.replies.add(message.header.parent_id)


def answers(url: str) -> bool:
    try:
        with urlopen(Request(f"{url}/api/kernels?token={TOKEN}")) as response:
            return isinstance(json.load(response), list)
    except OSError:
        return False


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[tuple[str, subprocess.Popen]]:
    """A Jupyter server that runs kernels for another one: its URL, and its process."""
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
        yield url, process
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture
def gateway(running: tuple[str, subprocess.Popen]) -> str:
    """The URL of the gateway."""
    return running[0]


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


async def test_more_kernels_behind_a_gateway_than_there_are_threads_leave_the_server_its_threads(
    server, gateway, group
):
    kernel_id = (await server.open())["kernel"]["id"]
    reader = Answered()
    channels = [GatewayChannels(kernel_id, DEFAULT_LIMITS) for _ in range(40)]
    serving = [group.create_task(one.serve(reader)) for one in channels]
    asked = {one.send("control", "kernel_info_request", {}) for one in channels}
    await until(lambda: asked <= reader.replies, "the answers to all")
    # Names are looked up and the journal is read in the same threads.
    async with asyncio.timeout(10):
        await asyncio.gather(*(asyncio.to_thread(int) for _ in range(40)))
    for task in serving:
        task.cancel()
    await asyncio.wait(serving)
    for one in channels:
        one.close()
    await until(
        lambda: asyncio.to_thread(lambda: connections(gateway, kernel_id) == 0), "the hanging up"
    )


async def test_a_connection_given_up_while_it_opens_is_closed_when_it_is_open(
    server, gateway, group
):
    kernel_id = (await server.open())["kernel"]["id"]
    one = GatewayChannels(kernel_id, DEFAULT_LIMITS)
    serving = group.create_task(one.serve(Answered()))
    await until(lambda: one._connected is not None, "the beginning of the connection")
    serving.cancel()
    await asyncio.wait({serving})
    one.close()
    connected = one._connected
    assert connected is not None
    assert await (await connected).read_message() is None
    await until(
        lambda: asyncio.to_thread(lambda: connections(gateway, kernel_id) == 0), "the hanging up"
    )


async def test_a_gateway_that_goes_away_ends_the_reading(server, running):
    kernel_id = (await server.open())["kernel"]["id"]
    one, reader = GatewayChannels(kernel_id, DEFAULT_LIMITS), Answered()
    asked = one.send("control", "kernel_info_request", {})
    serving = asyncio.ensure_future(one.serve(reader))
    await until(lambda: asked in reader.replies, "the answer")
    await server.kernels.shutdown_kernel(kernel_id)
    running[1].terminate()
    with pytest.raises(ExceptionGroup) as raised:
        await asyncio.wait_for(serving, 20)
    assert raised.group_contains(ConnectionError)
    one.close()
