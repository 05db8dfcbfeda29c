"""The main job over the real websocket: message, variables, approval, run, result, answer."""

from cave_lab.model.script import Cell, Say, ScriptedTurn, Trajectory, When
from tests.fakes.model_server import ModelServer
from tests.talk import Lab, run_as_person

CODE = "total = sum(numbers)\ntotal"


async def test_the_agent_uses_a_variable_that_the_persons_cell_made(
    lab: Lab, model: ModelServer
) -> None:
    target = await lab.notebook()
    model.load(
        Trajectory(
            "sum",
            (
                ScriptedTurn(
                    "asked",
                    When(last=("numbers: list of 3", "add them up"), role="user"),
                    (Say("I add them."), Cell(CODE, "Add the numbers up")),
                ),
                ScriptedTurn("told", When(last=("Finished", "6"), role="tool"), (Say("It is 6."),)),
            ),
        )
    )
    talk = await lab.connect()
    thread_id = (await talk.ask("thread.create", target=target))["thread_id"]
    await talk.ask("thread.open", thread_id=thread_id)
    await run_as_person(lab, target, "numbers = [1, 2, 3]")

    await talk.ask(
        "message.send", thread_id=thread_id, content=[{"type": "text", "text": "add them up"}]
    )
    asked = await talk.event("approval.requested")
    await talk.ask(
        "approval.answer",
        thread_id=thread_id,
        approval_id=asked["approval_id"],
        sha256=asked["sha256"],
        outcome="run",
    )
    ended = await talk.event("turn.ended")
    assert ended["stop_reason"] == "end_turn"
    run = talk.state(thread_id).runs[asked["run_id"]]
    assert run.status == "ok"
    assert run.code == CODE
    assert [change.name for change in run.variables] == ["total"]
    assert run.excerpt is not None
    assert run.excerpt.head == "6"
