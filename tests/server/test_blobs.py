"""`GET /cave-lab/blobs/…`: a large output, given as bytes that are never taken for a page."""

import hashlib
import json

import pytest

from cave_lab.model.script import Cell, Say
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import asked, script, told
from tests.talk import Lab, Person

SCRIPT = "<script>parent.document.title = 'taken'</script>"
PAGE = SCRIPT + "x" * 100_000


async def test_a_large_output_travels_as_a_reference_and_is_fetched_by_it(
    lab: Lab, model: ModelServer
) -> None:
    code = f"from IPython.display import HTML\nHTML({SCRIPT!r} + 'x' * 100_000)"
    model.load(script(asked("go", Cell(code, "Show")), told("", Say("Done."))))
    person = await Person.at(lab, await lab.notebook())
    await person.say("go")
    await person.answer(await person.asked())
    await person.ended()
    added = await person.talk.event("output.added")
    reference = added["output"]
    assert reference["output_type"] == "blob"
    assert "taken" not in json.dumps(added)

    answer = await lab.fetch(f"cave-lab/blobs/{person.thread_id}/{reference['blob']}")
    assert answer.code == 200
    assert hashlib.sha256(answer.body).hexdigest() == reference["blob"]
    assert json.loads(answer.body)["data"]["text/html"] == PAGE


@pytest.mark.parametrize("mime", ["text/html", "image/svg+xml", "application/json"])
async def test_its_bytes_can_not_become_a_page_of_ours(lab: Lab, mime: str) -> None:
    person = await Person.at(lab, {})
    journal = (await lab.domain()).journal
    blob = await journal.put_blob(PAGE.encode(), mime, person.thread_id)
    answer = await lab.fetch(f"cave-lab/blobs/{person.thread_id}/{blob}")
    assert answer.body == PAGE.encode()
    assert answer.headers["Content-Type"] == mime
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert {"sandbox", "default-src 'none'"} <= set(policy)
    assert "private" in answer.headers["Cache-Control"]


@pytest.mark.parametrize(
    "path",
    [
        "{thread}/" + "0" * 64,
        "thread-0/{blob}",
        "{other}/{blob}",
        "{thread}/{blob}x",
        "../{thread}/{blob}",
        "{thread}/..%2f..%2fstatus",
    ],
)
async def test_nothing_else_is_given(lab: Lab, path: str) -> None:
    person, another = await Person.at(lab, {}), await Person.at(lab, {})
    journal = (await lab.domain()).journal
    blob = await journal.put_blob(b"mine", "text/plain", person.thread_id)
    names = {"thread": person.thread_id, "other": another.thread_id, "blob": blob}
    answer = await lab.fetch(f"cave-lab/blobs/{path.format(**names)}")
    assert answer.code == 404
    assert b"mine" not in answer.body


async def test_what_a_deleted_thread_stored_is_gone(lab: Lab) -> None:
    person = await Person.at(lab, {})
    journal = (await lab.domain()).journal
    blob = await journal.put_blob(b"mine", "text/plain", person.thread_id)
    await person.do("thread.delete")
    assert (await lab.fetch(f"cave-lab/blobs/{person.thread_id}/{blob}")).code == 404
