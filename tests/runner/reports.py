"""Reads the counts from the reports that pytest, Jest and Playwright write."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from tests.runner.counts import Counts

WORDS_CHARS = 600
"""What is repeated of a failure at the end of the output: enough to know it by."""

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def read_junit(path: Path) -> Counts:
    """Count a JUnit report of pytest; an expected failure counts as skipped."""
    counts = Counts()
    for case in ET.parse(path).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        faults = [*case.findall("failure"), *case.findall("error")]
        if faults:
            words = faults[0].get("message") or ""
            counts += Counts(failed=1, told=(_told(name, words),))
        elif case.find("skipped") is not None:
            counts += Counts(skips=(name,))
        else:
            counts += Counts(passed=1)
    return counts


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
    told = tuple(
        _told(case["fullName"], "\n".join(case.get("failureMessages", ())))
        for suite in report["testResults"]
        for case in suite["assertionResults"]
        if case["status"] == "failed"
    )
    return Counts(report["numPassedTests"], failed, skips, told)


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
                    counts += Counts(failed=1, told=(_told(name, _playwright_words(test)),))
    return counts


def _playwright_words(test: dict[str, Any]) -> str:
    errors = [error for result in test.get("results", ()) for error in result.get("errors", ())]
    return errors[0].get("message", "") if errors else ""


def _told(name: str, words: str) -> str:
    """Name a failed test and the beginning of why; the whole stands further up in the output."""
    plain = _COLOURS.sub("", words).strip()[:WORDS_CHARS]
    return "\n".join([name, *(f"    {line}" for line in plain.splitlines())])
