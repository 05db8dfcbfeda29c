"""Which model, address and key a thread's own choice of model comes to."""

from pathlib import Path

import pytest

from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.port import ModelChoice
from cave_lab.server.choices import Choices
from cave_lab.thread.services import Policy

KEY = "TEAM_API_KEY"
BASE = "http://models.example/v1"


@pytest.mark.parametrize(
    "base, named, key",
    [
        (None, None, KEY),
        (None, "openai/gpt-4o", KEY),
        (None, "openai/gpt-4.1", KEY),
        (None, "anthropic/claude-sonnet-4-5", None),
        (None, "claude-sonnet-4-5", None),
        (BASE, "anthropic/claude-sonnet-4-5", KEY),
    ],
)
async def test_a_thread_with_a_model_of_its_own_sends_no_provider_the_key_named_for_another(
    tmp_path: Path, base: str | None, named: str | None, key: str | None
) -> None:
    journal = await Journal.open(tmp_path, DEFAULT_LIMITS)
    try:
        choices = Choices(journal, Policy(), ModelChoice("openai/gpt-4o", base, KEY))
        chosen = choices.choose("local", named)
    finally:
        await journal.close()
    assert chosen == ModelChoice(named or "openai/gpt-4o", base, key)
