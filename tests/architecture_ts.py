"""The same for the TypeScript of the front end, by its import lines and a few words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path, PurePosixPath

FILE_LINES = 400

GENERATED = re.compile(r"^protocol/(.*\.)?generated\.ts$")
IMPORT = re.compile(
    r"""^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]   # import … from, export … from
      | ^\s*import\s*['"]([^'"]+)['"]                              # import for its effects
      | \b(?:import|require)\(\s*['"]([^'"]+)['"]""",
    re.MULTILINE | re.VERBOSE,
)
COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """One TypeScript file below `src/`, its comments taken out."""

    name: str
    text: str
    lines: int

    def imports(self) -> Iterator[str]:
        """What stands in the quotes of its imports and re-exports."""
        for match in IMPORT.finditer(self.text):
            yield next(name for name in match.groups() if name)


def sources(src: Path) -> list[Source]:
    """Every TypeScript file below `src`."""
    found = []
    for path in sorted([*src.rglob("*.ts"), *src.rglob("*.tsx")]):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(src).as_posix()
        found.append(Source(name, COMMENT.sub("", text), len(text.splitlines())))
    return found


def _resolve(importer: str, name: str) -> str:
    """The path below `src`, without its ending, that a relative import points at."""
    parts: list[str] = []
    for part in (*PurePosixPath(importer).parent.parts, *PurePosixPath(name).parts):
        if part == "..":
            if parts:
                parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _stem(name: str) -> str:
    return re.sub(r"\.tsx?$", "", name)


def _is_pure(name: str) -> bool:
    return name.startswith(("state/", "notebook/reconcile"))


def jupyterlab_free(src: Path) -> list[str]:
    """Pure modules that know JupyterLab."""
    return [
        f"{source.name} imports {name}; it must be pure"
        for source in sources(src)
        if _is_pure(source.name)
        for name in source.imports()
        if name.startswith("@jupyterlab/")
    ]


def one_socket(src: Path) -> list[str]:
    """Modules beside the connection that know the websocket."""
    return [
        f"{source.name} uses WebSocket; only connection.ts does"
        for source in sources(src)
        if source.name != "connection.ts" and re.search(r"\bWebSocket\b", source.text)
    ]


def one_notebook(src: Path) -> list[str]:
    """Modules outside `notebook/` that know JupyterLab's notebook."""
    return [
        f"{source.name} imports @jupyterlab/notebook; only notebook/ does"
        for source in sources(src)
        if not source.name.startswith("notebook/")
        and any(name.startswith("@jupyterlab/notebook") for name in source.imports())
    ]


def floors(src: Path) -> list[str]:
    """Imports of `protocol/` and `state/` that go up."""
    below = {"protocol": ("protocol/",), "state": ("protocol/", "state/")}
    found = []
    for source in sources(src):
        allowed = below.get(source.name.split("/")[0])
        for name in source.imports():
            target = _resolve(source.name, name) if name.startswith(".") else None
            if allowed and target and not target.startswith(allowed):
                found.append(f"{source.name} imports {target}, which is not below it")
    return found


def circles(src: Path) -> list[str]:
    """A group of modules that import each other, if there is one."""
    known = {_stem(source.name) for source in sources(src)}
    graph: dict[str, set[str]] = {}
    for source in sources(src):
        targets = {_resolve(source.name, name) for name in source.imports() if name[0] == "."}
        targets |= {f"{target}/index" for target in targets}
        graph[_stem(source.name)] = targets & known
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        return ["a circle: " + " → ".join(reversed(circle.args[1]))]
    return []


def sizes(src: Path) -> list[str]:
    """Files that have grown too long; generated ones may."""
    return [
        f"{source.name} has {source.lines} lines, more than {FILE_LINES}"
        for source in sources(src)
        if source.lines > FILE_LINES and not GENERATED.match(source.name)
    ]
