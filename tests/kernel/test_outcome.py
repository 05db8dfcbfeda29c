import pytest

from cave_lab.kernel import outcome
from cave_lab.limits import DEFAULT_LIMITS as LIMITS


def of(content: dict, **known: bool):
    return outcome.of_reply(content, LIMITS, stopped=known.pop("stopped", False), **known)


def test_ok_is_ok():
    assert of({"status": "ok", "execution_count": 3}).execution_count == 3


def test_leaving_is_told():
    content = {"status": "ok", "payload": [{"source": "ask_exit", "keepkernel": False}]}
    reason = of(content).reason
    assert reason is not None
    assert "exit" in reason


@pytest.mark.parametrize("ename", ["KeyboardInterrupt", "<class 'KeyboardInterrupt'>"])
def test_an_interrupt_is_ours_or_the_persons(ename):
    content = {"status": "error", "ename": ename, "evalue": ""}
    assert of(content, stopped=True).interrupted_by == "stop"
    assert of(content).interrupted_by == "person"


def test_a_cancelled_await_is_an_interrupt_only_if_somebody_asked():
    content = {"status": "error", "ename": "CancelledError", "evalue": ""}
    assert of(content).status == "error"
    assert of(content, stopped=True).interrupted_by == "stop"
    assert of(content, by_person=True).interrupted_by == "person"


@pytest.mark.parametrize(
    "reason, status",
    [("generation", "kernel_restarted"), ("cancelled", "not_run"), ("repeated", "not_run")],
)
def test_a_refused_run_did_not_run(reason, status):
    ending = of({"status": "refused", "reason": reason})
    assert ending.status == status
    assert "did not run" in str(ending.reason)


def test_an_aborted_request_did_not_run():
    assert of({"status": "aborted"}, started=False).status == "not_run"


def test_a_kernel_that_calls_its_interrupts_aborted_is_understood():
    assert of({"status": "aborted"}, stopped=True, started=True).interrupted_by == "stop"
    by_person = of({"status": "abort", "execution_count": 3}, started=True)
    assert (by_person.status, by_person.interrupted_by) == ("interrupted", "person")
    assert by_person.execution_count == 3


def test_without_a_reply_nothing_is_claimed():
    assert outcome.without_reply(reached_by_stop=False).status == "unknown"
    assert outcome.without_reply(reached_by_stop=True).status == "interrupted"


@pytest.mark.parametrize(
    "reason, status",
    [
        ("lost", "kernel_died"),
        ("restarted", "kernel_restarted"),
        ("shut_down", "kernel_died"),
        ("closed", "unknown"),
    ],
)
def test_a_loss_ends_a_run_with_a_sentence(reason, status):
    ending = outcome.of_loss(reason)
    assert ending.status == status
    assert ending.reason
    assert "did not run" in str(outcome.never_sent(reason).reason)


def test_pages_are_found_among_payloads():
    page = {"source": "page", "data": {"text/plain": "help"}}
    content = {"payload": [{"source": "set_next_input"}, page, "nonsense"]}
    assert outcome.pages(content) == [page]
    assert outcome.pages({"payload": None}) == []
