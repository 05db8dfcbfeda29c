"""Be a model server of the given kind on the given port, until this process is ended.

Arguments: the kind, the port, and the names of its models. One line is printed once it listens.
"""

import asyncio
import sys
from collections.abc import Callable

from tests.fakes.local_servers import (
    Behaviour,
    LocalServer,
    llama_cpp,
    lm_studio,
    ollama,
    openai_list,
    paths,
)


def vllm(*names: str) -> Behaviour:
    """vLLM, as far as it is asked."""
    return paths({"/v1/models": openai_list(*names, owned_by="vllm")})


def jan(*names: str) -> Behaviour:
    """Jan, which says nothing of itself."""
    return paths({"/v1/models": openai_list(*names)})


KINDS: dict[str, Callable[..., Behaviour]] = {
    "ollama": ollama,
    "lm_studio": lm_studio,
    "llama_cpp": llama_cpp,
    "vllm": vllm,
    "jan": jan,
}


async def main(kind: str, port: str, *names: str) -> None:
    """Serve."""
    async with LocalServer(KINDS[kind](*names), port=int(port)) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


asyncio.run(main(*sys.argv[1:]))
