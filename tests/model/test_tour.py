"""The tour's data, and its cells in a real kernel; its turns belong to the turn loop's tests."""

import ast
import re
import sys
from collections.abc import AsyncIterator

import nbformat
import pytest
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.manager import start_new_async_kernel
from pydantic import TypeAdapter

from cave_lab.model.port import (
    ActionReady,
    AssistantMessage,
    CellCall,
    ModelChoice,
    ModelMessage,
    ModelRequest,
    ReplyPart,
    ResultMessage,
    SuggestionsChunk,
    UserMessage,
)
from cave_lab.model.replies import ModelReplies
from cave_lab.model.results import result_text
from cave_lab.model.script import Cell, Quote, find
from cave_lab.model.tour import TOUR, TOUR_PREFIX, TOUR_PROMPTS, cells, tour_model, tour_notebook
from cave_lab.model.tour.story import FREE_ANSWER, LABEL
from cave_lab.privacy.output_text import outputs_text
from cave_lab.protocol.content import (
    DisplayOutput,
    Excerpt,
    Output,
    ResultOutput,
    RunCellAction,
    RunError,
)
from cave_lab.protocol.ids import RunId, TurnId
from cave_lab.protocol.words import PrivacyMode, RunStatus
from cave_lab.state.values import RunState
from tests.model.helpers import QUICK, parts_of, text_of

OUTPUT: TypeAdapter[Output] = TypeAdapter(Output)

REVENUE, PLOT, COUNT, STOPPED = TOUR_PROMPTS
CONTEXT = "<variables>\nsales: list of 72\n</variables>\n<notebook>\nlen(sales)\n</notebook>\n"


def run_state(status: RunStatus, output: str = "", error: RunError | None = None) -> RunState:
    return RunState(
        run_id=RunId("run-1"),
        turn_id=TurnId("turn-1"),
        call=1,
        phase="ended",
        status=status,
        error=error,
        excerpt=Excerpt(head=output, total=len(output)),
    )


class Visitor:
    """A person on the tour: asks, and is told of each cell what became of it."""

    def __init__(self, privacy: PrivacyMode = "standard") -> None:
        self.messages: list[ModelMessage] = []
        self._replies = ModelReplies(QUICK, tour_model(None))
        self._privacy = privacy

    async def ask(self, words: str) -> list[ReplyPart]:
        self.messages.append(UserMessage(CONTEXT + words))
        return await self._reply()

    async def told(self, action: ActionReady, run: RunState) -> list[ReplyPart]:
        assert isinstance(action.action, RunCellAction)
        call = CellCall("call", action.action.code, action.action.purpose)
        self.messages.append(AssistantMessage("", call))
        self.messages.append(ResultMessage("call", result_text(run, run, self._privacy)))
        return await self._reply()

    async def _reply(self) -> list[ReplyPart]:
        request = ModelRequest(ModelChoice(TOUR_PREFIX), tuple(self.messages))
        return await parts_of(self._replies, request)


def cell_of(parts: list[ReplyPart]) -> ActionReady | None:
    return next((part for part in parts if isinstance(part, ActionReady)), None)


def suggestions_of(parts: list[ReplyPart]) -> list[str]:
    return [words for p in parts if isinstance(p, SuggestionsChunk) for words in p.prompts]


# ── as data


def test_the_sample_notebook_is_valid_and_its_first_code_makes_sales():
    notebook = nbformat.from_dict(tour_notebook())
    nbformat.validate(notebook)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    assert "sales = [" in first.source
    assert first.outputs == []


def test_the_cells_need_the_standard_library_and_ipython_only():
    codes = [cells.SALES, *(i.code for t in TOUR.turns for i in t.answer if isinstance(i, Cell))]
    imported = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for code in codes
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {name.split(".")[0] for name in imported} - sys.stdlib_module_names == {"IPython"}


def test_the_charts_labels_can_be_read_in_a_narrow_card():
    card_px, readable_px = 230, 9
    width, size = (
        int(found[1])
        for found in (
            re.search(rf" {name}='(\d+)'", cells.CHART) for name in ("width", "font-size")
        )
        if found
    )
    assert size * card_px / width >= readable_px


