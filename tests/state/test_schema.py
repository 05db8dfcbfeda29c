"""The documents from which the front end's types are made."""

from typing import Any

from cave_lab.state.schema import documents


def models(document: dict[str, Any]) -> dict[str, Any]:
    return {name: model for name, model in document["$defs"].items() if "properties" in model}


def test_what_is_sent_has_every_field_present_so_that_unions_can_be_told_apart() -> None:
    for name, model in models(documents()["Sent"]).items():
        assert set(model["properties"]) == set(model.get("required", [])), name


def test_what_is_accepted_may_leave_out_what_has_a_default_but_not_its_type() -> None:
    commands = models(documents()["Accepted"])
    send = commands["MessageSend"]
    assert "when" not in send["required"]
    assert {"command_id", "thread_id", "content"} <= set(send["required"])
    assert send["properties"]["type"]["const"] == "message.send"


def test_no_field_has_a_title_of_which_a_type_would_be_made() -> None:
    for document in documents().values():
        for model in models(document).values():
            assert all("title" not in field for field in model["properties"].values())


def test_nothing_unknown_is_let_in_or_sent() -> None:
    for document in documents().values():
        for name, model in models(document).items():
            assert model["additionalProperties"] is False, name
