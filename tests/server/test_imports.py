"""Loading the extension is cheap: what is heavy comes when it is asked for."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

LOAD = """
import json, sys, time
before = set(sys.modules)
from jupyter_server.serverapp import ServerApp

app = ServerApp(allow_root=True, open_browser=False, port=0)
extensions = json.loads(sys.argv[1])
app.initialize([f"--ServerApp.jpserver_extensions={extensions}"], new_httpserver=False)
loaded = app.extension_manager.extensions
assert all(loaded[name].enabled for name in extensions), loaded
print(json.dumps(sorted(sys.modules)))
"""

HEAVY = (
    "pydantic",
    "litellm",
    "openai",
    "tiktoken",
    "IPython",
    "ipykernel",
    "cave_lab.protocol",
    "cave_lab.state",
    "cave_lab.journal",
    "cave_lab.kernel",
    "cave_lab.model",
    "cave_lab.approval",
    "cave_lab.thread",
    "cave_lab.server.domain",
    "cave_lab.server.connection",
)


def modules_of(folder: Path, *extensions: str) -> set[str]:
    """What a server has imported when it has linked and loaded these extensions."""
    folders = {f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    answer = subprocess.run(
        [sys.executable, "-c", LOAD, json.dumps(dict.fromkeys(extensions, True))],
        cwd=folder,
        env={**os.environ, **folders, "JUPYTER_NO_CONFIG": "1"},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    return set(json.loads(answer.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is imported only because CaveLab is loaded."""
    folder = tmp_path_factory.mktemp("servers")
    return modules_of(folder, "cave_lab") - modules_of(folder)


def test_loading_imports_the_edge_and_nothing_that_is_heavy(ours: set[str]) -> None:
    assert "cave_lab.server.extension" in ours
    assert "cave_lab.server.websocket" in ours
    heavy = {name for name in ours for prefix in HEAVY if f"{name}.".startswith(f"{prefix}.")}
    assert heavy == set()


def test_loading_imports_no_library_that_a_server_without_us_does_not_have(
    ours: set[str],
) -> None:
    assert {name.split(".")[0] for name in ours} == {"cave_lab"}


def test_the_heavy_ones_do_come_when_the_rooms_are_opened() -> None:
    """Else the two tests above would look for what is not there at all."""
    script = "import sys, json, cave_lab.server.domain as d; print(json.dumps(sorted(sys.modules)))"
    answer: Any = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    loaded = set(json.loads(answer.stdout))
    assert {"pydantic", "cave_lab.thread.service", "cave_lab.protocol.events"} <= loaded
    assert not {"litellm", "IPython"} & loaded
