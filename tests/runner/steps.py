"""The steps of the test command, in their order."""

import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.runner.counts import Counts, judge
from tests.runner.environment import Environment
from tests.runner.process import run
from tests.runner.reports import read_jest, read_junit, read_playwright

PARTS = ("python", "types", "web", "browser")

STEP_SECONDS = 2400.0
"""A step still running then hangs: the tests inside have much shorter limits of their own."""


@dataclass(frozen=True)
class Step:
    """One program of the test command; without a report to read it counts as one check."""

    name: str
    part: str
    command: tuple[str, ...]
    read: Callable[[Path], Counts] | None = None
    report: Path = Path()
    cwd: Path = Path()
    variables: Mapping[str, str] = field(default_factory=dict)

    def run(self, env: Environment) -> Counts:
        """Run the program, streaming its output, and return what it counted."""
        if self.read is not None:
            self.report.parent.mkdir(parents=True, exist_ok=True)
            self.report.unlink(missing_ok=True)
        code = run(
            self.command,
            cwd=env.root / self.cwd,
            env={**env.variables, **self.variables},
            seconds=STEP_SECONDS,
        )
        if self.read is None:
            return Counts(passed=int(code == 0), failed=int(code != 0))
        return judge(self.read(self.report) if self.report.exists() else Counts(), code)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def python_steps(env: Environment) -> list[Step]:
    """The checks and tests of the server side."""
    junit = env.venv / "reports" / "pytest.xml"
    return [
        Step("ruff format", "python", ("ruff", "format", "--check", ".")),
        Step("ruff check", "python", ("ruff", "check", ".")),
        Step("mypy", "python", ("mypy",)),
        Step(
            "pytest",
            "python",
            (
                "pytest",
                "-n",
                "2",
                "--dist",
                "worksteal",
                "-o",
                "junit_family=xunit2",
                f"--junitxml={junit}",
            ),
            read_junit,
            junit,
        ),
    ]


def types_steps(env: Environment) -> list[Step]:
    """The types that both sides share, and those of the front end."""
    return [
        Step("protocol", "types", ("python", "-m", "cave_lab.state.schema", "--check")),
        Step("tsc", "types", ("jlpm", "types")),
        Step("tsc (browser tests)", "types", ("jlpm", "types:ui-tests")),
    ]


def web_steps(env: Environment) -> list[Step]:
    """The checks and unit tests of the front end."""
    report = env.venv / "reports" / "jest.json"
    return [
        Step("eslint", "web", ("jlpm", "eslint:check")),
        Step("prettier", "web", ("jlpm", "prettier:check")),
        Step("stylelint", "web", ("jlpm", "stylelint:check")),
        Step(
            "Jest", "web", ("jlpm", "test", "--json", f"--outputFile={report}"), read_jest, report
        ),
    ]


def browser_steps(env: Environment, browser: str) -> list[Step]:
    """The tests in a real browser."""
    report = env.venv / "reports" / "playwright.json"
    variables = {
        "CAVE_LAB_CHROMIUM": browser,
        "CAVE_LAB_UI_PORT": str(_free_port()),
        "CAVE_LAB_UI_PYTHON": str(env.python),
        "CAVE_LAB_UI_REPORT": str(report),
    }
    return [
        Step(
            "Playwright",
            "browser",
            ("npx", "playwright", "test"),
            read_playwright,
            report,
            Path(env.ui_tests.name),
            variables,
        )
    ]
