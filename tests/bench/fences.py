"""The parser of fenced actions: its corpus, its CPU time and the latency that it adds.

`python -m tests.bench.fences [rounds]`
"""

import re
import sys
import time
from collections.abc import Iterator

from cave_lab.model.fences import FenceReader
from cave_lab.model.port import ActionReady
from tests.bench.figures import p50_p95
from tests.model.fences.corpus import CORPUS, READY
from tests.model.fences.reading import corpus_counts, cut

ROUNDS = 300
TOKEN_CHARS = 4

PROSE = "The revenue of May stands out, so I look at its `orders` first, month by month. " * 12
CODE = (
    "import pandas as pd\n\n"
    'monthly = sales.groupby(sales["day"].dt.to_period("M"))["revenue"].sum()\n'
    'note = """Revenue\nby month"""  # it\'s in euros\n'
    'monthly.plot(kind="bar", title=note, xlabel="month", ylabel="revenue")\n'
) * 8
REPLY = f"{PROSE}\n\n```python run Revenue by month\n{CODE}```\n"

_USUAL = re.compile(r"```python run[^\n]*\n(.*?)```", re.DOTALL)


def _usual() -> tuple[int, int]:
    """How many replies to a Python kernel a usual expression gets right, and of how many."""
    cases = [case for case in CORPUS if case.language == "python" and not case.plain_run]
    right = 0
    for case in cases:
        found = _USUAL.search(case.text)
        code = found[1].removesuffix("\n") if found else None
        right += code == (case.code if case.outcome == READY else None)
    return right, len(cases)


def _deltas() -> Iterator[str]:
    return cut(REPLY, TOKEN_CHARS)


def _cpu() -> float:
    """CPU seconds for one reply, one token a delta."""
    reader = FenceReader("python")
    deltas = list(_deltas())
    began = time.process_time()
    for delta in deltas:
        list(reader.feed(delta))
    taken = time.process_time() - began
    assert isinstance(reader.outcome, ActionReady)
    return taken


def _latency() -> float:
    """Seconds from the delta that completes the block to the action."""
    reader = FenceReader("python")
    for delta in _deltas():
        began = time.perf_counter()
        list(reader.feed(delta))
        if reader.done:
            return time.perf_counter() - began
    raise AssertionError("the block was never complete")


def main(rounds: int) -> None:
    """Print the figures."""
    replies, readings, right = corpus_counts()
    print(f"corpus: {replies} replies, {readings} readings at 3 chunk sizes, {right} right")
    usual, of = _usual()
    print(f"a usual regular expression over the whole text: {usual} right of {of} replies")
    tokens = len(REPLY) / TOKEN_CHARS
    middle, high = p50_p95([_cpu() / tokens * 1_000 for _ in range(rounds)])
    print(
        f"CPU per 1,000 tokens    p50 {middle * 1e3:.2f} ms   p95 {high * 1e3:.2f} ms   n {rounds}"
    )
    middle, high = p50_p95([_latency() for _ in range(rounds)])
    print(
        f"last delta -> action    p50 {middle * 1e6:.0f} µs   p95 {high * 1e6:.0f} µs   n {rounds}"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
