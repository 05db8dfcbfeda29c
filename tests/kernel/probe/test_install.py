"""The probe comes in by one silent execute and leaves no trace but its handlers."""

import pytest

from cave_lab.kernel.probe import ProbeOptions, injection_code, version
from tests.kernel.probe.lab import GENERATION, Lab, cell

HOSTILE = [
    "list = 3; type = None; get_ipython = 1; len = 0; dict = str = id = map = getattr = None",
    "del __builtins__",
    "__builtins__ = {}",
    "import sys; sys.modules['pandas'] = sys.modules['numpy'] = object()",
    "import sys; sys.modules['time'] = sys.modules['ast'] = sys.modules['signal'] = object()",
    "self = object(); generator = caller = OPTIONS = FRAME = None",
]


async def test_no_name_is_left_and_nothing_is_counted(bare: Lab):
    await bare.run_cell("7")
    before = await bare.value(
        "(sorted(globals()), len(In), len(Out), _, get_ipython().history_length)"
    )
    count = (await bare.run_cell("", store_history=False))["content"]["execution_count"]
    await bare.inject()
    after = await bare.value(
        "(sorted(globals()), len(In), len(Out), _, get_ipython().history_length)"
    )
    assert after == before
    reply = await bare.run_cell("", store_history=False)
    assert reply["content"]["execution_count"] == count


async def test_hello_tells_generation_versions_and_hook(bare: Lab):
    await bare.inject(hook=False)
    hello = await bare.ask("hello")
    assert hello["status"] == "ok"
    assert (hello["generation"], hello["hook"], hello["version"]) == (GENERATION, False, version())
    assert hello["python"] == (await bare.value("__import__('platform').python_version()")).strip(
        "'"
    )
    assert hello["ipykernel"] == (await bare.value("__import__('ipykernel').__version__")).strip(
        "'"
    )


async def test_both_channels_answer(lab: Lab):
    assert await lab.ask("hello", control=True) == await lab.ask("hello", control=False)


@pytest.mark.parametrize("code", HOSTILE)
async def test_it_comes_in_and_works_whatever_the_user_has_shadowed(bare: Lab, code: str):
    await bare.run_cell("kept = [1, 2]")
    await bare.run_cell(code)
    await bare.inject()
    assert (await bare.rows())["kept"]["length"] == 2
    assert await bare.changed_by("kept.append(3)") == {"kept": "changed"}


@pytest.mark.parametrize("code", HOSTILE)
async def test_it_goes_on_working_whatever_the_user_shadows_later(lab: Lab, code: str):
    await lab.run_cell("kept = [1, 2]")
    await lab.run_cell(code)
    assert (await lab.rows())["kept"]["length"] == 2
    assert await lab.changed_by("kept.append(3)") == {"kept": "changed"}


async def test_it_survives_a_reset_of_the_namespace(lab: Lab):
    await lab.run_cell("gone = 1")
    await lab.run_cell("%reset -f")
    await lab.run_cell("here = 1")
    assert set(await lab.rows()) == {"here"}


async def test_a_second_injection_replaces_the_first_and_keeps_its_generation(lab: Lab):
    await lab.run_cell("x = [1]")
    hooks = "{name: len(found) for name, found in get_ipython().events.callbacks.items()}"
    handlers = "sorted(get_ipython().kernel.shell_handlers)"
    once = await lab.value(f"({hooks}, {handlers})")
    await lab.inject("another-generation")
    assert await lab.value(f"({hooks}, {handlers})") == once
    assert (await lab.ask("hello"))["generation"] == GENERATION
    assert await lab.changed_by("x.append(2)") == {"x": "changed"}


async def test_what_was_cancelled_and_what_ran_outlives_a_second_injection(lab: Lab):
    done = lab.start_run("x = 1")
    await lab.finished(done)
    await lab.ask("cancel", run_id="never")
    await lab.inject()
    message = lab.client.session.msg("cave_lab_execute_request", cell("x = 2"))
    message["content"].update(generation=GENERATION, run_id="never")
    refused = await lab.reply(lab.send_message(message))
    assert refused["content"]["reason"] == "cancelled"
    assert (await lab.changes(done))["known"]


async def test_without_the_hook_nothing_is_registered_and_changes_are_unknown(bare: Lab):
    hooks = "{name: len(found) for name, found in get_ipython().events.callbacks.items()}"
    before = await bare.value(hooks)
    await bare.inject(hook=False)
    run = await bare.run("x = 1")
    assert await bare.value(hooks) == before
    assert not (await bare.changes(run["parent_header"]["msg_id"]))["known"]
    assert set(await bare.rows()) == {"x"}


async def test_a_kernel_without_handlers_is_told_in_words(bare: Lab):
    code = "kernel = get_ipython().kernel; handlers = kernel.__dict__.pop('control_handlers')"
    await bare.run_cell(code)
    injection = cell(injection_code(ProbeOptions(GENERATION)), silent=True)
    reply = await bare.reply(bare.send("execute_request", injection))
    assert reply["content"]["status"] == "error"
    assert "no message handlers of ipykernel" in reply["content"]["evalue"]
