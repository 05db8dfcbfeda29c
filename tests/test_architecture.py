import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import architecture as py
from tests import architecture_ts as ts

ROOT = Path(__file__).parents[1]
SRC = ROOT / "labextension" / "src"


def tree(folder: Path, files: dict[str, str]) -> Path:
    """Write a small tree."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return folder


@pytest.mark.parametrize(
    "check",
    [py.floors, py.circles, py.libraries, py.tour, py.sizes],
    ids=lambda check: check.__name__,
)
def test_the_python_tree_keeps_to_the_drawing(check: Callable[[Path], list[str]]):
    assert len(py.modules(ROOT)) > 10, "the package is not where it is looked for"
    assert check(ROOT) == []


@pytest.mark.parametrize(
    "check",
    [ts.jupyterlab_free, ts.one_socket, ts.one_notebook, ts.floors, ts.circles, ts.sizes],
    ids=lambda check: check.__name__,
)
def test_the_typescript_tree_keeps_to_the_drawing(check: Callable[[Path], list[str]]):
    assert any(source.name == "index.ts" for source in ts.sources(SRC))
    assert check(SRC) == []


def test_every_folder_of_tests_is_a_package():
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_loading_the_extension_imports_no_litellm(tmp_path: Path):
    script = """
import sys
from jupyter_server.serverapp import ServerApp

app = ServerApp(allow_root=True, open_browser=False, port=0)
app.initialize(["--ServerApp.jpserver_extensions={'cave_lab': True}"], new_httpserver=False)
assert app.extension_manager.extensions["cave_lab"].enabled
assert "cave_lab.server.extension" in sys.modules
print(*sorted({name.split(".")[0] for name in sys.modules} & {"litellm", "openai", "tiktoken"}))
"""
    folders = {
        f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")
    }
    answer = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, **folders, "JUPYTER_NO_CONFIG": "1"},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.split() == []


class TestTheChecksBite:
    """Each on a small tree that is wrong in one way."""

    def test_an_import_up(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "cave_lab/state/fold.py": "from cave_lab.server import websocket",
                "cave_lab/server/websocket.py": "pass",
            },
        )
        assert py.floors(tmp_path) == [
            "cave_lab.state.fold imports cave_lab.server.websocket, which is not below it"
        ]

    def test_an_import_sideways_even_inside_a_function_and_relative(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "cave_lab/kernel/link.py": "def f():\n    from ..journal.store import Store",
                "cave_lab/journal/store.py": "Store = 1",
            },
        )
        assert py.floors(tmp_path) == [
            "cave_lab.kernel.link imports cave_lab.journal.store, which is not below it"
        ]

    def test_a_room_that_nobody_drew(self, tmp_path: Path):
        tree(tmp_path, {"cave_lab/helpers.py": "pass"})
        assert py.floors(tmp_path) == ["cave_lab.helpers stands on no floor"]

    def test_the_package_itself_may_point_at_the_server_and_lend_its_version(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "cave_lab/__init__.py": "def f():\n    from cave_lab.server import extension",
                "cave_lab/server/extension.py": "from cave_lab import __version__",
            },
        )
        assert py.floors(tmp_path) == py.circles(tmp_path) == []

    def test_a_circle(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "cave_lab/kernel/a.py": "import cave_lab.kernel.b",
                "cave_lab/kernel/b.py": "from cave_lab.kernel import a",
            },
        )
        [finding] = py.circles(tmp_path)
        assert finding.startswith("a circle: cave_lab.kernel.")

    @pytest.mark.parametrize(
        "room, statement, expected",
        [
            ("thread", "import tornado.web", "which belongs to cave_lab.server"),
            ("kernel", "import jupyter_server.auth", "which belongs to cave_lab.server"),
            (
                "server",
                "from jupyter_server.services.kernels import kernelmanager",
                "which belongs to cave_lab.kernel",
            ),
            ("model", "import litellm", "which belongs to cave_lab.model.litellm"),
            ("thread", "def f():\n    import sqlite3", "which belongs to cave_lab.journal"),
            ("journal", "import sqlalchemy", "which has no room"),
        ],
    )
    def test_a_library_in_another_room(self, tmp_path: Path, room, statement, expected):
        tree(tmp_path, {f"cave_lab/{room}/x.py": statement})
        [finding] = py.libraries(tmp_path)
        assert finding.endswith(expected)

    def test_a_library_in_its_own_room_is_welcome(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "cave_lab/model/litellm.py": "import litellm",
                "cave_lab/kernel/x.py": "from jupyter_server.services.kernels import kernelmanager",
                "cave_lab/state/x.py": "import json, pydantic",
            },
        )
        assert py.libraries(tmp_path) == []

    def test_a_tour_that_knows_more_than_the_port(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "cave_lab/model/tour/story.py": "from cave_lab.model import port, litellm",
                "cave_lab/model/port.py": "pass",
                "cave_lab/model/litellm.py": "pass",
            },
        )
        assert py.tour(tmp_path) == [
            "cave_lab.model.tour.story imports cave_lab.model.litellm; the tour has the port only"
        ]

    def test_a_long_file_and_a_long_function(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "cave_lab/limits.py": "async def f():\n" + "    x = 1\n" * 60,
                "cave_lab/errors.py": "x = 1\n" * 400,
            },
        )
        assert py.sizes(tmp_path) == [
            "cave_lab.errors has 401 lines, more than 400",
            "cave_lab.limits.f has 61 lines, more than 60",
        ]

    def test_a_reducer_that_knows_jupyterlab(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "state/reducer.ts": "import {\n  Cell\n} from '@jupyterlab/cells';",
                "notebook/reconcile.ts": "import type { X } from '@jupyterlab/notebook';",
                "notebook/writer.ts": "import { X } from '@jupyterlab/notebook';",
            },
        )
        assert ts.jupyterlab_free(tmp_path) == [
            "notebook/reconcile.ts imports @jupyterlab/notebook; it must be pure",
            "state/reducer.ts imports @jupyterlab/cells; it must be pure",
        ]

    def test_a_second_socket_but_not_one_in_a_comment(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "api.ts": "const s = new WebSocket(url);",
                "connection.ts": "new WebSocket(url);",
                "state/x.ts": "// a WebSocket\n/* WebSocket */ new Map();",
            },
        )
        assert ts.one_socket(tmp_path) == ["api.ts uses WebSocket; only connection.ts does"]

    def test_a_component_that_knows_the_notebook(self, tmp_path: Path):
        tree(tmp_path, {"components/card.ts": "export { X } from '@jupyterlab/notebook';"})
        assert ts.one_notebook(tmp_path) == [
            "components/card.ts imports @jupyterlab/notebook; only notebook/ does"
        ]

    def test_a_state_that_imports_up(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "state/deep/x.ts": "import { Card } from '../../components/card';",
                "state/y.ts": "import type { E } from '../protocol/generated';",
            },
        )
        assert ts.floors(tmp_path) == [
            "state/deep/x.ts imports components/card, which is not below it"
        ]

    def test_a_circle_in_typescript(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                "render/index.ts": "export { a } from './a';",
                "render/a.ts": "import { b } from '../render';",
            },
        )
        [finding] = ts.circles(tmp_path)
        assert finding.startswith("a circle: render/")

    def test_a_long_typescript_file_unless_it_is_generated(self, tmp_path: Path):
        long = "import x from 'x';\n" * 400
        tree(tmp_path, {"api.ts": long, "protocol/generated.ts": long})
        assert ts.sizes(tmp_path) == ["api.ts has 401 lines, more than 400"]
