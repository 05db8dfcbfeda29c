"""The estimate of a call's tokens, against what real tokenizers make of it."""

from collections.abc import Sequence

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.litellm import LiteLLMModel
from cave_lab.model.prompt import system_prompt
from cave_lab.model.tokens import (
    FRAME,
    Measured,
    Sample,
    Tally,
    estimate,
    rates_from,
    rough,
)
from cave_lab.protocol.content import Usage
from cave_lab.protocol.ids import BlobId
from cave_lab.state.values import CallState
from tests.model.tokenizers import CHINESE, ENGLISH, JAPANESE, KOREAN, Count, counters, table

A, B, C = (BlobId(digit * 64) for digit in "abc")
SAID = {A: Tally(100), B: Tally(200), C: Tally(50, 100)}


def call(*messages: BlobId, prompt: int | None, estimated: bool = False) -> CallState:
    """An earlier call."""
    usage = None if prompt is None else Usage(calls=1, prompt=prompt, estimated=estimated)
    return CallState(
        call=1,
        model="m",
        messages=list(messages),
        variables=0,
        cells=0,
        estimated_tokens=0,
        usage=usage,
    )


def measured(*messages: BlobId, fixed: float = 0) -> Measured:
    return Measured(list(messages), SAID, Tally(fixed))


# ── the arithmetic


def test_without_an_earlier_call_it_is_our_own_count() -> None:
    assert estimate(measured(A, B, fixed=30), []) == 330


def test_what_was_sent_before_is_taken_as_the_provider_counted_it() -> None:
    assert estimate(measured(A, B), [call(A, prompt=100)]) == 300
    far = estimate(measured(A, B), [call(A, prompt=5_000)])
    assert far >= 5_200


def test_a_provider_that_counts_more_is_believed_for_what_comes_next() -> None:
    big = Measured([A, B], {A: Tally(5_000), B: Tally(1_000)})
    assert estimate(big, [call(A, prompt=7_500)]) == pytest.approx(9_000, rel=0.01)


def test_after_a_compaction_the_whole_is_counted_at_the_learned_rate() -> None:
    big = Measured([B], {A: Tally(5_000), B: Tally(1_000)})
    assert estimate(big, [call(A, prompt=7_500)]) == pytest.approx(1_500, rel=0.01)


@pytest.mark.parametrize(
    "useless",
    [
        call(A, prompt=None),
        call(A, prompt=0),
        call(A, prompt=9_999, estimated=True),
    ],
    ids=["not reported", "reported as nothing", "counted here"],
)
def test_a_call_that_no_provider_counted_teaches_nothing(useless: CallState) -> None:
    assert estimate(measured(A, B), [useless]) == 300


def test_messages_that_were_never_counted_here_are_no_sample() -> None:
    assert estimate(measured(A, B), [call(BlobId("d" * 64), prompt=50_000)]) == 300


def test_both_rates_are_found_apart() -> None:
    samples = [Sample(Tally(2_000), 2_200), Sample(Tally(300, 3_000), 330 + 2_400)]
    rates = rates_from(samples)
    assert rates.narrow == pytest.approx(1.1, abs=0.02)
    assert rates.wide == pytest.approx(0.8, abs=0.02)


def test_a_small_sample_moves_little_and_nothing_moves_it_out_of_bounds() -> None:
    assert rates_from([Sample(Tally(10), 100)]).narrow < 1.1
    assert rates_from([Sample(Tally(1_000), 1_000_000)]).narrow == 4.0
    assert rates_from([Sample(Tally(100_000), 1)]).narrow == 0.4
    assert rates_from([]).wide == pytest.approx(1.15)
    assert rates_from([]).narrow == pytest.approx(1.0)


def test_the_first_idea_of_a_text_is_its_bytes_over_four() -> None:
    assert rough("word " * 4) == Tally(5)
    assert rough("\ud800") == Tally(0.25)


# ── against real tokenizers

KINDS = {
    "English": [ENGLISH * 8, ENGLISH * 12, ENGLISH * 5],
    "Chinese": [CHINESE * 6, CHINESE * 12, CHINESE * 5],
    "Japanese": [JAPANESE * 6, JAPANESE * 12, JAPANESE * 5],
    "Korean": [KOREAN * 6, KOREAN * 12, KOREAN * 5],
    "printed tables": [table(30, 1), table(60, 2), table(20, 3)],
    "Chinese, then tables": [CHINESE * 6, table(60, 2), CHINESE * 10],
    "tables, then Korean": [table(30, 1), KOREAN * 4, KOREAN * 12],
}


async def errors(texts: Sequence[str], count: Count) -> list[float]:
    """By how much the estimate of each call is off, while a talk grows by these texts."""
    model = LiteLLMModel(DEFAULT_LIMITS)
    await model.prepare()
    all_texts = [system_prompt(), *texts]
    ours = await model.count(all_texts)
    await model.close()
    assert ours is not None
    blobs = [BlobId(f"{number:064x}") for number in range(len(all_texts))]
    tallies = {blob: FRAME + tally for blob, tally in zip(blobs, ours, strict=True)}
    calls: list[CallState] = []
    off = []
    for number in range(1, len(texts) + 1):
        sent = blobs[: number + 1]
        real = sum(count(text) + 4 for text in all_texts[: number + 1])
        off.append(estimate(Measured(sent, tallies), calls) / real - 1)
        calls.append(call(*sent, prompt=real))
    return off


@pytest.mark.parametrize("provider", ["OpenAI", "an older OpenAI", "Anthropic", "DeepSeek"])
@pytest.mark.parametrize("kind", KINDS)
async def test_an_estimate_is_within_15_percent_once_a_call_was_counted(
    kind: str, provider: str
) -> None:
    first, *later = await errors(KINDS[kind], counters()[provider])
    print(kind, provider, f"{first:+.2f}", [f"{x:+.2f}" for x in later])
    assert all(abs(off) <= 0.15 for off in later)
    assert abs(first) <= (0.08 if provider == "OpenAI" else 0.2)
