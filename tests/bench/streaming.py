"""Processor time of the server for an answer that streams, a token a chunk, to an open panel.

Through the whole server: litellm, the fold, the journal, the websocket. Beside it, in the same run,
what litellm alone needs for the same stream in a process of its own.

`python -m tests.bench.streaming [tokens]`
"""

import asyncio
import json
import resource
import sys
from typing import Any

from cave_lab.model.litellm import load
from cave_lab.model.pieces import CHARS_PER_TOKEN
from cave_lab.model.script import Item, Say, ScriptedTurn, Think, Trajectory, When
from tests.bench.scripted import serving
from tests.fakes.model_server import ModelServer
from tests.server.process import Served
from tests.talk import Person

TOKENS = 4_000
ROUNDS = 3
TOKENS_PER_SECOND = 400.0
"""Faster than most models, slow enough that the stream is not one lump."""


def _script(tokens: int, *, pace: float | None) -> Trajectory:
    words = ("word" * tokens)[: tokens * CHARS_PER_TOKEN]
    answers: dict[str, Item] = {"text": Say(words), "reasoning": Think(words)}
    turns = [
        ScriptedTurn(
            kind,
            When(last=(f"tell {kind}",)),
            (item, Say(" Done.")),
            tokens_per_second=pace,
            piece_chars=CHARS_PER_TOKEN,
        )
        for kind, item in answers.items()
    ]
    warm_up = ScriptedTurn("warm-up", When(last=("warm up",)), (Say("ok"),))
    return Trajectory("bench", (warm_up, *turns))


async def _turn(served: Served, person: Person, words: str, number: int) -> float:
    """Seconds of the server's processor for one turn."""
    before = served.cpu_seconds
    await person.say(words)
    assert await person.ended(number, seconds=300) == "end_turn"
    return served.cpu_seconds - before


async def _through_the_server(served: Served, target: Any, tokens: int) -> None:
    for model, kind in (
        ("openai/scripted", "text"),
        ("openai/scripted", "reasoning"),
        ("openai/plain", "text"),
    ):
        person = await Person.at(await served.browser(), target, model=model)
        await _turn(served, person, "warm up", 1)
        idle = await _turn(served, person, "warm up", 2)
        spent = [await _turn(served, person, f"tell {kind}", 3 + n) - idle for n in range(ROUNDS)]
        told = f"CaveLab: {kind}" + (" through the parser of fences" if "plain" in model else "")
        print(f"{told:<48} {_per_thousand(min(spent), tokens)}")


def _per_thousand(seconds: float, tokens: int) -> str:
    return f"{seconds / tokens * 1e6:7.0f} ms of CPU per 1,000 tokens"


async def _alone(base_url: str, tokens: int) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.streaming", "alone", base_url),
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate()
    print(f"{'litellm alone: text':<48} {_per_thousand(json.loads(printed), tokens)}")


async def alone(base_url: str) -> float:
    """Seconds of this process's processor for one stream, read and thrown away."""
    litellm: Any = load()
    spent = []
    for words in ("warm up", *["tell text"] * ROUNDS):
        before = resource.getrusage(resource.RUSAGE_SELF)
        stream = await litellm.acompletion(
            model="openai/scripted",
            api_base=base_url,
            api_key="canary-key-0123456789",
            messages=[{"role": "user", "content": words}],
            stream=True,
            stream_options={"include_usage": True},
        )
        async for _chunk in stream:
            pass
        after = resource.getrusage(resource.RUSAGE_SELF)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    await litellm.close_litellm_async_clients()
    return min(spent[1:])


async def main(tokens: int) -> None:
    """Start a server and a scripted model, measure, and print."""
    script = _script(tokens, pace=TOKENS_PER_SECOND)
    async with ModelServer(script) as model, serving(model) as served:
        target = await (await served.browser()).notebook()
        await _through_the_server(served, target, tokens)
        await _alone(model.url, tokens)


if __name__ == "__main__":
    if sys.argv[1:2] == ["alone"]:
        print(json.dumps(asyncio.run(alone(sys.argv[2]))))
    else:
        asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else TOKENS))
