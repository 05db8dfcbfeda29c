"""How many passed, failed and were skipped."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Counts:
    """The result of one step or of all; `skips` holds the full name of each skipped test.

    `told` says of failed tests which they were and why, as far as the report knows.
    """

    passed: int = 0
    failed: int = 0
    skips: tuple[str, ...] = ()
    told: tuple[str, ...] = field(default=(), compare=False)

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skips + other.skips,
            self.told + other.told,
        )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {len(self.skips)} skipped"

    @property
    def executed(self) -> int:
        """How many tests really ran."""
        return self.passed + self.failed

    def holding_to(self, allowed: Mapping[str, str]) -> "Counts":
        """The same counts with every skip that no pattern allows counted as a failure."""
        kept = tuple(
            name for name in self.skips if any(fnmatchcase(name, pattern) for pattern in allowed)
        )
        told = tuple(f"{name}: skipped" for name in self.skips if name not in kept)
        failed = self.failed + len(self.skips) - len(kept)
        return Counts(self.passed, failed, kept, self.told + told)


def judge(reported: Counts, exit_code: int) -> Counts:
    """Distrust a runner: a bad exit, or no test at all, is a failure whatever it counted."""
    silent_failure = exit_code != 0 and reported.failed == 0
    nothing_ran = reported.executed == 0 and not silent_failure
    return reported + Counts(failed=int(silent_failure) + int(nothing_ran))
