"""What messages, actions, outputs and changes are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import FailFast, Field, JsonValue
from typing_extensions import TypeAliasType

from cave_lab.protocol.base import Wire
from cave_lab.protocol.ids import BlobId, CellId, KernelId, SessionId, Sha256

# ── where a thread acts


class NotebookRef(Wire):
    """A notebook by its path below the server's root, which `root_id` names."""

    root_id: str = ""
    path: str = Field(min_length=1, max_length=4096)


class Target(Wire):
    """The notebook, session and kernel that a thread or a run acts on."""

    notebook: NotebookRef | None = None
    session_id: SessionId | None = None
    kernel_id: KernelId | None = None
    language: str | None = Field(default=None, max_length=64)


# ── what a message is made of


class TextPart(Wire):
    """Words."""

    type: Literal["text"] = "text"
    text: str


class MentionPart(Wire):
    """A thing named with `@`."""

    type: Literal["mention"] = "mention"
    kind: Literal["variable", "cell", "file", "output"]
    name: str = Field(max_length=4096)


class ImagePart(Wire):
    """A picture, stored as a blob."""

    type: Literal["image"] = "image"
    blob: BlobId
    mime: str = Field(max_length=128)


class FilePart(Wire):
    """A file, stored as a blob."""

    type: Literal["file"] = "file"
    blob: BlobId
    name: str = Field(max_length=4096)


class CellPart(Wire):
    """A block of code from an answer that the person runs by a click; the model is not asked."""

    type: Literal["cell"] = "cell"
    code: str = Field(max_length=200_000)
    purpose: str = Field(default="", max_length=200)


Part = TypeAliasType(
    "Part",
    Annotated[
        TextPart | MentionPart | ImagePart | FilePart | CellPart, Field(discriminator="type")
    ],
)


class Excerpt(Wire):
    """The one way to shorten text: head and tail, the whole length in characters, and the truth."""

    head: str
    tail: str = ""
    total: int
    cut: bool = False


# ── what a model may ask for


class RunCellAction(Wire):
    """Run code in the notebook's kernel and keep it as a cell, unless it is `scratch`."""

    type: Literal["run_cell"] = "run_cell"
    code: str
    purpose: str = ""
    scratch: bool = False


class LookAction(Wire):
    """Look at variables, or at a page of an earlier output, without a cell.

    `detail` is `schema` (the default), `head`, `column NAME`, `from N` or `page N`.
    """

    type: Literal["look"] = "look"
    names: list[str]
    detail: str = ""


class EditCellAction(Wire):
    """Propose a change of an existing cell."""

    type: Literal["edit_cell"] = "edit_cell"
    cell_id: CellId
    base_sha256: Sha256
    source: str


class AddMarkdownAction(Wire):
    """Add words to the notebook."""

    type: Literal["add_markdown"] = "add_markdown"
    source: str


Action = TypeAliasType(
    "Action",
    Annotated[
        RunCellAction | LookAction | EditCellAction | AddMarkdownAction,
        Field(discriminator="type"),
    ],
)


class Risk(Wire):
    """Something a proposed cell may touch, in plain words."""

    kind: Literal[
        "shell", "install", "files", "network", "credentials", "variable", "process", "other"
    ]
    words: str
    line: int | None = None


# ── what comes out of a run; field names are nbformat's


class StreamOutput(Wire):
    """Text printed to stdout or stderr."""

    output_type: Literal["stream"] = "stream"
    name: Literal["stdout", "stderr"]
    text: str


class DisplayOutput(Wire):
    """A rich display; `display_id` is not stored in the notebook."""

    output_type: Literal["display_data"] = "display_data"
    data: dict[str, JsonValue]
    metadata: dict[str, JsonValue] = Field(default_factory=dict)
    display_id: str | None = None


class ResultOutput(Wire):
    """The value of the cell's last expression."""

    output_type: Literal["execute_result"] = "execute_result"
    execution_count: int | None
    data: dict[str, JsonValue]
    metadata: dict[str, JsonValue] = Field(default_factory=dict)
    display_id: str | None = None


