"""Real kernels for tests: the tests' own interpreter, and an old ipykernel on an old Python.

The old ones are never skipped. ipykernel 6.29 is what matters most, and every Python can have it;
so where no old Python is at hand (a bare machine has but one), it runs on the tests' own.
"""

import fcntl
import functools
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

OLD_IPYKERNEL = "ipykernel==6.29.5"
OLD_PANDAS = ("numpy==1.24.4", "pandas==2.0.3")
"""The last ones that Python 3.8 has; up to 3.11 all have them."""
XEUS = "xeus-python==0.19.0"
"""A Python kernel that is not ipykernel; its package is built for each Python."""
OLD_PYTHONS = ("3.8", "3.9", "3.10")
PIP_SECONDS = 300
"""A slow line; half of what the first test with the old kernel may take."""

KERNELS = ("present", "old")
"""The names of the kernels that the probe's tests run on.

Besides there are `bare`, the old one without pandas, and `xeus`, a Python kernel without ipykernel.
"""

BUILT = frozenset({"old", "bare", "xeus"})
BUILD_SECONDS = 600
"""What a test may take that is the first to use a kernel that has to be built."""


@dataclass(frozen=True)
class KernelPython:
    """An interpreter with ipykernel; `name` is what the test's parameter is called."""

    name: str
    path: str


PRESENT = KernelPython("present", sys.executable)


def _runs(python: str) -> bool:
    """Whether it starts and can make an environment; a version manager's stand-in may not."""
    check = "import venv, ensurepip"
    return subprocess.run([python, "-c", check], capture_output=True).returncode == 0


def _candidates() -> Iterator[str]:
    for version in OLD_PYTHONS:
        yield from map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        if on_path := shutil.which(f"python{version}"):
            yield on_path


@functools.cache
def oldest_python() -> str:
    """The oldest Python at hand that an old ipykernel runs on; at last the tests' own."""
    return next(filter(_runs, _candidates()), sys.executable)


def _pandas_for(python: str) -> tuple[str, ...]:
    check = "import sys; sys.exit(sys.version_info >= (3, 12))"
    newer = subprocess.run([python, "-c", check], check=False).returncode
    return ("numpy", "pandas") if newer else OLD_PANDAS


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other test processes from building at the same time."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(python: str, folder: Path, packages: Sequence[str]) -> None:
    """Make the environment in its place; `complete` is written last."""
    shutil.rmtree(folder, ignore_errors=True)
    pip = [str(folder / "bin/python"), "-m", "pip", "install", "-q", "--retries", "1"]
    try:
        for command in ([python, "-m", "venv", str(folder)], [*pip, *packages]):
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=PIP_SECONDS)
    except subprocess.CalledProcessError as failure:
        said = (failure.stderr or failure.stdout).strip().splitlines()[-1:]
        pytest.fail(f"A kernel for tests can't be installed ({packages}): {' '.join(said)}")
    except subprocess.TimeoutExpired:
        pytest.fail(f"A kernel for tests ({packages}) was not there in {PIP_SECONDS} s.")
    (folder / "complete").touch()


def _recipe(name: str) -> tuple[str, tuple[str, ...]]:
    """The interpreter and the packages of a kernel that is built."""
    match name:
        case "old":
            return oldest_python(), (OLD_IPYKERNEL, *_pandas_for(oldest_python()))
        case "bare":
            return oldest_python(), (OLD_IPYKERNEL,)
        case "xeus":
            return sys.executable, (XEUS,)
        case _:
            raise ValueError(f"there is no kernel {name}")


@functools.cache
def _built(name: str) -> KernelPython:
    """A kernel in an environment of its own, built once per machine."""
    python, packages = _recipe(name)
    key = hashlib.sha256(repr((python, packages)).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"cave-lab-kernels-{os.getuid()}" / key
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    with _alone(folder.parent):
        if not (folder / "complete").exists():
            _build(python, folder, packages)
    return KernelPython(name, str(folder / "bin/python"))


def kernel_python(name: str) -> KernelPython:
    """The interpreter of a name; others than ours are built on first use, or the test fails."""
    return PRESENT if name == "present" else _built(name)
