import pytest

from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS


@pytest.mark.parametrize("value", ["gpt", 3, 0.5, True, ["a", None], {"name": "é", "n": {}}])
async def test_a_setting_is_kept_as_the_json_it_was(journal, value):
    await journal.set_setting("ada", "model", value)
    assert await journal.get_setting("ada", "model") == value


async def test_settings_belong_to_one_owner_and_one_key(journal):
    await journal.set_setting("ada", "model", "a")
    assert await journal.get_setting("bob", "model") is None
    assert await journal.get_setting("ada", "mode") is None


async def test_a_setting_is_replaced_and_none_forgets_it(journal):
    await journal.set_setting("ada", "model", "a")
    await journal.set_setting("ada", "model", "b")
    assert await journal.get_setting("ada", "model") == "b"
    await journal.set_setting("ada", "model", None)
    assert await journal.get_setting("ada", "model") is None


async def test_settings_survive_a_restart(folder):
    for expected in (None, {"name": "a"}):
        journal = await Journal.open(folder, DEFAULT_LIMITS)
        assert await journal.get_setting("ada", "model") == expected
        await journal.set_setting("ada", "model", {"name": "a"})
        await journal.close()


async def test_a_number_that_json_does_not_have_is_refused(journal):
    with pytest.raises(ValueError, match="not JSON compliant"):
        await journal.set_setting("ada", "limit", float("nan"))
    assert await journal.get_setting("ada", "limit") is None
