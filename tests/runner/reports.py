"""Reads the counts from the reports that pytest, Jest and Playwright write."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from tests.runner.counts import Counts


def read_junit(path: Path) -> Counts:
    """Count a JUnit report of pytest; an expected failure counts as skipped."""
    passed, failed, skips = 0, 0, []
    for case in ET.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skips.append(f"{case.get('classname')}::{case.get('name')}")
        else:
            passed += 1
    return Counts(passed, failed, tuple(skips))


def read_jest(path: Path) -> Counts:
    """Count a JSON report of Jest; a file that could not be run is one failure."""
    report = json.loads(path.read_text(encoding="utf-8"))
    skips = tuple(
        case["fullName"]
        for suite in report["testResults"]
        for case in suite["assertionResults"]
        if case["status"] not in {"passed", "failed"}
    )
    failed = report["numFailedTests"] + report["numRuntimeErrorTestSuites"]
    return Counts(report["numPassedTests"], failed, skips)


def _specs(suite: dict[str, Any], above: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    titles = (*above, suite["title"])
    for spec in suite.get("specs", []):
        yield " › ".join((*titles, spec["title"])), spec
    for inner in suite.get("suites", []):
        yield from _specs(inner, titles)


def read_playwright(path: Path) -> Counts:
    """Count a JSON report of Playwright; a test that passed only when tried again has failed."""
    report = json.loads(path.read_text(encoding="utf-8"))
    counts = Counts()
    for suite in report["suites"]:
        for name, spec in _specs(suite, ()):
            for test in spec["tests"]:
                if test["status"] == "expected":
                    counts += Counts(passed=1)
                elif test["status"] == "skipped":
                    counts += Counts(skips=(name,))
                else:
                    counts += Counts(failed=1)
    return counts