def test_every_text_says_that_it_is_scripted():
    for turn in TOUR.turns:
        assert turn.answer[0].text == LABEL  # type: ignore[union-attr]


def test_the_notebooks_words_are_no_prompt_in_the_eyes_of_the_script():
    welcome = tour_notebook()["cells"][0]["source"]
    assert REVENUE in welcome
    assert "not an AI" in welcome


def test_the_notebook_does_not_ask_for_a_cell_that_the_tour_runs_by_itself():
    welcome = " ".join(tour_notebook()["cells"][0]["source"].split())
    assert "Run the cell" not in welcome
    assert "The tour runs it for you" in welcome
    assert "yourself only after the kernel was restarted" in welcome


# ── as answers


@pytest.mark.parametrize("prompt", [REVENUE, PLOT, COUNT])
async def test_a_suggested_prompt_proposes_a_cell_however_it_is_typed(prompt):
    for words in (prompt, prompt.lower() + ".", f"  {prompt.upper()} !"):
        assert cell_of(await Visitor().ask(words.strip())) is not None


@pytest.mark.parametrize(
    "words", ["What is love?", "Plot it", "Please count slowly", f"{REVENUE}, in euros"]
)
async def test_a_free_question_is_answered_by_the_truth(words):
    parts = await Visitor().ask(words)
    assert text_of(parts) == LABEL + FREE_ANSWER
    assert cell_of(parts) is None


async def test_a_rejected_cell_ends_the_story_there():
    visitor = Visitor()
    action = cell_of(await visitor.ask(REVENUE))
    assert action is not None
    parts = await visitor.told(action, run_state("rejected"))
    assert "not run" in text_of(parts)
    assert cell_of(parts) is None


async def test_without_the_sample_data_the_visitor_is_told_to_run_the_first_cell():
    visitor = Visitor()
    action = cell_of(await visitor.ask(REVENUE))
    assert action is not None
    error = RunError(ename="NameError", evalue="name 'sales' is not defined")
    words = "NameError: name 'sales' is not defined"
    parts = await visitor.told(action, run_state("error", words, error))
    assert "Run the first code cell" in text_of(parts)


async def test_a_lost_kernel_and_an_unforeseen_end_are_not_called_a_success():
    for status, words in (("kernel_died", "variables with it"), ("unknown", "differently")):
        visitor = Visitor()
        action = cell_of(await visitor.ask(REVENUE))
        assert action is not None
        assert words in text_of(await visitor.told(action, run_state(status)))  # type: ignore[arg-type]


async def test_after_a_stop_the_script_says_what_happened():
    visitor = Visitor()
    parts = await visitor.ask(COUNT)
    assert suggestions_of(parts) == [STOPPED]
    action = cell_of(parts)
    assert action is not None
    await visitor.told(action, run_state("interrupted", "1\n2\n3"))
    visitor.messages.append(UserMessage("(The person stopped your last turn.)"))
    parts = await visitor.ask(f"(The person stopped your last turn.)\n{STOPPED}")
    assert "was interrupted" in text_of(parts)


async def test_a_stop_before_the_cell_ran_is_told_apart():
    parts = await Visitor().ask(f"(The person stopped your last turn.)\n{STOPPED}")
    assert "nothing was run" in text_of(parts)


async def test_where_outputs_may_not_leave_no_number_is_claimed():
    visitor = Visitor("schema")
    action = cell_of(await visitor.ask(REVENUE))
    assert action is not None
    parts = await visitor.told(action, run_state("ok", "24 months, 5.00 in all; the best is x"))
    assert "privacy mode keeps them here" in text_of(parts)
    assert "5.00" not in text_of(parts)


# ── in a kernel


@pytest.fixture
async def kernel() -> AsyncIterator[AsyncKernelClient]:
    manager, client = await start_new_async_kernel(kernel_name="python3")
    yield client
    client.stop_channels()
    await manager.shutdown_kernel(now=True)


