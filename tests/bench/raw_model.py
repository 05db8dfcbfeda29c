"""What litellm alone needs for a call, as the baseline for CaveLab's own way to the kernel.

As CaveLab does, it leaves a stream once the usage is there.

In a process of its own, as a server is: `python -m tests.bench.raw_model BASE_URL CALLS` prints the
times at which each stream had ended, as JSON.
"""

import asyncio
import json
import sys
import time
from typing import Any

from cave_lab.model.actions import TOOLS
from cave_lab.model.litellm import load

WARM_UP = 3
"""Calls before the first that counts: connections and caches."""


async def ended_calls(base_url: str, calls: int) -> list[float]:
    """Make calls one after the other; returns when each of the last ones had ended."""
    litellm: Any = load()
    ended = []
    for _ in range(WARM_UP + calls):
        stream = await litellm.acompletion(
            model="openai/scripted",
            api_base=base_url,
            api_key="canary-key-0123456789",
            messages=[{"role": "user", "content": "go"}],
            tools=[*TOOLS],
            stream=True,
            stream_options={"include_usage": True},
        )
        async for chunk in stream:
            if getattr(chunk, "usage", None) is not None:
                break
        await stream.aclose()
        ended.append(time.time())
    await litellm.close_litellm_async_clients()
    return ended[WARM_UP:]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(ended_calls(sys.argv[1], int(sys.argv[2])))))
