"""Pages of what a run put out: from the journal, whole, and each of its own run."""

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.references import reference
from cave_lab.model.script import Cell, Look, Say
from cave_lab.privacy.excerpt import page_of
from cave_lab.privacy.redact import MASK
from cave_lab.state.values import RunState
from tests.fakes.model_server import ModelServer
from tests.lab import KEY_VALUE
from tests.server.looking import FORMATS, count, looks
from tests.server.scenarios import asked, begun, last_request, script, told, told_whole
from tests.talk import Lab, Person

LINES = "".join(f"{n}\n" for n in range(20_000)).strip("\n")
CHARS = DEFAULT_LIMITS.page_chars


async def printed(
    lab: Lab,
    model: ModelServer,
    *codes: str,
    privacy: str = "standard",
) -> tuple[Person, list[RunState]]:
    """A person whose model has run these cells, one a turn."""
    turns = []
    for number, code in enumerate(codes):
        turns += [asked(f"cell {number}", Cell(code, "Print"))]
    person = await begun(
        lab, model, *turns, told("Finished", Say("Done.")), mode="auto", privacy=privacy
    )
    for number in range(len(codes)):
        await person.say(f"cell {number}")
        assert await person.ended(number + 1) == "end_turn"
    return person, list((await told_whole(lab, person)).runs.values())


async def look_at(person: Person, model: ModelServer, look: Look) -> str:
    """What the model is told when it looks."""
    model.load(script(asked("look now", look), told("", Say("I see."))))
    await person.say("look now")
    assert await person.ended(len(person.state.turns)) == "end_turn"
    return str(model.requests[-1].body["messages"][-1]["content"])


@FORMATS
async def test_a_page_of_a_long_print_is_those_very_characters_and_runs_nothing(
    lab: Lab, model: ModelServer
) -> None:
    person, [run] = await printed(lab, model, "for n in range(20_000): print(n)")
    assert reference(run) in last_request(model), "the model was told where the rest is"
    before = await count(lab, person)
    page, pages = page_of(LINES, 2, CHARS)
    seen = await look_at(person, model, Look((reference(run),), "page 2"))
    assert seen == f"<data>\n{reference(run)}\nPage 2 of {pages} of its output.\n{page}\n</data>"
    assert await count(lab, person) == before + 1
    assert len((await told_whole(lab, person)).runs) == 1


async def test_without_a_page_it_is_the_first_and_beyond_the_last_is_said_to_be_none(
    lab: Lab, model: ModelServer
) -> None:
    person, [run] = await printed(lab, model, "for n in range(20_000): print(n)")
    pages = page_of(LINES, 1, CHARS)[1]
    assert f"Page 1 of {pages} of its output.\n0\n1\n2\n" in await look_at(
        person, model, Look((reference(run),))
    )
    seen = await look_at(person, model, Look((reference(run),), f"page {pages + 1}"))
    assert f"There is no page {pages + 1} of its output: it has {pages}." in seen
    assert "There is no page 0" in await look_at(person, model, Look((reference(run),), "page 0"))


async def test_two_oversize_outputs_are_never_mixed_up(lab: Lab, model: ModelServer) -> None:
    person, runs = await printed(
        lab, model, "for n in range(3000): print('aaa', n)", "for n in range(3000): print('bbb', n)"
    )
    first, second = (reference(run) for run in runs)
    seen = await look_at(person, model, Look((second, first), "page 2"))
    one, other = seen.split(f"{first}\nPage 2")
    assert one.startswith(f"<data>\n{second}\nPage 2")
    assert ("aaa" in one, "bbb" in one) == (False, True)
    assert ("aaa" in other, "bbb" in other) == (True, False)


async def test_large_tables_are_read_from_where_they_were_stored(
    lab: Lab, model: ModelServer
) -> None:
    person, [run] = await printed(lab, model, "print('over')\n'x' * 200_000 + 'y'")
    assert [output.output_type for output in run.outputs] == ["stream", "blob"]
    look = Look((reference(run),), "page 34")
    assert "xy'\n</data>" in await look_at(person, model, look)


async def test_a_secret_is_masked_before_pages_are_cut(lab: Lab, model: ModelServer) -> None:
    code = f"print('x' * {CHARS - 5}, {KEY_VALUE!r}, sep='', end='')"
    person, [run] = await printed(lab, model, f"{code}\nprint('z' * {CHARS})")
    for number in (1, 2):
        await look_at(person, model, Look((reference(run),), f"page {number}"))
    # The page ends within the mask, where it would have ended within the secret.
    assert f"xx{MASK[:5]}\n</data>" in last_request(model)
    assert KEY_VALUE[:5] not in last_request(model)
    assert KEY_VALUE[5:] not in last_request(model)


async def test_an_unknown_reference_is_answered_with_those_that_there_are(
    lab: Lab, model: ModelServer
) -> None:
    person, [run] = await printed(lab, model, "print('hello')")
    for detail in ("page 2", "", "head"):
        seen = await look_at(person, model, Look(("out_000000",), detail))
        assert f"There is no output of this name. There are: {reference(run)}." in seen
    assert "Only outputs have pages." in await look_at(person, model, Look(("run",), "page 2"))


async def test_before_any_output_an_unknown_reference_is_told_so(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model)
    seen = await look_at(person, model, Look(("out_000000",), "page 1"))
    assert "No run has put out anything so far." in seen


async def test_a_variable_that_is_named_like_an_output_is_still_a_variable(
    lab: Lab, model: ModelServer
) -> None:
    person, [run] = await printed(lab, model, "out_facade = [1]\nprint('hello')")
    seen = await look_at(person, model, Look(("out_facade", reference(run))))
    assert "out_facade: list of 1" in seen
    assert "hello" in seen


@pytest.mark.parametrize(
    "privacy, goes_out", [("schema", False), ("standard", True), ("full", True)]
)
async def test_outputs_are_shown_unless_only_the_schema_may(
    lab: Lab, model: ModelServer, privacy: str, goes_out: bool
) -> None:
    person, [run] = await printed(lab, model, "print('hello')", privacy=privacy)
    seen = await look_at(person, model, Look((reference(run),)))
    assert ("hello" in seen) == goes_out
    assert ("Outputs are not shared with you (privacy mode `schema`)." in seen) != goes_out
    assert (looks(person)[0].answers[0].text is None) != goes_out


async def test_a_stricter_mode_applies_to_pages_that_were_seen(
    lab: Lab, model: ModelServer
) -> None:
    person, [run] = await printed(lab, model, "print('hello')")
    assert "hello" in await look_at(person, model, Look((reference(run),)))
    await person.do("thread.change", privacy="schema")
    model.load(script(asked("and now", Say("I see."))))
    await person.say("and now")
    assert await person.ended(3) == "end_turn"
    assert "hello" not in last_request(model)
