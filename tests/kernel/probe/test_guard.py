"""A guarded run is a plain one that starts only if it may."""

from itertools import groupby

import pytest

from tests.kernel.probe.lab import GENERATION, Lab, cell
from tests.waiting import until

CELLS = {
    "a result": "1 + 1",
    "printing": "print('out'); import sys; print('err', file=sys.stderr, flush=True); 3",
    "an error": "1 / 0",
    "a syntax error": "1 +",
    "a display": "from IPython.display import display; display('x'); display('y')",
    "nothing": "",
    "top-level await": "import asyncio\nawait asyncio.sleep(0.01)\nprint('awaited')\n5",
    "an error after an await": "import asyncio\nawait asyncio.sleep(0.01)\n{}['k']",
    "a magic": "%time print('timed')",
    "a payload": "get_ipython().set_next_input('x')",
}

VOLATILE = {"engine_info", "user_expressions"}


def content_of(reply: dict) -> dict:
    """What a reply says, without counts that differ and times."""
    content = {key: value for key, value in reply["content"].items() if key not in VOLATILE}
    return {**content, "execution_count": None, "traceback": len(content.get("traceback", []))}


def published(lab: Lab, identity: str) -> list[str]:
    """The types of what was published; into how many pieces a text falls is a matter of time."""
    return [kind for kind, _ in groupby(lab.types(identity))]


async def test_a_guarded_run_looks_like_a_plain_one(lab: Lab):
    for name, code in CELLS.items():
        plain, guarded = lab.start_cell(code), lab.start_run(code)
        plain_reply, guarded_reply = await lab.finished(plain), await lab.finished(guarded)
        assert guarded_reply["msg_type"] == "execute_reply"
        assert guarded_reply["parent_header"]["msg_id"] == guarded
        assert (name, published(lab, guarded)) == (name, published(lab, plain))
        assert (name, content_of(guarded_reply)) == (name, content_of(plain_reply))


async def test_it_counts_and_enters_the_history_as_a_plain_one(lab: Lab):
    plain = await lab.run_cell("40 + 1")
    guarded = await lab.run("40 + 2")
    assert guarded["content"]["execution_count"] == plain["content"]["execution_count"] + 1
    assert await lab.value("(_, __, In[-1], Out[max(Out)])") == "(42, 41, '40 + 2', 42)"


async def test_a_scratch_run_shows_its_value_and_leaves_history_count_and_kept_values_alone(
    lab: Lab,
):
    first = await lab.run_cell("40 + 1")
    kept = "(len(In), sorted(Out), _, __, _i, '_%d' % (len(In)) in globals())"
    before = await lab.value(kept)
    scratch = lab.start_run("40 + 2", store_history=False)
    await lab.finished(scratch)
    assert "execute_result" in lab.types(scratch)
    failed = await lab.run("40 + 3\n1 / 0", store_history=False)
    assert failed["content"]["status"] == "error"
    assert await lab.value(kept) == before
    then = await lab.run_cell("40 + 4")
    assert then["content"]["execution_count"] == first["content"]["execution_count"] + 1
    assert await lab.value("(_, __, In[-1], Out[max(Out)])") == "(44, 41, '40 + 4', 44)"


@pytest.mark.parametrize("before, code, shown", [("1;", "2", True), ("1", "2;", False)])
async def test_a_scratch_run_goes_by_its_own_semicolon_and_not_by_that_of_the_cell_before(
    lab: Lab, before: str, code: str, shown: bool
):
    await lab.run_cell(before)
    scratch = lab.start_run(code, store_history=False)
    await lab.finished(scratch)
    assert ("execute_result" in lab.types(scratch)) is shown
    plain = lab.start_cell("3;")
    await lab.finished(plain)
    assert "execute_result" not in lab.types(plain)


async def test_another_generation_is_refused_and_nothing_runs(lab: Lab):
    refused = lab.start_run("x = 1", generation="another")
    content = (await lab.finished(refused))["content"]
    assert content == {"status": "refused", "reason": "generation"}
    assert "execute_input" not in lab.types(refused)
    assert await lab.value("'x' in globals()") == "False"


async def test_after_a_restart_the_type_is_unknown_and_nothing_runs(lab: Lab):
    await lab.restart()
    lab.start_run("x = 1")
    assert await lab.value("'x' in globals()") == "False"


async def test_a_run_cancelled_behind_the_users_cell_never_runs(lab: Lab):
    users = lab.start_cell("answer = input()", allow_stdin=True)
    queued = lab.start_run("x = 1")
    await until(lambda: lab.questions, "the user's question")
    cancelled = await lab.ask("cancel", run_id=queued)
    assert cancelled == {"status": "ok", "running": users, "ran": False}
    lab.client.input("on")
    assert (await lab.finished(users))["content"]["status"] == "ok"
    refusal = (await lab.finished(queued))["content"]
    assert refusal == {"status": "refused", "reason": "cancelled"}
    assert await lab.value("(answer, 'x' in globals())") == "('on', False)"


async def test_cancelling_a_run_that_ran_says_so(lab: Lab):
    run = lab.start_run("x = 1")
    await lab.finished(run)
    assert await lab.ask("cancel", run_id=run) == {"status": "ok", "running": None, "ran": True}


async def test_no_run_id_runs_twice(lab: Lab):
    message = lab.client.session.msg(
        "cave_lab_execute_request", cell("n = globals().get('n', 0) + 1")
    )
    run_id = message["header"]["msg_id"]
    message["content"].update(generation=GENERATION, run_id=run_id)
    await lab.finished(lab.send_message(message))
    again = lab.client.session.msg("cave_lab_execute_request", message["content"])
    content = (await lab.finished(lab.send_message(again)))["content"]
    assert content == {"status": "refused", "reason": "repeated"}
    assert await lab.value("n") == "1"


async def test_a_failing_cell_of_the_user_aborts_a_run_queued_behind_it(lab: Lab):
    users = lab.start_cell("answer = input(); 1 / 0", allow_stdin=True, stop_on_error=True)
    queued = lab.start_run("x = 1")
    await until(lambda: lab.questions, "the user's question")
    lab.client.input("")
    assert (await lab.finished(users))["content"]["status"] == "error"
    reply = await lab.finished(queued)
    assert (reply["msg_type"], reply["content"]["status"]) == ("execute_reply", "aborted")
    assert await lab.value("'x' in globals()") == "False"


async def test_a_request_that_is_no_run_is_answered_with_a_reason(lab: Lab):
    answer = await lab.ask("cancel")
    assert answer == {"status": "error", "reason": "The kernel could not answer: KeyError."}
