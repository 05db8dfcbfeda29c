"""`docs/configuration.md` says of every trait what it is, and of nothing else."""

import re
from pathlib import Path

import pytest
from traitlets import TraitType

from cave_lab.server.config import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text()

ROWS = dict(re.findall(r"^\| `CaveLab\.(\w+)` \| (.*)$", PAGE, re.MULTILINE))

TRAITS: dict[str, TraitType] = Settings.class_traits(config=True)


def plain(text: str) -> str:
    """Words without their marks."""
    return text.translate(str.maketrans("", "", "'`[]"))


def test_it_has_a_row_for_every_trait_and_for_nothing_else() -> None:
    assert sorted(ROWS) == sorted(TRAITS)
    assert len(TRAITS) > 10


@pytest.mark.parametrize("name", sorted(TRAITS))
def test_a_row_says_the_default_and_begins_with_what_the_help_says(name: str) -> None:
    default, words, _ = (cell.strip() for cell in ROWS[name].split(" |", 2))
    assert default == f"`{getattr(Settings(), name)!r}`"
    first = re.split(r"[.;,] ?", plain(str(TRAITS[name].help)))[0]
    assert plain(words).replace("(https://docs.litellm.ai/docs/providers)", "").startswith(first)


def test_its_examples_are_configuration_that_is_taken() -> None:
    from traitlets.config import Config

    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        config = Config()
        exec(block, {"c": config})
        settings = Settings()
        for trait, value in config.CaveLab.items():
            assert trait in TRAITS
            setattr(settings, trait, value)
