"""What may be a part of a secret beside a cut is masked, and ordinary words are not."""

import time

import pytest

from cave_lab.privacy.redact import Redactor
from tests.privacy.secrets import KEY, PARTS, PEM

REDACT = Redactor({"OPENAI_API_KEY": KEY})


@pytest.mark.parametrize(
    "mark", ["…", "'…", "\n[… cut: 3 of 9 characters are not shown …]\n", " […] "]
)
@pytest.mark.parametrize("secret", PARTS)
def test_a_secret_that_goes_on_behind_a_cut_is_masked_up_to_it(secret: str, mark: str) -> None:
    begin, _ = PARTS[secret]
    for cut in range(secret.index(begin) + len(begin), len(secret)):
        told = REDACT(f"It is {secret[:cut]}{mark}")
        assert begin not in told, told
        assert told.startswith("It is ")
        assert told.endswith(mark)


@pytest.mark.parametrize("mark", ["\n[… cut: 3 of 9 characters are not shown …]\n", " […] "])
@pytest.mark.parametrize("secret", [KEY, PEM])
def test_a_secret_that_begins_before_a_cut_is_masked_behind_it(secret: str, mark: str) -> None:
    end = PARTS[secret][1]
    for cut in range(10, secret.rindex(end) + 1):
        assert end not in REDACT(f"…{mark}{secret[cut:]} and more")


@pytest.mark.parametrize(
    "text",
    [
        "a long story …",
        "0  first row…  12",
        "[1, 2, …]",
        "{'a': 1, …}",
        "at most 40 …\nThe end",
        "…",
    ],
)
def test_ordinary_text_at_a_cut_is_left_alone(text: str) -> None:
    assert REDACT(text) == text


@pytest.mark.parametrize(
    "piece", ["…", "eyJa-…", "eyJa-/…", "canary-…", "token='…", "x" * 99 + "…"]
)
def test_no_text_of_many_cuts_takes_long_to_look_at(piece: str) -> None:
    began = time.perf_counter()
    REDACT(piece * (200_000 // len(piece)))
    assert time.perf_counter() - began < 20
