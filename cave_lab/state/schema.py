"""Writes the front end's types from the pydantic models; `--check` only compares.

`python -m cave_lab.state.schema [--check]`, run from a checkout whose node packages are
installed. Events, frames and state are described as they are sent (every field present),
commands as they are accepted (fields with defaults may be left out).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

from cave_lab.protocol.commands import COMMAND_ADAPTER
from cave_lab.protocol.frames import FRAME_ADAPTER
from cave_lab.protocol.rest import (
    FoundServers,
    ModelCheck,
    ModelName,
    ModelSettings,
    RestError,
    ServerStatus,
    TourNotebook,
    TourRequest,
)
from cave_lab.state.values import ThreadState

REST = (
    FoundServers,
    ModelCheck,
    ModelName,
    ModelSettings,
    RestError,
    ServerStatus,
    TourNotebook,
    TourRequest,
)
ROOT = Path(__file__).parents[2]
WRITER = ROOT / "labextension" / "scripts" / "protocol.mjs"
TARGETS = {
    "Sent": ROOT / "labextension" / "src" / "protocol" / "generated.ts",
    "Accepted": ROOT / "labextension" / "src" / "protocol" / "commands.generated.ts",
}


class _Untitled(GenerateJsonSchema):
    """Leaves out field titles, from which the TypeScript writer would make a type each."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _document(
    title: str, mode: JsonSchemaMode, adapters: dict[str, TypeAdapter[Any]]
) -> dict[str, Any]:
    inputs = [(name, mode, adapter) for name, adapter in adapters.items()]
    refs, definitions = TypeAdapter.json_schemas(inputs, schema_generator=_Untitled)
    definitions = definitions["$defs"]
    if "JsonValue" in definitions:
        definitions["JsonValue"] = {"tsType": "Json"}
    return {
        "title": title,
        "type": "object",
        "additionalProperties": False,
        "properties": {name: refs[(name, mode)] for name in adapters},
        "required": list(adapters),
        "$defs": definitions,
    }


def documents() -> dict[str, dict[str, Any]]:
    """Describe all that travels, as two JSON Schema documents."""
    sent: dict[str, TypeAdapter[Any]] = {
        "frame": FRAME_ADAPTER,
        "state": TypeAdapter(ThreadState),
        **{model.__name__: TypeAdapter(model) for model in REST},
    }
    return {
        "Sent": _document("Sent", "serialization", sent),
        "Accepted": _document("Accepted", "validation", {"command": COMMAND_ADAPTER}),
    }


def render(document: dict[str, Any]) -> str:
    """Turn a document into TypeScript; raises CalledProcessError when node fails."""
    done = subprocess.run(
        ["node", str(WRITER)],
        input=json.dumps(document),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return done.stdout


def main(arguments: list[str]) -> int:
    """Write the files, or compare them; 1 if a file is not what it should be."""
    stale = []
    for name, document in documents().items():
        text, target = render(document), TARGETS[name]
        if not target.exists() or target.read_text() != text:
            stale.append(target)
            if "--check" not in arguments:
                target.write_text(text)
    verb = "is out of date" if "--check" in arguments else "written"
    for target in stale:
        sys.stdout.write(f"{target.relative_to(ROOT)} {verb}\n")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
