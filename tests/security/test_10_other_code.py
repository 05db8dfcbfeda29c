"""Case 10: an approval is for the code that was shown, and for no other."""

from hashlib import sha256
from pathlib import Path

import pytest

from cave_lab.model.script import Cell, Say
from tests.fakes.model_server import ModelServer
from tests.security.counted import Counted
from tests.security.trying import events_of
from tests.server.scenarios import asked, script, told
from tests.talk import Lab, Person, Refused


async def waiting_cell(lab: Lab, model: ModelServer, counted: Counted) -> Person:
    """A person before a card that waits; when it is rejected, another one comes."""
    model.load(
        script(
            asked("go", Cell(counted.code, "Count")),
            told("too much", Cell(f"{counted.code}\n# again", "Count again")),
            told("Finished", Say("Done.")),
        )
    )
    person = await Person.at(lab, await lab.notebook())
    await person.say("go")
    return person


@pytest.mark.parametrize("other", ["import os", ""], ids=["other code", "no code"])
async def test_an_approval_with_another_sha256_is_rejected_and_nothing_is_sent(
    lab: Lab, model: ModelServer, tmp_path: Path, other: str
) -> None:
    counted = Counted(tmp_path)
    person = await waiting_cell(lab, model, counted)
    card = await person.asked()
    forged = {**card, "sha256": sha256(other.encode()).hexdigest()}
    with pytest.raises(Refused) as refused:
        await person.answer(forged)
    assert refused.value.code == "approval_mismatch"
    assert (counted.sent(person.thread_id), counted.ran) == (0, 0)

    await person.answer(card)
    assert await person.ended() == "end_turn"
    assert (counted.sent(person.thread_id), counted.ran) == (1, 1)
    assert await counted.in_kernel(lab, person.target) == 1


async def test_an_approval_does_not_pass_to_the_proposal_that_came_after_it(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    person = await waiting_cell(lab, model, counted)
    first = await person.asked()
    await person.answer(first, "rejected", reason="too much")
    second = await person.asked(after=person.talk.frames.index(first) + 1)
    assert second["approval_id"] != first["approval_id"]

    codes = []
    for card in (first, {**second, "sha256": first["sha256"]}, {**first, **_sha(second)}):
        with pytest.raises(Refused) as refused:
            await person.answer(card)
        codes.append(refused.value.code)
    assert codes == ["approval_closed", "approval_mismatch", "approval_closed"]
    assert (counted.sent(person.thread_id), counted.ran) == (0, 0)
    await person.do("turn.stop")
    await person.ended()


def _sha(card: dict[str, str]) -> dict[str, str]:
    return {"sha256": card["sha256"]}


async def test_what_runs_is_what_the_server_stored_not_what_the_client_sends_along(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    person = await waiting_cell(lab, model, counted)
    card = await person.asked()
    await person.answer(card, "run", edited_code="raise SystemExit('not approved as an edit')")
    assert await person.ended() == "end_turn"
    assert (counted.ran, person.state.runs[card["run_id"]].code) == (1, counted.code)


async def test_code_that_the_person_edits_is_a_proposal_of_theirs_with_its_own_hash(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    person = await waiting_cell(lab, model, counted)
    card = await person.asked()
    edited = f"{counted.code}\r\n'edited'"
    await person.answer(card, "run_edited", edited_code=edited)
    assert await person.ended() == "end_turn"
    journal = tmp_path / "journal"
    proposals = events_of(journal, person.thread_id, "run.proposed")
    [sent] = events_of(journal, person.thread_id, "run.intended")
    mine = proposals[1]
    assert (mine["by"], mine["replaces"]) == ("user", card["run_id"])
    assert sent["run_id"] == mine["run_id"]
    stored = edited.replace("\r\n", "\n")
    assert (mine["code"], mine["sha256"]) == (stored, sha256(stored.encode()).hexdigest())
    assert counted.ran == 1
