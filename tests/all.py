"""Set up everything and run every check and test of CaveLab: `python tests/all.py`.

Ends with a line `N passed, N failed, N skipped`, and with a non-zero code if anything failed.
A check (a linter, a type checker) counts as one. `--only python|types|web|browser` runs a part, and
may be given several times.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("CaveLab needs Python 3.11 or newer; call this with such a one.")
sys.path.insert(0, str(ROOT))

from tests.runner.browser import NoBrowser, find_browser  # noqa: E402
from tests.runner.counts import Counts  # noqa: E402
from tests.runner.environment import (  # noqa: E402
    Environment,
    SetUpFailed,
    prepare_browser_tests,
    prepare_front_end,
    prepare_node,
    prepare_python,
)
from tests.runner.steps import (  # noqa: E402
    PARTS,
    Step,
    browser_steps,
    python_steps,
    types_steps,
    web_steps,
)

ALLOWED_SKIPS: dict[str, str] = {}
"""The tests that may be skipped: a pattern of full names, and why. Other skips are failures."""


def _headline(text: str) -> None:
    print(f"\n== {text} {'=' * (76 - len(text))}", flush=True)


def _browser_steps(env: Environment) -> list[Step]:
    prepare_front_end(env)
    return browser_steps(env, find_browser(env.ui_tests, env.variables))


def _steps(env: Environment, parts: list[str]) -> Iterator[Step]:
    """Set up, then yield the steps; what a part needs beyond that is made when its turn comes."""
    _headline("set-up")
    prepare_python(env)
    prepare_node(env)
    prepare_browser_tests(env)
    made: dict[str, Callable[[Environment], list[Step]]] = {
        "python": python_steps,
        "types": types_steps,
        "web": web_steps,
        "browser": _browser_steps,
    }
    for part in parts:
        yield from made[part](env)


def _run(env: Environment, parts: list[str]) -> list[tuple[str, Counts]]:
    results: list[tuple[str, Counts]] = []
    try:
        for step in _steps(env, parts):
            _headline(step.name)
            began = time.monotonic()
            counts = step.run(env).holding_to(ALLOWED_SKIPS)
            results.append((f"{step.name} ({time.monotonic() - began:.0f} s)", counts))
    except (SetUpFailed, NoBrowser) as failure:
        print(f"\n{failure}", flush=True)
        results.append(("set-up", Counts(failed=1)))
    return results


def main() -> int:
    """Run what was asked for; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", choices=PARTS, help="run this part")
    only = parser.parse_args().only
    parts = [part for part in PARTS if only is None or part in only]
    results = _run(Environment(ROOT), parts)
    _headline("results")
    for name, counts in results:
        print(f"{'FAILED' if counts.failed else 'ok':8}{name}: {counts}")
    total = sum((counts for _, counts in results), Counts())
    for told in total.told:
        print(f"\n{told}")
    print(f"\n{total}", flush=True)
    return int(total.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
