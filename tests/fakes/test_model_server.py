import asyncio
import json
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from cave_lab.errors import ModelBadRequest
from cave_lab.model.litellm import LiteLLMModel
from cave_lab.model.script import Gate, Say, ScriptedTurn, When
from tests.fakes.model_server import ModelServer
from tests.fakes.record import key_mark
from tests.model.helpers import CANARY, chunks_of, key, model, request, script, text_of
from tests.waiting import until

__all__ = ["key", "model"]


async def ask(url: str, body: object = None) -> Any:
    """Call a control endpoint as a browser's test would."""

    def call() -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(url, data)) as answer:
            return json.load(answer)

    return await asyncio.to_thread(call)


async def test_a_request_that_fits_no_turn_is_refused_with_the_reason(model: LiteLLMModel):
    async with ModelServer(script(ScriptedTurn("first", When(last=("df",))))) as server:
        with pytest.raises(ModelBadRequest) as caught:
            await chunks_of(model, request(server, "hello"))
        assert "wants 'df'" in str(caught.value.detail)
        [mismatch] = server.mismatches
        assert "'hello'" in mismatch


async def test_an_answer_waits_at_a_gate_until_it_is_released(model_server, model: LiteLLMModel):
    model_server.load(script(ScriptedTurn("t", answer=(Say("a"), Gate("go"), Say("b")))))
    async with asyncio.TaskGroup() as group:
        call = group.create_task(chunks_of(model, request(model_server)))
        await until(
            lambda: model_server.requests and model_server.requests[0].when("gate", "go"),
            "the gate",
        )
        assert not call.done()
        model_server.release("go")
    assert text_of(call.result()) == "ab"


async def test_a_release_ahead_of_time_counts_once(model_server, model: LiteLLMModel):
    model_server.release("go")
    model_server.load(script(ScriptedTurn("t", answer=(Gate("go"), Say("b")))))
    assert text_of(await chunks_of(model, request(model_server))) == "b"
    async with asyncio.TaskGroup() as group:
        call = group.create_task(chunks_of(model, request(model_server)))
        await until(
            lambda: len(model_server.requests) > 1 and model_server.requests[1].when("gate"),
            "the gate",
        )
        assert model_server.requests[1].when("released") is None
        model_server.release("go")
    assert text_of(call.result()) == "b"


async def test_tokens_come_at_the_pace_of_the_script(model_server, model: LiteLLMModel):
    turn = ScriptedTurn("t", answer=(Say("a" * 120),), tokens_per_second=100)
    model_server.load(script(turn))
    await chunks_of(model, request(model_server))
    [sent] = model_server.requests
    assert sent.when("ended") - sent.when("begun") >= 0.3


async def test_it_is_driven_over_http(model_server, model: LiteLLMModel):
    turn = {"name": "t", "answer": [{"gate": "go"}, {"text": "Hello."}]}
    await ask(f"{model_server.root}/__script__", {"name": "new", "turns": [turn]})
    await ask(f"{model_server.root}/__release__", {"gate": "go"})
    assert text_of(await chunks_of(model, request(model_server))) == "Hello."
    [recorded] = await ask(f"{model_server.root}/__requests__")
    assert recorded["turn"] == "t"
    assert recorded["body"]["messages"][-1]["content"] == "hi"
    assert [h["what"] for h in recorded["happenings"]] == ["begun", "gate", "released", "ended"]


async def test_it_runs_by_itself_and_logs_requests_without_the_key(
    tmp_path: Path, model: LiteLLMModel
):
    file, log = tmp_path / "script.json", tmp_path / "requests.jsonl"
    file.write_text(json.dumps({"name": "f", "turns": [{"name": "t", "answer": [{"text": "x"}]}]}))
    words = ["-m", "tests.fakes.model_server", "--script", str(file), "--log", str(log)]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *words,
        cwd=Path(__file__).parents[2],
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        url = (await process.stdout.readline()).decode().strip()
        server = ModelServer(port=int(url.removesuffix("/v1").rpartition(":")[2]))
        assert server.url == url
        assert text_of(await chunks_of(model, request(server))) == "x"
    finally:
        process.terminate()
        await process.wait()
    [line] = log.read_text().splitlines()
    assert CANARY not in line
    assert json.loads(line)["headers"]["authorization"] == key_mark(CANARY)
