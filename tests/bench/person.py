"""The person of a bench: a second client on the kernel of a server in another process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient

from tests.server.process import Served


@asynccontextmanager
async def client_of(served: Served, kernel_id: str) -> AsyncIterator[AsyncKernelClient]:
    """A raw client on a kernel of the server."""
    client = AsyncKernelClient()
    client.load_connection_file(str(served.folder / "runtime" / f"kernel-{kernel_id}.json"))
    client.start_channels()
    try:
        await client.wait_for_ready(timeout=60)
        yield client
    finally:
        client.stop_channels()


async def run_cell(client: AsyncKernelClient, code: str) -> dict[str, Any]:
    """Run a cell of the person's to its reply."""
    message_id = client.execute(code)
    while True:
        reply = await client.get_shell_msg(timeout=120)
        if reply["parent_header"].get("msg_id") == message_id:
            content: dict[str, Any] = reply["content"]
            return content
