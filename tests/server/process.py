"""A Jupyter server with CaveLab in a process of its own, to be stopped, killed and restarted."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.talk import Browser, Frame
from tests.waiting import until

BASE_URL = "/lab-user/"
OTHERS = dict.fromkeys(
    ("jupyterlab", "jupyter_lsp", "jupyter_server_terminals", "notebook_shim"), False
)
"""Extensions that the environment may have enabled; without them it starts sooner."""
TOKEN = "canary-token-0123456789"


class ServedBrowser(Browser):
    """A signed-in browser of such a server."""

    async def notebook(self, path: str = "analysis.ipynb") -> Frame:
        """Make a notebook with a running kernel, as JupyterLab does; returns its target."""
        content = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        body = {"type": "notebook", "format": "json", "content": content}
        await self.fetch(f"api/contents/{path}", method="PUT", body=body)
        answer = await self.fetch(
            "api/sessions",
            method="POST",
            body={"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}},
        )
        session = json.loads(answer.body)
        return {
            "notebook": {"path": path},
            "session_id": session["id"],
            "kernel_id": session["kernel"]["id"],
            "language": "python",
        }


class Served:
    """The server's folders, and its process while it runs."""

    def __init__(
        self,
        folder: Path,
        *,
        cave_lab: Mapping[str, Any] | None = None,
        server: Mapping[str, Any] | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.root = folder / "notebooks"
        self.log_file = folder / "server.log"
        self.config_file = folder / "config" / "jupyter_server_config.json"
        self._environ = environ or {}
        self._browsers: list[ServedBrowser] = []
        for name in ("notebooks", "config", "data", "runtime", "ipython"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.configure(cave_lab or {}, server or {})

    def configure(self, cave_lab: Mapping[str, Any], server: Mapping[str, Any] = {}) -> None:
        """Write the configuration of the next start; without a model its library is not loaded."""
        options = {
            "allow_root": True,
            "open_browser": False,
            "base_url": BASE_URL,
            "root_dir": str(self.root),
            "jpserver_extensions": {"cave_lab": True, **OTHERS},
            **server,
        }
        config = {
            "ServerApp": options,
            "IdentityProvider": {"token": TOKEN},
            "CaveLab": {"journal_dir": str(self.folder / "journal"), **cave_lab},
        }
        self.config_file.write_text(json.dumps(config))

    async def start(self) -> None:
        """Start it, and return when it answers."""
        self.port = _free_port()
        with self.log_file.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "jupyter_server", f"--port={self.port}"),
                *("--ServerApp.port_retries=0", "--ip=127.0.0.1"),
                cwd=self.root,
                env=self._variables(),
                stdout=log,
                stderr=log,
            )
        await until(self._answers, "the server's answer", seconds=60)

    def _variables(self) -> dict[str, str]:
        folders = {
            f"JUPYTER_{name.upper()}_DIR": str(self.folder / name)
            for name in ("config", "data", "runtime")
        }
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "JPY"))}
        ipython = {"IPYTHONDIR": str(self.folder / "ipython")}
        return {**inherited, **folders, **ipython, **self._environ}

    async def _answers(self) -> bool:
        assert self.process.returncode is None, self.log
        try:
            answer = await self.browser_of_nobody().fetch("api", headers={})
        except OSError:
            return False
        return answer.code == 200

    @property
    def log(self) -> str:
        """All it has logged."""
        return self.log_file.read_text(errors="replace")

    @property
    def cpu_seconds(self) -> float:
        """Processor time that it has used; unlike the clock's it does not count others' work."""
        used = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def most_memory(self) -> int:
        """The most memory that it ever held, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        [line] = [line for line in status if line.startswith("VmHWM")]
        return int(line.split()[1]) * 1_024

    def browser_of_nobody(self) -> ServedBrowser:
        """A browser that has not signed in."""
        browser = ServedBrowser(f"127.0.0.1:{self.port}", BASE_URL, TOKEN)
        self._browsers.append(browser)
        return browser

    async def browser(self) -> ServedBrowser:
        """A browser that has signed in."""
        browser = self.browser_of_nobody()
        await browser.sign_in()
        return browser

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it; returns its exit code."""
        if self.process.returncode is None:
            self.process.send_signal(how)
        code = await asyncio.wait_for(self.process.wait(), 60)
        for browser in self._browsers:
            await browser.close()
        self._browsers.clear()
        return code


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
