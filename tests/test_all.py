import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.all import ALLOWED_SKIPS
from tests.runner.browser import NoBrowser, find_browser
from tests.runner.counts import Counts, judge
from tests.runner.environment import Environment, fingerprint
from tests.runner.process import KILLED_FOR_TIME, run
from tests.runner.reports import read_jest, read_junit, read_playwright
from tests.runner.steps import Step

ROOT = Path(__file__).parents[1]


def test_counts_add_up_and_print_as_the_closing_line():
    total = Counts(passed=3, skips=("a",)) + Counts(passed=1, failed=2)
    assert str(total) == "4 passed, 2 failed, 1 skipped"


def test_a_skip_outside_the_list_is_a_failure():
    counts = Counts(passed=5, skips=("known", "new")).holding_to({"known": "no such device"})
    assert counts == Counts(passed=5, failed=1, skips=("known",))


def test_a_pattern_allows_the_skips_it_names_and_no_other():
    old = ("tests.kernel.probe.test_guard::test_a[old]", "tests.kernel.probe.test_b::test_b[old-x]")
    new = ("tests.kernel.probe.test_guard::test_a[present]", "tests.kernel.test_c::test_c[old]")
    allowed = {"tests.kernel.probe.*::*[[]old*": "no such kernel"}
    counts = Counts(passed=1, skips=old + new).holding_to(allowed)
    assert counts == Counts(passed=1, failed=2, skips=old)


def test_no_test_of_ours_may_be_skipped():
    skipped = (
        "tests.kernel.test_other_kernels_r::test_a",
        "tests.kernel.probe.test_b::test_b[old]",
    )
    counts = Counts(passed=1, skips=skipped).holding_to(ALLOWED_SKIPS)
    assert counts == Counts(passed=1, failed=2)


@pytest.mark.parametrize(
    "reported, exit_code, expected",
    [
        (Counts(passed=2), 0, Counts(passed=2)),
        (Counts(passed=2, failed=1), 1, Counts(passed=2, failed=1)),
        (Counts(passed=2), 3, Counts(passed=2, failed=1)),
        (Counts(), 0, Counts(failed=1)),
        (Counts(), 5, Counts(failed=1)),
        (Counts(skips=("a",)), 0, Counts(failed=1, skips=("a",))),
    ],
)
def test_a_bad_exit_or_no_test_at_all_is_a_failure(reported, exit_code, expected):
    assert judge(reported, exit_code) == expected


