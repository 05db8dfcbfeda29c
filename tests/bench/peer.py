"""The same talk through CaveAgent, in an environment of its own: it is no dependency of ours.

`PYTHON tests/bench/peer.py < turns.json` prints the messages of every model call as JSON. It needs
`cave-agent==0.8.0` and `pandas` beside Python 3.12 or later, and nothing of this project.
"""

# mypy: ignore-errors
# What it imports is in another environment.

import asyncio
import json
import sys
from typing import Any

from cave_agent import CaveAgent
from cave_agent.models import Model, ModelResponse, StreamDelta, StreamResponse
from cave_agent.runtime import IPythonRuntime, Variable


class ScriptedStream(StreamResponse):
    """One answer, in one piece."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    async def __anext__(self) -> StreamDelta:
        if not self._text:
            raise StopAsyncIteration
        text, self._text = self._text, ""
        self.finish_reason = "stop"
        return StreamDelta(content=text)


class ScriptedModel(Model):
    """Answers in the order of the script, and keeps what it was given."""

    def __init__(self, answers: list[str]) -> None:
        self._answers = iter(answers)
        self.calls: list[list[dict[str, Any]]] = []

    def _next(self, messages: list[dict[str, Any]]) -> str:
        self.calls.append([dict(message) for message in messages])
        return next(self._answers)

    async def _complete(self, messages: list[dict[str, Any]], **_: Any) -> ModelResponse:
        return ModelResponse(content=self._next(messages), finish_reason="stop")

    def stream(self, messages: list[dict[str, Any]], **_: Any) -> StreamResponse:
        return ScriptedStream(self._next(messages))


async def calls_of(frame: str, turns: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Hold the talk; returns what each call was given."""
    names: dict[str, Any] = {}
    exec(frame, names)
    answers = [
        part for turn in turns for part in (f"```python\n{turn['code']}\n```", turn["answer"])
    ]
    model = ScriptedModel(answers)
    runtime = IPythonRuntime(variables=[Variable("df", names["df"], "Sales by the hour")])
    agent = CaveAgent(model, runtime=runtime)
    for turn in turns:
        await agent.run(turn["words"])
    return model.calls


if __name__ == "__main__":
    given = json.load(sys.stdin)
    print(json.dumps(asyncio.run(calls_of(given["frame"], given["turns"]))))
