"""What the log holds: that something happened, never what was said, and no secret."""

from pathlib import Path

import pytest

from cave_lab.model.script import Cell, Fault, Say, ScriptedTurn
from tests.fakes.model_server import ModelServer
from tests.lab import KEY, KEY_VALUE
from tests.security.trying import refused
from tests.server.process import TOKEN, Served
from tests.server.scenarios import asked, script, told
from tests.talk import Person

SAID = "canary-in-a-message"
CODE = "canary_in_code = 'canary-in-code'"
ANSWER = "canary-in-an-answer"


@pytest.mark.timeout(300)
async def test_the_log_holds_no_token_no_key_no_message_no_code_and_no_answer(
    model: ModelServer, tmp_path: Path
) -> None:
    broken = ScriptedTurn("broken", fault=Fault("bad_request", f"wrong: {KEY_VALUE} {SAID}"))
    model.load(script(asked(SAID, Cell(CODE, "Say")), told("Finished", Say(ANSWER)), broken))
    served = Served(
        tmp_path,
        cave_lab={"model": "openai/scripted", "api_base": model.url, "key_env": KEY},
        environ={KEY: KEY_VALUE},
    )
    await served.start()
    browser = await served.browser()
    person = await Person.at(browser, await browser.notebook())
    await person.say(SAID)
    await person.answer(await person.asked())
    assert await person.ended() == "end_turn"
    await person.say("this one fails")
    assert await person.ended(2) == "model_error"

    # Refusals of each kind, all with the token in the address.
    token = f"?token={TOKEN}"
    body = {"model": f"openai/{SAID}"}
    codes = [
        (
            await browser.fetch(f"cave-lab/settings{token}", method="PUT", body=body, headers={})
        ).code,
        (await browser.fetch(f"cave-lab/blobs/thread-0/{'0' * 64}{token}", headers={})).code,
        (await browser.fetch(f"cave-lab/tour{token}", method="PUT", body={}, headers={})).code,
        await refused(browser, {"Host": "evil.example"}, query=token),
    ]
    assert codes == [403, 404, 405, 403]
    await person.talk.raw(f"no command: {SAID}")
    await person.talk.saw(lambda frame: frame["type"] == "command.rejected", "a rejection")
    assert await served.stop() == 0

    ours = [line for line in served.log.splitlines() if "cave-lab" in line or "cave_lab" in line]
    assert len(ours) > 3, "the log is not where it is looked for"
    heard = served.log.replace("?token=[secret]", "")
    for secret in (TOKEN, KEY_VALUE, SAID, "canary_in_code", "canary-in-code", ANSWER):
        assert [line for line in heard.splitlines() if secret in line] == []