def test_the_report_of_a_real_pytest_run_is_counted(pytester: pytest.Pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def broken():
            raise ValueError

        def test_passes(): pass
        def test_fails(): assert False
        def test_errs(broken): pass

        @pytest.mark.skip(reason="not today")
        def test_skipped(): pass

        @pytest.mark.xfail
        def test_expected_to_fail(): assert False
        """
    )
    pytester.runpytest_subprocess("--junitxml=report.xml", "-p", "no:cacheprovider")
    module = "test_the_report_of_a_real_pytest_run_is_counted"
    counts = read_junit(pytester.path / "report.xml")
    assert [told.splitlines()[0] for told in counts.told] == [
        f"{module}::test_fails",
        f"{module}::test_errs",
    ]
    assert "assert False" in counts.told[0]
    assert counts == Counts(
        passed=1,
        failed=2,
        skips=(f"{module}::test_skipped", f"{module}::test_expected_to_fail"),
    )


def test_a_report_of_jest_is_counted_with_files_that_could_not_run(tmp_path: Path):
    cases = [
        {"fullName": "adds numbers", "status": "passed"},
        {
            "fullName": "divides by zero",
            "status": "failed",
            "failureMessages": ["\x1b[31mno\x1b[0m"],
        },
        {"fullName": "waits", "status": "pending"},
        {"fullName": "is planned", "status": "todo"},
    ]
    report = {
        "numPassedTests": 1,
        "numFailedTests": 1,
        "numRuntimeErrorTestSuites": 1,
        "testResults": [{"assertionResults": cases}, {"assertionResults": []}],
    }
    (tmp_path / "jest.json").write_text(json.dumps(report))
    counts = read_jest(tmp_path / "jest.json")
    assert counts == Counts(1, 2, ("waits", "is planned"))
    assert counts.told == ("divides by zero\n    no",)


def test_a_report_of_playwright_is_counted_and_flaky_is_failed(tmp_path: Path):
    def spec(title: str, status: str) -> dict:
        results = [{"errors": [{"message": "it was blue"}]}] if status == "unexpected" else []
        return {"title": title, "tests": [{"status": status, "results": results}]}

    inner = {"title": "a group", "specs": [spec("d", "skipped")]}
    file = {
        "title": "smoke.spec.ts",
        "specs": [spec("a", "expected"), spec("b", "unexpected"), spec("c", "flaky")],
        "suites": [inner],
    }
    (tmp_path / "playwright.json").write_text(json.dumps({"suites": [file], "errors": []}))
    counts = read_playwright(tmp_path / "playwright.json")
    assert counts == Counts(1, 2, ("smoke.spec.ts › a group › d",))
    assert counts.told == ("smoke.spec.ts › b\n    it was blue", "smoke.spec.ts › c")


def test_a_check_counts_as_one(tmp_path: Path):
    env = Environment(tmp_path)
    assert Step("ok", "python", (sys.executable, "-c", "")).run(env) == Counts(passed=1)
    assert Step("bad", "python", (sys.executable, "-c", "exit(2)")).run(env) == Counts(failed=1)


def test_an_old_report_is_not_counted_for_a_runner_that_wrote_none(tmp_path: Path):
    report = tmp_path / "pytest.xml"
    report.write_text("<testsuite><testcase classname='a' name='b'/></testsuite>")
    step = Step("crashes", "python", (sys.executable, "-c", ""), read_junit, report)
    assert step.run(Environment(tmp_path)) == Counts(failed=1)


def test_a_program_that_hangs_is_stopped_with_all_that_it_started(tmp_path: Path):
    script = (
        "import subprocess, sys;"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
        "open('child', 'w').write(str(child.pid));"
        "child.wait()"
    )
    code = run([sys.executable, "-c", script], cwd=tmp_path, env={}, seconds=2)
    assert code == KILLED_FOR_TIME
    assert not is_running(int((tmp_path / "child").read_text()))


def is_running(pid: int) -> bool:
    """A process that has ended may stay as a zombie until its new parent looks."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_browser_that_is_named_but_does_not_start_is_said_so(monkeypatch, tmp_path: Path):
    monkeypatch.setenv("CAVE_LAB_CHROMIUM", str(tmp_path / "none"))
    with pytest.raises(NoBrowser, match="CAVE_LAB_CHROMIUM names .*none"):
        find_browser(tmp_path, {})


def test_the_named_browser_comes_first(monkeypatch, tmp_path: Path):
    fake = tmp_path / "browser"
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    monkeypatch.setenv("CAVE_LAB_CHROMIUM", str(fake))
    assert find_browser(tmp_path, {}) == str(fake)


def test_without_any_browser_the_sentence_says_what_to_install(monkeypatch, tmp_path: Path):
    monkeypatch.delenv("CAVE_LAB_CHROMIUM", raising=False)
    monkeypatch.setattr("tests.runner.browser.shutil.which", lambda name: None)
    for tool in ("node", "npm", "npx"):
        (tmp_path / tool).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / tool).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(
        NoBrowser, match="apt-get install chromium; anywhere: npx playwright install"
    ):
        find_browser(tmp_path, {"PATH": f"{tmp_path}:/usr/bin:/bin"})


def test_the_fingerprint_changes_with_a_file_and_with_the_python(tmp_path: Path):
    file = tmp_path / "pyproject.toml"
    file.write_text("a")
    before = fingerprint([file], "3.11")
    assert fingerprint([file], "3.12") != before
    file.write_text("b")
    assert fingerprint([file], "3.11") != before


def test_an_unknown_part_is_refused():
    command = [sys.executable, str(ROOT / "tests" / "all.py"), "--only", "everything"]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert answer.returncode == 2
    assert "invalid choice: 'everything'" in answer.stderr
