"""Secrets are masked in every mode, and ordinary words are left alone."""

import random
import time

import pytest

from cave_lab.privacy.redact import MASK, Redactor
from tests.privacy.plain_redact import plainly_redacted
from tests.privacy.secrets import KEY, PARTS

REDACT = Redactor({"OPENAI_API_KEY": KEY, "HOME": "/home/someone", "MY_TOKEN": "short"})


@pytest.mark.parametrize(
    "text",
    [
        "the key is canary-value-123.",
        "sk-abcdefghijklmnopqrstuvwx",
        "sk-ant-api03-abcdefghijklmnop",
        "ghp_abcdefghijklmnopqrstuvwxyz0123",
        "AKIAABCDEFGHIJKLMNOP",
        "Authorization: Bearer abcdef0123456789",
        'password = "hunter2hunter2"',
        "postgres://someone:geheim@db.example/x",
        "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
    ],
)
def test_a_secret_is_masked(text: str) -> None:
    masked = REDACT(text)
    assert MASK in masked
    for secret in ("canary-value-123", "abcdefghijklmnop", "hunter2", "geheim", "0123456789"):
        assert secret not in masked


@pytest.mark.parametrize(
    "text",
    ["/home/someone", "short", "monkey = 1", "df['key'] = 3", "https://example.org/a:b@c", "sk-1"],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert REDACT(text) == text


def test_a_long_private_key_is_masked_whole() -> None:
    key = "\n".join(["A" * 64] * 100)
    text = f"before\n-----BEGIN RSA PRIVATE KEY-----\n{key}\n-----END RSA PRIVATE KEY-----\nafter"
    assert REDACT(text) == f"before\n{MASK}\nafter"


@pytest.mark.parametrize(
    "piece",
    [
        "a.",
        "token",
        "eyJa-",
        "-----BEGIN PRIVATE KEY-----\n",
        "a://b:",
        "token='",
        "Bearer ",
        "hf_",
    ],
)
def test_no_text_can_be_made_that_takes_long_to_look_at(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    began = time.perf_counter()
    REDACT(text)
    # Minutes, where a pattern could begin anew at every piece and run to the end.
    assert time.perf_counter() - began < 20


SECRETS = (
    "sk-ant-api03-abcdefghijklmnop",
    "sk-or-0123456789abcdef",
    "ghp_abcdefghijklmnopqrstuvwxyz0123",
    "github_pat_abcdefghijklmnopqrstuvwxyz",
    "xoxb-0123456789-abc",
    "AKIAABCDEFGHIJKLMNOP",
    "AIza" + "a1B_-" * 7,
    "hf_abcdefghijklmnopqrstuvwxyz",
    "eyJabcdefghijkl.eyJabcdefghijkl.abcdefgh",
    "-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY-----",
    "Bearer abcdef0123456789",
    "Basic  YWJjZGVmZ2g=",
    "postgres://someone:geheim@db.example/x",
    'password = "hunter2hunter2"',
    "API_KEY: 'abcdefgh'",
    'Token="abcd efgh"',
    "\u017fecret='abcdefgh'",
    "credent\u0130al_2 = 'abcdefgh'",
    "ap\u0131\u212aey='abcdefgh'",
)
BETWEEN = ("", " ", "\n", "_", "-", "x", "9", "\u00e9", ".", "=", ":", "'", '"', "a://", "sk-", "B")


def test_the_shapes_that_are_quick_to_look_for_mask_what_the_plain_ones_mask() -> None:
    chance = random.Random(7)
    redact, masked = Redactor({}), 0
    for _ in range(3_000):
        text = ""
        for _ in range(chance.randint(1, 6)):
            secret = chance.choice(SECRETS)
            cut = chance.choice((len(secret), len(secret), chance.randrange(len(secret))))
            text += chance.choice(BETWEEN) + secret[:cut] + chance.choice(BETWEEN)
        assert redact(text) == plainly_redacted(text), repr(text)
        masked += MASK in redact(text)
    assert masked > 1_500


def test_every_shape_is_in_the_corpus() -> None:
    assert [secret for secret in SECRETS if MASK not in plainly_redacted(secret)] == []


def test_megabytes_of_ordinary_text_cost_a_small_part_of_what_the_plain_shapes_cost() -> None:
    text = "".join(f"{{'id': {number}, 'name': 'item', 'v': 0.25}}, " for number in range(30_000))
    redact = Redactor({})

    def seconds(mask) -> float:
        began = time.perf_counter()
        mask(text)
        return time.perf_counter() - began

    # A fortieth when measured; the best of three, beside other work on the machine.
    quick = min(seconds(redact) for _ in range(3))
    assert quick < min(seconds(plainly_redacted) for _ in range(3)) / 4


def test_a_key_is_masked_without_the_end_of_the_line_that_its_variable_holds() -> None:
    assert Redactor({"MY_API_KEY": "canary-0123456789\n"})("it is canary-0123456789.") == (
        "it is [redacted]."
    )


@pytest.mark.parametrize("secret", PARTS)
def test_of_a_part_of_a_text_whatever_is_secret_in_the_whole_is_masked(secret: str) -> None:
    text = f"before {secret} behind"
    whole = REDACT(text)
    kept = whole.replace(MASK, "")
    for start in range(len(text)):
        for stop in (start + 9, start + 40):
            part = REDACT.part(text[:start], text[start:stop], text[stop:])
            assert all(piece in kept for piece in part.split(MASK)), part
    assert REDACT.part("", text, "") == whole


def test_a_part_of_an_ordinary_text_is_itself() -> None:
    assert REDACT.part("one ", "two thr", "ee") == "two thr"


@pytest.mark.parametrize("text", ["Basic statistics", "Basic Authentication: see below"])
def test_words_are_no_credentials(text: str) -> None:
    assert REDACT(text) == text


@pytest.mark.parametrize(
    "text", ['password = "hunter2hunter2"', "Bearer abcdefghijkl", "sk-" + "a" * 20]
)
def test_what_is_masked_stays_as_it_is(text: str) -> None:
    once = REDACT(text)
    assert MASK in once
    assert REDACT(once) == once
