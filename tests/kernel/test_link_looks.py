"""Looks through a link: every name gets an answer, whatever the kernel does."""

import dataclasses
import os
import signal

import pytest

from cave_lab.errors import KernelSilent, ProbeUnavailable
from cave_lab.kernel.port import Detail
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.privacy.redact import Redactor
from tests.kernel.cells import HELD, is_held
from tests.kernel.recorder import run, start
from tests.waiting import until

HEAD = Detail("head")
QUICK = dataclasses.replace(DEFAULT_LIMITS, probe_seconds=0.3)


async def test_every_name_gets_an_answer_in_the_order_asked_for(sit):
    link = (await sit()).link
    await run(link, "a = [1, 2]\nb = 'text'\nc = object()")
    found = await link.look(["b", "gone", "a", "c", "\ud800"], HEAD, values=True)
    assert [one.name for one in found] == ["b", "gone", "a", "c", "\ud800"]
    text, gone, items, closed, odd = found
    assert (text.text.head, text.values, text.variable.type) == ("text", True, "str")
    assert items.text.head == "[1, 2]"
    assert gone.note == odd.note == "There is no variable of this name."
    assert closed.text is None
    assert closed.note == "Only its type can be told without running code of the object."


async def test_what_is_shown_keeps_to_the_limits(sit):
    link = (await sit(limits=dataclasses.replace(DEFAULT_LIMITS, looked_chars=50))).link
    await run(link, "a = ['x' * 100] * 100")
    [found] = await link.look(["a"], HEAD, values=True)
    assert found.text.cut
    assert len(found.text.head) + len(found.text.tail) <= 50


async def test_values_leave_only_if_they_are_asked_for(sit):
    link = (await sit()).link
    await run(link, "a = ['secret', 7]")
    [found] = await link.look(["a"], HEAD, values=False)
    assert (found.text.head, found.values) == ("2 items: 1 str, 1 int", False)


async def test_while_a_cell_runs_only_what_things_are_is_told(sit, group, gate):
    desk = await sit()
    await run(desk.link, "a = [1, 2]")
    person = await desk.person()
    theirs = person.send(gate.cell())
    await desk.sees_theirs()
    [found, gone] = await desk.link.look(["a", "gone"], HEAD, values=True)
    assert (found.text, found.variable.length) == (None, 2)
    assert found.note.startswith("A cell runs, so contents can't be looked at now.")
    assert gone.note == "There is no variable of this name."
    [plain] = await desk.link.look(["a"], Detail(), values=True)
    assert (plain.variable.length, plain.note) == (2, None)
    gate.open()
    await person.reply(theirs)
    await until(lambda: desk.link.activity.state == "idle", "the idle kernel")
    assert (await desk.link.look(["a"], HEAD, values=True))[0].text.head == "[1, 2]"


async def test_a_silent_kernel_tells_what_was_last_seen_with_its_age(sit, group):
    desk = await sit(limits=QUICK)
    await run(desk.link, "a = [1, 2]")
    await desk.link.variables()
    ours = start(desk.link, HELD, group)
    await until(lambda: is_held(desk.link), "the silent kernel")
    for detail in (Detail(), HEAD):
        [found, other] = await desk.link.look(["a", "b"], detail, values=True)
        assert found.variable.length == 2
        assert found.note.startswith("The kernel does not answer now. This was seen ")
        assert other.variable is None
        assert "no variable of this name was last seen" in other.note
    await ours.outcome(40)


async def test_a_stopped_kernel_that_was_never_looked_at_is_told_to_be_silent(sit):
    desk = await sit(limits=QUICK)
    pid = desk.manager.provisioner.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        await until(lambda: desk.link.activity.state == "silent", "the silent kernel")
        for detail in (Detail(), HEAD):
            with pytest.raises(KernelSilent):
                await desk.link.look(["a"], detail, values=True)
    finally:
        os.kill(pid, signal.SIGCONT)


async def test_without_a_probe_a_look_says_why_there_is_none(sit):
    desk = await sit(probe=False)
    with pytest.raises(ProbeUnavailable, match="switched off"):
        await desk.link.look(["a"], HEAD, values=True)


async def test_looks_are_no_activity_in_the_eyes_of_the_culler(sit):
    desk = await sit()
    await run(desk.link, "a = [1, 2]")
    await until(lambda: desk.manager.execution_state == "idle", "the server seeing it idle")
    stamp = desk.manager.last_activity
    await desk.link.look(["a"], HEAD, values=True)
    assert desk.manager.last_activity == stamp
    assert desk.manager.execution_state == "idle"


KEY = "canary-value-0123456789"
PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpQIBAAKC\n" * 200 + "-----END RSA PRIVATE KEY-----"
SHORT = dataclasses.replace(DEFAULT_LIMITS, looked_chars=60)


async def test_no_part_of_a_secret_across_a_cut_leaves_the_kernels_side(sit):
    link = (await sit(limits=SHORT)).link
    await run(
        link,
        f"key, pem = {KEY!r}, {PEM!r}\n"
        "coded = pem.encode()\n"
        "text = 'x' * 50 + key + 'y' * 50\n"
        "data = b'x' * 5 + key.encode() + b'y' * 50\n"
        "items = ['x' * 12, key, 'y' * 50, pem]\n"
        "ends = ['a' * 100, 'b' * 30 + key]\n",
    )
    redact = Redactor({"MY_API_KEY": KEY})
    names = ["text", "data", "items", "ends", "pem", "coded"]
    for detail in [
        HEAD,
        *(Detail("slice", start=at) for at in (1, 11, 60, 65, 100, 1_000, 2_100, 2_500)),
    ]:
        for found in await link.look(names, detail, values=True, redact=redact):
            told = redact(f"{found.text.head}\n[… cut …]\n{found.text.tail}") if found.text else ""
            assert not [n for n in range(len(KEY) - 3) if KEY[n : n + 4] in told], told
            assert "MIIE" not in told
            assert "IBAAKC" not in told


async def test_a_slice_without_secrets_is_told_as_it_is(sit):
    link = (await sit(limits=SHORT)).link
    await run(link, "text = 'abcdefghij' * 100\ndata = text.encode()")
    detail = Detail("slice", start=10)
    text, data = await link.look(["text", "data"], detail, values=True)
    assert (text.text.head, text.text.total, text.text.cut) == ("abcdefghij" * 6, 1_000, True)
    assert text.note == "Characters 10 to 69 of 1,000, counted from 0."
    assert (data.text.head, data.text.cut) == ("b'abcdefghijabcde'…", False)