async def run(kernel: AsyncKernelClient, code: str) -> tuple[RunState, set[str]]:
    """Run a cell; give what came of it, and the mime types that were shown."""
    outputs: list[Output] = []

    def take(message) -> None:
        if message["msg_type"] in ("stream", "execute_result", "display_data", "error"):
            content = {k: v for k, v in message["content"].items() if k != "transient"}
            outputs.append(OUTPUT.validate_python({**content, "output_type": message["msg_type"]}))

    reply = await kernel.execute_interactive(code, output_hook=take, timeout=60)
    content = reply["content"]
    error = None
    if content["status"] == "error":
        error = RunError(ename=content["ename"], evalue=content["evalue"])
    shown = [o for o in outputs if isinstance(o, ResultOutput | DisplayOutput)]
    mimes = {mime for output in shown for mime in output.data}
    return run_state(content["status"], outputs_text(outputs), error), mimes


async def test_the_story_runs_in_a_plain_kernel_and_what_it_says_is_true(kernel):
    """The whole of it in order: revenue with its numbers, the failure, its repair, the chart."""
    await run(kernel, cells.SALES)
    visitor = Visitor()
    action = cell_of(await visitor.ask(REVENUE))
    assert action is not None
    ran, _ = await run(kernel, cells.REVENUE)
    assert ran.status == "ok"
    parts = await visitor.told(action, ran)
    total, best = await numbers(kernel)
    assert f"24 months, {total} in all; the best is {best}" in text_of(parts)
    assert suggestions_of(parts) == [PLOT]

    wrong = cell_of(await visitor.ask(PLOT))
    assert wrong is not None
    names = await evaluate(kernel, "sorted(k for k in globals() if not k.startswith('_'))")
    failed, _ = await run(kernel, code_in(wrong))
    assert failed.error == RunError(ename="KeyError", evalue="'revenue'")
    same = await evaluate(kernel, "sorted(k for k in globals() if not k.startswith('_'))")
    assert same == names, "the failed attempt must change no variable, or it stays in the notebook"

    repaired = cell_of(await visitor.told(wrong, failed))
    assert repaired is not None
    lines, _ = await run(kernel, code_in(repaired))
    assert lines.status == "ok"
    drawing = cell_of(await visitor.told(repaired, lines))
    assert drawing is not None
    chart, mimes = await run(kernel, code_in(drawing))
    assert chart.status == "ok"
    assert "image/svg+xml" in mimes
    parts = await visitor.told(drawing, chart)
    assert "one line per product" in text_of(parts)
    assert suggestions_of(parts) == [COUNT]


async def test_the_count_is_slow_enough_to_be_stopped(kernel):
    seconds = cells.COUNT.replace("time.sleep(1)", "slept.append(1)")
    ran, _ = await run(kernel, "slept = []\n" + seconds)
    assert ran.status == "ok"
    assert await evaluate(kernel, "len(slept)") == "60"


def code_in(action: ActionReady) -> str:
    assert isinstance(action.action, RunCellAction)
    return action.action.code


async def evaluate(kernel: AsyncKernelClient, expression: str) -> str:
    reply = await kernel.execute(
        "", silent=True, user_expressions={"x": expression}, reply=True, timeout=60
    )
    return reply["content"]["user_expressions"]["x"]["data"]["text/plain"]


async def numbers(kernel: AsyncKernelClient) -> tuple[str, str]:
    """The total and the best month, computed another way than the tour does."""
    per_month = "{m: sum(s['units']*s['price'] for s in sales if s['month'] == m) for m in months}"
    months = "(lambda months: " + per_month + ")({s['month'] for s in sales})"
    total = await evaluate(kernel, f"format(sum({months}.values()), ',.2f')")
    best = await evaluate(
        kernel, f"'{{}} with {{:,.2f}}'.format(*max({months}.items(), key=lambda kv: kv[1]))"
    )
    return total.strip("'"), best.strip("'")


def test_a_quote_of_the_result_is_what_the_cell_printed():
    [quote] = [i for t in TOUR.turns for i in t.answer if isinstance(i, Quote)]
    printed = "24 months, 45,790.00 in all; the best is 2025-01 with 2,526.00."
    assert find(quote.quote, f"x\n{printed}\ny") == printed.removesuffix(".")
