"""Secrets are masked in every mode, and ordinary words are left alone."""

import time

import pytest

from cave_lab.privacy.redact import MASK, Redactor

REDACT = Redactor(
    {"OPENAI_API_KEY": "canary-value-123", "HOME": "/home/someone", "MY_TOKEN": "short"}
)


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
