"""What our requests to a kernel say of themselves."""

import pytest

from cave_lab.kernel.message import RUN_REQUEST
from cave_lab.kernel.port import RunRequest
from cave_lab.kernel.prober import run_request, silent_execute
from cave_lab.protocol.ids import Generation, RunId, new_id
from tests.kernel.recorder import Recorder, run


@pytest.mark.parametrize("generation", [None, Generation("1-a")], ids=["plain", "guarded"])
def test_a_run_may_ask_for_input_and_aborts_nothing_behind_it(generation):
    kind, content = run_request(RunId("run-1"), "1", generation)
    assert kind == ("execute_request" if generation is None else RUN_REQUEST)
    assert (content["allow_stdin"], content["stop_on_error"]) == (True, False)


def test_a_silent_request_of_ours_asks_for_nothing():
    content = silent_execute("1")
    assert (content["silent"], content["store_history"], content["allow_stdin"]) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize("probe", [True, False], ids=["guarded", "plain"])
async def test_a_scratch_run_leaves_no_trace_in_history_and_count(sit, probe):
    desk = await sit(probe=probe)
    person = await desk.person()
    before = (await person.run("'mine'"))["execution_count"]
    assert desk.link.generation is not None
    request = RunRequest(RunId(new_id("run")), "print(2)", desk.link.generation, scratch=True)
    recorder = Recorder()
    assert (await desk.link.run(request, recorder)).status == "ok"
    assert recorder.text == "2\n"
    assert await person.value("In[-1]") == "\"'mine'\""
    assert (await run(desk.link, "1")).execution_count == before + 1
