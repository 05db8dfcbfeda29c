"""Real kernels for tests: the tests' own interpreter, and an old ipykernel where one can be had."""

import fcntl
import functools
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

OLD_PACKAGES = ("ipykernel==6.29.5", "numpy==1.24.4", "pandas==2.0.3")
"""The last numpy and pandas that Python 3.8 has; 3.9 has them too."""
OLD_PYTHONS = ("3.9", "3.8")
PIP_SECONDS = 300
"""A slow line; half of what the first test with the old kernel may take."""

KERNELS = ("present", "old")
"""The names of the kernels that tests run on."""


@dataclass(frozen=True)
class KernelPython:
    """An interpreter with ipykernel; `name` is what the test's parameter is called."""

    name: str
    path: str


PRESENT = KernelPython("present", sys.executable)


class NoOldKernel(Exception):
    """An environment with the old kernel can't be made here; says why."""


def _runs(python: str) -> bool:
    """Whether it starts and can make an environment; a version manager's stand-in may not."""
    check = "import venv, ensurepip"
    return subprocess.run([python, "-c", check], capture_output=True).returncode == 0


def _candidates() -> Iterator[str]:
    for version in OLD_PYTHONS:
        yield from map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        if on_path := shutil.which(f"python{version}"):
            yield on_path


def _old_python() -> str:
    found = next(filter(_runs, _candidates()), None)
    if found is None:
        raise NoOldKernel(f"there is no Python {' or '.join(OLD_PYTHONS)}")
    return found


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other test processes from building at the same time."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(python: str, folder: Path) -> None:
    """Make the environment in its place; `complete` is written last."""
    shutil.rmtree(folder, ignore_errors=True)
    pip = [str(folder / "bin/python"), "-m", "pip", "install", "-q", "--retries", "1"]
    try:
        for command in ([python, "-m", "venv", str(folder)], [*pip, *OLD_PACKAGES]):
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=PIP_SECONDS)
    except subprocess.CalledProcessError as failure:
        said = (failure.stderr or failure.stdout).strip().splitlines()[-1:]
        raise NoOldKernel(f"its packages can't be installed: {' '.join(said)}") from failure
    except subprocess.TimeoutExpired as failure:
        raise NoOldKernel(f"its packages were not there in {PIP_SECONDS} s") from failure
    (folder / "complete").touch()


@functools.cache
def old_kernel() -> KernelPython | NoOldKernel:
    """ipykernel 6.29 on Python 3.9 or 3.8, built once per machine; or why it can't be had."""
    try:
        python = _old_python()
        key = hashlib.sha256(repr((python, OLD_PACKAGES)).encode()).hexdigest()[:12]
        folder = Path(tempfile.gettempdir()) / f"cave-lab-kernels-{os.getuid()}" / key
        folder.parent.mkdir(mode=0o700, exist_ok=True)
        with _alone(folder.parent):
            if not (folder / "complete").exists():
                _build(python, folder)
    except NoOldKernel as reason:
        return reason
    return KernelPython("old", str(folder / "bin/python"))


def kernel_python(name: str) -> KernelPython:
    """The interpreter of a name; builds the old one on first use, or skips the test."""
    found = PRESENT if name == "present" else old_kernel()
    if isinstance(found, NoOldKernel):
        pytest.skip(f"No old kernel: {found}.")
    return found
