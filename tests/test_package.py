import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import cave_lab

ROOT = Path(__file__).parents[1]
LAB_SCHEMAS = Path(sys.prefix) / "share" / "jupyter" / "lab" / "schemas"
OUR_SCHEMA = ROOT / "labextension" / "schema" / "plugin.json"


def bindings(schema: dict[str, Any]) -> set[tuple[str, ...]]:
    """Each binding on each platform, with Accel as the key that it is there."""
    found = set()
    for shortcut in schema.get("jupyter.lab.shortcuts", []):
        for kind, accel in {
            "keys": "",
            "linuxKeys": "Ctrl",
            "winKeys": "Ctrl",
            "macKeys": "Cmd",
        }.items():
            for key in {"Ctrl", "Cmd"} if accel == "" else {accel}:
                if keys := shortcut.get(kind):
                    chords = (" ".join(sorted(c.replace("Accel", key).split())) for c in keys)
                    found.add(tuple(chords))
    return found


def run_jupyter(*arguments: str) -> str:
    answer = subprocess.run(
        [sys.executable, "-m", "jupyter", *arguments], capture_output=True, text=True, check=True
    )
    return re.sub(r"\x1b\[[0-9;]*m", "", answer.stdout + answer.stderr)


def test_python_and_front_end_have_one_version():
    package = json.loads((ROOT / "package.json").read_text())
    assert cave_lab.__version__ == version("cave-lab") == package["version"]


def test_jupyterlab_lists_the_front_end_as_enabled():
    assert re.search(r"cave-lab v\S+ enabled OK", run_jupyter("labextension", "list"))


def test_jupyter_server_lists_the_server_side_as_enabled():
    listed = run_jupyter("server", "extension", "list")
    assert re.search(r"cave_lab enabled\s+- Validating cave_lab\.\.\.\s+cave_lab \S+ OK", listed)


def test_our_shortcuts_are_taken_by_nothing_in_jupyterlab():
    schemas = list(LAB_SCHEMAS.rglob("*.json"))
    taken = set().union(*(bindings(json.loads(path.read_text())) for path in schemas))
    assert ("Ctrl S",) in taken, "JupyterLab's own shortcuts are not where they are looked for"
    schema = json.loads(OUR_SCHEMA.read_text())
    everywhere = [s for s in schema["jupyter.lab.shortcuts"] if s["selector"] == "body"]
    inside = [s for s in schema["jupyter.lab.shortcuts"] if s not in everywhere]
    assert everywhere
    assert bindings({"jupyter.lab.shortcuts": everywhere}) & taken == set()
    # Inside the panel a key may mean what it means in a notebook: no other widget has the focus.
    assert all(shortcut["selector"].startswith(".jp-CaveLab") for shortcut in inside)


def test_the_extension_point_names_the_application():
    [point] = cave_lab._jupyter_server_extension_points()
    assert point["app"].name == point["module"] == "cave_lab"
