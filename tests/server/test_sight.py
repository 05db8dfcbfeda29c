"""Whether a model is given images: as the person decided, else as is known of it, else not."""

from typing import Any

import pytest

from cave_lab.model.port import ModelChoice
from tests.fakes.local_servers import LocalServer, llama_cpp
from tests.fakes.model_server import ModelServer
from tests.server.test_manners import TABLED, TABLED_WITHOUT, UNKNOWN, silent
from tests.server.test_settings import put
from tests.talk import Lab


async def sees(lab: Lab, choice: ModelChoice) -> bool:
    """Whether the next call to a model may hold images."""
    manner = await (await lab.domain()).manners.of("local", choice)
    given: bool = manner.sees
    return given


@pytest.mark.parametrize(
    ("name", "decided", "expected"),
    [
        (TABLED, None, True),
        (TABLED_WITHOUT, None, False),
        (UNKNOWN, None, False),
        (TABLED, False, False),
        (UNKNOWN, True, True),
    ],
)
async def test_the_persons_word_goes_before_the_table(
    lab: Lab, model: ModelServer, name: str, decided: bool | None, expected: bool
) -> None:
    choice = ModelChoice(name, silent(model))
    if decided is not None:
        options = {"sees": decided}
        assert (await put(lab, model=name, api_base=silent(model), options=options))[0] == 200
    assert await sees(lab, choice) is expected


@pytest.mark.parametrize("vision", [True, False])
async def test_a_local_servers_own_word_goes_before_the_table(lab: Lab, vision: bool) -> None:
    async with LocalServer(llama_cpp("m", modalities={"vision": vision})) as server:
        assert await sees(lab, ModelChoice(UNKNOWN, server.url)) is vision
        assert await sees(lab, ModelChoice(TABLED, server.url)) is vision


@pytest.mark.parametrize("options", [{}, {"sees": True}])
async def test_a_model_that_refused_images_is_given_none_until_the_person_decides_anew(
    lab: Lab, model: ModelServer, options: dict[str, Any]
) -> None:
    chosen = {"model": TABLED, "api_base": silent(model)}
    await put(lab, **chosen, options=options)
    choice = ModelChoice(TABLED, silent(model))
    assert await sees(lab, choice)
    (await lab.domain()).manners.blind(choice)
    assert not await sees(lab, choice)
    assert await sees(lab, ModelChoice(TABLED)), "the same model elsewhere is another one"
    await put(lab, **chosen, options=options)
    assert await sees(lab, choice)


async def test_a_decision_is_of_one_owner_alone(lab: Lab, model: ModelServer) -> None:
    await put(lab, model=UNKNOWN, api_base=silent(model), options={"sees": True})
    manners = (await lab.domain()).manners
    choice = ModelChoice(UNKNOWN, silent(model))
    assert (await manners.of("local", choice)).sees
    assert not (await manners.of("anna", choice)).sees
