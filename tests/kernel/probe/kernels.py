"""Real kernels for tests: the tests' own interpreter, and an old ipykernel where one can be had."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

OLD_PACKAGES = ("ipykernel==6.29.5", "numpy", "pandas")
OLD_PYTHONS = ("3.9", "3.8")


@dataclass(frozen=True)
class KernelPython:
    """An interpreter with ipykernel; `name` is what the test's parameter is called."""

    name: str
    path: str


PRESENT = KernelPython("present", sys.executable)


def _old_python() -> str | None:
    for version in OLD_PYTHONS:
        found = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        on_path = shutil.which(f"python{version}")
        if found or on_path:
            return str(found[-1]) if found else on_path
    return None


def _build(python: str, folder: Path) -> None:
    """Make the environment beside its place and move it there, so that two builders can't mix."""
    building = Path(tempfile.mkdtemp(prefix="building-", dir=folder.parent))
    subprocess.run([python, "-m", "venv", building], check=True)
    pip = [str(building / "bin/python"), "-m", "pip", "install", "-q", *OLD_PACKAGES]
    subprocess.run(pip, check=True, capture_output=True)
    (building / "complete").touch()
    try:
        building.rename(folder)
    except OSError:
        shutil.rmtree(building)
        if not (folder / "complete").exists():
            raise


def old_kernel() -> KernelPython | None:
    """ipykernel 6.29 on Python 3.9 or 3.8, built once per machine; None without such a Python."""
    python = _old_python()
    if python is None:
        return None
    key = hashlib.sha256(repr((python, OLD_PACKAGES)).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"cave-lab-kernels-{os.getuid()}" / key
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    if not (folder / "complete").exists():
        _build(python, folder)
    return KernelPython("old", str(folder / "bin/python"))


def kernel_names() -> list[str]:
    """The kernels that can be tested on here; an old one without a Python for it is absent."""
    return ["present"] if _old_python() is None else ["present", "old"]


def kernel_python(name: str) -> KernelPython:
    """The interpreter of a name; builds the old one on first use."""
    if name == "present":
        return PRESENT
    old = old_kernel()
    assert old is not None
    return old