class ErrorOutput(Wire):
    """An exception with its traceback, one string a frame."""

    output_type: Literal["error"] = "error"
    ename: str
    evalue: str
    traceback: list[str]


class BlobOutput(Wire):
    """A large output, to be fetched by its id; the blob holds one of the other outputs as JSON."""

    output_type: Literal["blob"] = "blob"
    blob: BlobId
    of: Literal["stream", "display_data", "execute_result", "error"]
    size: int
    mime_types: list[str]


Output = TypeAliasType(
    "Output",
    Annotated[
        StreamOutput | DisplayOutput | ResultOutput | ErrorOutput | BlobOutput,
        Field(discriminator="output_type"),
    ],
)


class RunError(Wire):
    """The exception that ended a run."""

    ename: str
    evalue: str


# ── variables


class Column(Wire):
    """A column of a table: its label as text, and its dtype."""

    name: str
    dtype: str


class ValueBrief(Wire):
    """A value in a few words: type, and shape or length where it has one."""

    type: str
    shape: list[int] | None = None
    length: int | None = None


class Variable(Wire):
    """One variable as the probe saw it; `preview` exists only in privacy mode `full`."""

    name: str
    type: str
    kind: str
    module: str | None = None
    shape: list[int] | None = None
    length: int | None = None
    dtype: str | None = None
    columns: list[Column] | None = None
    columns_total: int | None = None
    size_bytes: int | None = None
    summary: str | None = None
    preview: str | None = None
    cell_id: CellId | None = None
    """The cell that bound it last, and that cell's source then, where both are known."""
    cell_sha256: Sha256 | None = None


class Looked(Wire):
    """What a look at one name gave: its row, its values as text, or a note that says why not.

    The text is kept as the kernel gave it; the privacy mode in force decides whether it goes out.
    """

    name: str
    variable: Variable | None = None
    text: Excerpt | None = None
    values: bool = False
    """Whether the text holds values of the person's data, not only counts or a run's output."""
    note: str | None = None


class VariableChange(Wire):
    """What a cell did to one name; nothing is ever called unchanged."""

    name: str
    kind: Literal["added", "removed", "rebound", "changed", "maybe_changed"]
    before: ValueBrief | None = None
    after: ValueBrief | None = None


class OutsideChange(VariableChange):
    """What cells outside a thread did to one name, and whose cells these were."""

    by: Literal["person", "another_thread", "both"] = "person"


# ── the notebook as the browser sees it


class OutlineCell(Wire):
    """One cell; source and outputs only in the window around the anchor."""

    cell_id: str = Field(max_length=256)
    cell_type: Literal["code", "markdown", "raw"]
    sha256: Sha256
    source: str | None = None
    output: Excerpt | None = None
    execution_count: int | None = None
    by_cave_lab: bool = False


class Outline(Wire):
    """The notebook now, saved or not."""

    cells: Annotated[list[OutlineCell], FailFast()] = Field(default_factory=list, max_length=20_000)
    """Read up to the first wrong one: to name the faults of all took seconds."""
    total: int = 0
    sha256: Sha256 | None = None


# ── usage


class Usage(Wire):
    """Tokens and money, summed; cost in US dollars, None when a price is unknown.

    `estimated` says that some of it was counted here, because a provider did not say; `unpriced`
    are calls whose price is unknown; `seconds` are those of the model and of runs.
    """

    calls: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = None
    price_source: str | None = None
    runs: int = 0
    estimated: bool = False
    unpriced: int = 0
    seconds: float = 0.0


class Budget(Wire):
    """How much may be used before the person is asked; None is no bound. Cost in US dollars."""

    runs: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1_000)
    cost: float | None = Field(default=None, gt=0)
    seconds: float | None = Field(default=None, ge=1)


class Budgets(Wire):
    """The budget of each turn and of each thread."""

    turn: Budget = Field(default_factory=Budget)
    thread: Budget = Field(default_factory=Budget)
