"""What the tour answers, and when."""

from __future__ import annotations

from cave_lab.model.script import (
    Cell,
    Item,
    Quote,
    Say,
    ScriptedTurn,
    Trajectory,
    When,
)
from cave_lab.model.tour.cells import CHART, COUNT, LINES, LINES_WRONG, REVENUE

REVENUE_PROMPT = "Continue from sales: revenue by month"
PLOT_PROMPT = "Plot it, one line per product"
COUNT_PROMPT = "Count slowly"
STOPPED_PROMPT = "What happened?"
TOUR_PROMPTS = (REVENUE_PROMPT, PLOT_PROMPT, COUNT_PROMPT, STOPPED_PROMPT)
"""In the order in which the tour suggests them."""

LABEL = "*Scripted, not an AI:* "
FREE_ANSWER = (
    "This is a script, so it can't answer that. Choose a model in the model settings to ask your "
    "own questions. The script knows these words: "
    + ", ".join(f"*{prompt}*" for prompt in TOUR_PROMPTS)
    + "."
)
NEXT = (
    "That is the tour. To go on with a notebook of your own, open it and choose a model in the "
    "model settings (the gear above)."
)

_FINISHED = r"re:(?m)^Finished"


def _asked(prompt: str) -> str:
    """The prompt as the last words of a message; before them stand variables and cells."""
    words = prompt.lower().rstrip("?!. ").replace("?", r"\?")
    return rf"re:(?is)(?:\A|\n){words}\W*\Z"


def _turn(
    name: str,
    when: When,
    *answer: Item | str,
    suggest: tuple[str, ...] = (),
) -> ScriptedTurn:
    items = [Say(item) if isinstance(item, str) else item for item in answer]
    return ScriptedTurn(name, when, (Say(LABEL), *items), usage=None, suggest=suggest)


def _prompt(prompt: str, *request: str) -> When:
    return When(last=(_asked(prompt),), request=request, role="user")


def _result(code: str, *last: str) -> When:
    return When(last=last, code=(code,), role="tool")


_PROMPTS = (
    _turn(
        "revenue is asked for",
        _prompt(REVENUE_PROMPT),
        "`sales` is there already, so nothing has to be loaded. This cell adds up its revenue "
        "by month. Read it, then run it, edit it or reject it: nothing runs before you say so.",
        Cell(REVENUE, "Add up the revenue of each month from the existing sales"),
    ),
    _turn(
        "a plot is asked for",
        _prompt(PLOT_PROMPT),
        "First the numbers of each line, in a cell of their own.",
        Cell(LINES_WRONG, "Collect the monthly revenue of each product"),
    ),
    _turn(
        "counting is asked for",
        _prompt(COUNT_PROMPT),
        "This cell counts for a minute. Run it, and press **Stop** (or Esc) after a few numbers.",
        Cell(COUNT, "Count to sixty, one number a second"),
        suggest=(STOPPED_PROMPT,),
    ),
    _turn(
        "asked what happened, after an interrupt",
        _prompt(STOPPED_PROMPT, "stopped your last turn", "re:(?m)^Interrupted"),
        "You pressed Stop. The cell that was running was interrupted, as with Jupyter's own stop "
        "button; its output so far stays, and every variable is still in the kernel. A cell of "
        f"your own would not have been touched. {NEXT}",
    ),
    _turn(
        "asked what happened, after a stop without a run",
        _prompt(STOPPED_PROMPT, "stopped your last turn"),
        f"You pressed Stop before the cell ran, so it was withdrawn and nothing was run. {NEXT}",
        suggest=(COUNT_PROMPT,),
    ),
    _turn(
        "asked what happened, when nothing was stopped",
        _prompt(STOPPED_PROMPT),
        f"No turn was stopped just now. Send *{COUNT_PROMPT}*, run its cell, and press **Stop** "
        f"after a few numbers. {NEXT}",
        suggest=(COUNT_PROMPT,),
    ),
    _turn(
        "anything else",
        When(role="user"),
        FREE_ANSWER,
        suggest=TOUR_PROMPTS[:3],
    ),
)

_TROUBLES = (
    _turn(
        "a cell was rejected",
        When(last=(r"re:\ANot run",), role="tool"),
        "The cell was not run, and nothing changed. A model is told your reason and goes by it; "
        "a script can only stop here.",
        suggest=TOUR_PROMPTS[:3],
    ),
    _turn(
        "the kernel was lost",
        When(last=("re:(?m)^The kernel was lost",), role="tool"),
        "The kernel was lost and its variables with it. Run the notebook's first cell again, "
        "then go on.",
        suggest=(REVENUE_PROMPT,),
    ),
    _turn(
        "a cell was interrupted",
        When(last=("re:(?m)^Interrupted",), role="tool"),
        "The cell was interrupted. Its output so far stays, and every variable is still there.",
        suggest=(REVENUE_PROMPT,),
    ),
    _turn(
        "the sample data is missing",
        When(last=("re:NameError: name '(?:sales|revenue_by_month|revenue_lines)'",), role="tool"),
        "A variable that the cell needs is not in the kernel yet. Run the first code cell of the "
        "tour's notebook, then begin with the first suggestion.",
        suggest=(REVENUE_PROMPT,),
    ),
)

_RESULTS = (
    _turn(
        "revenue is there",
        _result(REVENUE, _FINISHED),
        Quote(
            r"re:\d+ months, .+ in all; the best is .+ with [\d.,]+\d",
            "The cell ran; its numbers stand below it, and this privacy mode keeps them here",
        ),
        ". The cell is in your notebook now, and `revenue_by_month` is in the kernel.",
        suggest=(PLOT_PROMPT,),
    ),
    _turn(
        "the lines failed",
        _result(LINES_WRONG, "KeyError: 'revenue'"),
        "The error says that an entry of `sales` has no `revenue`. It has `units` and `price`, "
        "so here is the same cell, repaired.",
        Cell(LINES, "Compute the revenue of each line from units and price"),
    ),
    _turn(
        "the lines are there",
        _result(LINES, _FINISHED),
        "Now the drawing, as SVG made by plain Python.",
        Cell(CHART, "Draw the revenue of each product as a line"),
    ),
    _turn(
        "the chart is there",
        _result(CHART, _FINISHED),
        "The chart stands below its cell: one line per product, labelled at its end. The attempt "
        "that failed had changed no variable, so the repaired cell takes its place in the "
        "notebook.",
        suggest=(COUNT_PROMPT,),
    ),
    _turn(
        "the count went to its end",
        _result(COUNT, _FINISHED),
        "It counted to its end: nobody pressed Stop. Try it again, and stop it this time.",
        suggest=(COUNT_PROMPT,),
    ),
    _turn(
        "anything else came back",
        When(role="tool"),
        "That went differently than this script foresees. A model would read the result and go "
        "on from it; a script can only stop here.",
        suggest=TOUR_PROMPTS[:3],
    ),
)

TOUR = Trajectory("tour", _PROMPTS + _TROUBLES + _RESULTS)
