"""What may be a part of a secret beside a cut is masked, and ordinary words are not."""

import time

import pytest

from cave_lab.privacy.redact import MASK, Redactor
from tests.privacy.secrets import KEY, PARTS

REDACT = Redactor({"OPENAI_API_KEY": KEY})


def ours(text: str) -> str:
    """What is told of a text that we made, with ellipses where we cut."""
    return REDACT.part("", text, "")


@pytest.mark.parametrize(
    "mark", ["…", "'…", "\n[… cut: 3 of 9 characters are not shown …]\n", " […] "]
)
@pytest.mark.parametrize("secret", PARTS)
def test_a_secret_that_goes_on_behind_a_cut_is_masked_up_to_it(secret: str, mark: str) -> None:
    begin, _ = PARTS[secret]
    for cut in range(secret.index(begin) + len(begin), len(secret)):
        told = ours(f"It is {secret[:cut]}{mark}")
        assert begin not in told, told
        assert told.startswith("It is ")
        assert told.endswith(mark)


@pytest.mark.parametrize("mark", ["…", "...", "'...", " […] "])
def test_the_beginning_of_a_known_value_is_masked_at_whosever_cut(mark: str) -> None:
    for size in range(6, len(KEY)):
        assert REDACT(f"0  {KEY[:size]}{mark}  1") == f"0  {MASK}{mark}  1"


@pytest.mark.parametrize(
    "text",
    [
        "a long story …",
        "0  first row…  12",
        "[1, 2, …]",
        "{'a': 1, …}",
        "at most 40 …\nThe end",
        "http://localhost:4040…",
        "Basic statistics…",
        "…",
    ],
)
def test_ordinary_text_at_a_cut_is_left_alone(text: str) -> None:
    assert ours(text) == text


@pytest.mark.parametrize(
    "text",
    [
        'print("Loading…")\ndf_Sales_2024 = pd.read_csv(path)',
        "# …\nXGBClassifier2()",
        "url = 'http://someone:word…'",
        'password = "[redacted]…',
    ],
)
def test_code_and_words_are_not_taken_for_a_text_that_we_cut(text: str) -> None:
    assert REDACT(text) == text


@pytest.mark.parametrize(
    "piece", ["…", "eyJa-…", "eyJa-", "eyJa-/…", "canary-…", "token='…", "x" * 99 + "…"]
)
def test_no_text_of_many_cuts_takes_long_to_look_at(piece: str) -> None:
    long = Redactor({"GOOGLE_CREDENTIALS": "canary-" * 400})
    text = piece * (200_000 // len(piece)) + "…"
    began = time.perf_counter()
    long(text)
    long.part("", text, "")
    assert time.perf_counter() - began < 20
