"""Reads the imports and sizes of a tree of Python files, and says what is against the drawing.

Every check takes the folder that holds the package and returns one sentence a finding, so that it
can be tried on small made-up trees as well as on the real one.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PACKAGE = "cave_lab"

FLOORS: tuple[frozenset[str], ...] = (
    frozenset({"errors", "limits", "untracked"}),
    frozenset({"protocol"}),
    frozenset({"state", "privacy"}),
    frozenset({"journal", "kernel", "model", "approval", "notebook"}),
    frozenset({"thread"}),
    frozenset({"server"}),
)
"""From the ground up; a room imports from lower floors and from itself."""

EVERYWHERE = frozenset({"pydantic", "pydantic_core", "typing_extensions"})
"""Vocabulary: what the types of every floor are made of."""

ROOM_OF_LIBRARY: Mapping[str, frozenset[str]] = {
    "IPython": frozenset({"cave_lab.approval"}),
    "ipykernel": frozenset({"cave_lab.kernel"}),
    "jupyter_client": frozenset({"cave_lab.kernel"}),
    "jupyter_core": frozenset({"cave_lab.kernel", "cave_lab.server"}),
    "jupyter_events": frozenset({"cave_lab.server"}),
    "jupyter_server": frozenset({"cave_lab.server"}),
    "jupyter_server.gateway": frozenset({"cave_lab.kernel"}),
    "jupyter_server.services.kernels": frozenset({"cave_lab.kernel"}),
    "jupyter_server.services.sessions": frozenset({"cave_lab.kernel"}),
    "litellm": frozenset({"cave_lab.model.litellm"}),
    "tiktoken": frozenset({"cave_lab.model.litellm"}),
    "nbformat": frozenset({"cave_lab.notebook"}),
    "sqlite3": frozenset({"cave_lab.journal"}),
    "tornado": frozenset({"cave_lab.server"}),
    "traitlets": frozenset({"cave_lab.server"}),
    "zmq": frozenset({"cave_lab.kernel"}),
}
"""The one room that may import a library; the longest matching prefix decides."""

TOUR = "cave_lab.model.tour"
TOUR_MAY_USE = ("cave_lab.model.port", "cave_lab.model.script", "cave_lab.model.scripted", TOUR)

FILE_LINES = 400
FUNCTION_LINES = 60


@dataclass(frozen=True)
class Module:
    """One Python file, by the name it is imported under."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        """The source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The source, parsed."""
        return ast.parse(self.text, str(self.path))

    @property
    def room(self) -> str:
        """The part below the package: `kernel` for `cave_lab.kernel.link`."""
        return self.name.split(".")[1] if "." in self.name else ""


def modules(root: Path) -> dict[str, Module]:
    """Every module of the package below `root`, by name."""
    found = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = Module(name, path)
    return found


def _absolute(module: Module, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    package = module.name.split(".")
    if module.path.name != "__init__.py":
        package = package[:-1]
    base = package[: len(package) - node.level + 1]
    return ".".join([*base, node.module] if node.module else base)


def imports(module: Module) -> Iterator[str]:
    """Every dotted name that the module imports, wherever in it the statement stands."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(module, node)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def _own(root: Path) -> Iterator[tuple[Module, str]]:
    """Each import of one module of ours by another: who, and the module that it gets."""
    known = modules(root)
    for module in known.values():
        for name in imports(module):
            if not _within(name, PACKAGE):
                continue
            target = name if name in known else name.rpartition(".")[0]
            if target not in {PACKAGE, module.name}:
                yield module, target


def floors(root: Path) -> list[str]:
    """Imports that go up or sideways, and rooms that stand on no floor."""
    level = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    found = [
        f"{module.name} stands on no floor"
        for module in modules(root).values()
        if module.room and module.room not in level
    ]
    for module, target in _own(root):
        if not module.room:
            continue
        room = target.split(".")[1]
        below = level.get(room, -1) < level.get(module.room, -1)
        if room != module.room and not below:
            found.append(f"{module.name} imports {target}, which is not below it")
    return found


def circles(root: Path) -> list[str]:
    """A group of modules that import each other, if there is one."""
    graph: dict[str, set[str]] = {}
    for module, target in _own(root):
        graph.setdefault(module.name, set()).add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        return ["a circle: " + " → ".join(reversed(circle.args[1]))]
    return []


def libraries(root: Path) -> list[str]:
    """Outside libraries that are imported in another room than theirs, or that nobody named."""
    found = []
    for module in modules(root).values():
        for name in imports(module):
            top = name.split(".")[0]
            rooms = _rooms_of(name)
            if rooms is not None:
                if not any(_within(module.name, room) for room in rooms):
                    found.append(f"{module.name} imports {name}, which belongs to {min(rooms)}")
            elif top not in sys.stdlib_module_names | EVERYWHERE | {PACKAGE}:
                found.append(f"{module.name} imports {name}, which has no room")
    return found


def _rooms_of(name: str) -> frozenset[str] | None:
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        rooms = ROOM_OF_LIBRARY.get(".".join(parts[:length]))
        if rooms is not None:
            return rooms
    return None


def tour(root: Path) -> list[str]:
    """What the tour uses beyond the model's port: it must be a model like any other."""
    vocabulary = tuple(f"{PACKAGE}.{room}" for rooms in FLOORS[:2] for room in rooms)
    return [
        f"{module.name} imports {target}; the tour has the port only"
        for module, target in _own(root)
        if _within(module.name, TOUR)
        and not any(_within(target, allowed) for allowed in TOUR_MAY_USE + vocabulary)
    ]


def sizes(root: Path) -> list[str]:
    """Files and functions that have grown too long to read in one sitting."""
    found = []
    for module in modules(root).values():
        lines = len(module.text.splitlines())
        if lines > FILE_LINES:
            found.append(f"{module.name} has {lines} lines, more than {FILE_LINES}")
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_LINES:
                    found.append(
                        f"{module.name}.{node.name} has {length} lines, more than {FUNCTION_LINES}"
                    )
    return found
