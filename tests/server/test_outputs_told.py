"""What real cells put out reaches the model as it was meant to be read, and with its own run."""

import pytest

from cave_lab.model.script import Cell, Say, ScriptedTurn, When
from cave_lab.protocol.content import StreamOutput
from cave_lab.state.values import RunState
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import asked, script, told_whole
from tests.server.test_turns_results import results, run_all
from tests.talk import Lab, Person, Refused
from tests.waiting import until

PRINTS_LATER = """
import asyncio
go, gone = asyncio.Event(), asyncio.Event()
async def later():
    await go.wait()
    print('late word', flush=True)
    gone.set()
task = asyncio.get_running_loop().create_task(later())
print('first')
"""
WAITS_FOR_IT = "go.set()\nawait gone.wait()\nprint('second')"


def printed(run: RunState, name: str) -> str:
    """What a run wrote to a stream."""
    streams = [one for one in run.outputs if isinstance(one, StreamOutput)]
    return "".join(stream.text for stream in streams if stream.name == name)


async def runs(lab: Lab, person: Person) -> list[RunState]:
    """The runs of the thread, when all is over."""
    return list((await told_whole(lab, person)).runs.values())


async def test_late_output_does_not_enter_the_next_cell_of_ours(
    lab: Lab, model: ModelServer
) -> None:
    person = await run_all(lab, model, PRINTS_LATER, WAITS_FOR_IT)
    await until(
        lambda: "late word" in str(next(iter(person.state.runs.values())).outputs), "late output"
    )
    first, second = await runs(lab, person)
    assert printed(first, "stdout") == "first\nlate word\n"
    assert printed(second, "stdout") == "second\n"
    told_first, told_second = results(model)
    assert "late word" not in told_first
    assert "late word" not in told_second
    assert "<data>\nsecond\n</data>" in told_second


async def test_both_channels_are_drained_before_a_run_is_over(lab: Lab, model: ModelServer) -> None:
    code = (
        "import sys\nfor n in range(1_000):\n"
        "    print('out', n)\n    print('err', n, file=sys.stderr)\n"
    )
    person = await run_all(lab, model, code)
    [run] = await runs(lab, person)
    for name, word in (("stdout", "out"), ("stderr", "err")):
        assert printed(run, name) == "".join(f"{word} {n}\n" for n in range(1_000))
    [result] = results(model)
    assert "out 0\n" in result
    assert "[stderr]\nerr " in result
    assert "err 999" in result


async def test_stderr_alone_and_a_failure_without_output_read_as_what_they_are(
    lab: Lab, model: ModelServer
) -> None:
    only = "import sys\nprint('careful', file=sys.stderr)"
    quiet = "raise SystemExit(3)"
    silent = "class Quiet(Exception): pass\nraise Quiet"
    await run_all(lab, model, only, quiet, silent, "found = {}.get('a')\nfound")
    stderr, exit_, failure, none = results(model)
    assert "Output:\n<data>\n[stderr]\ncareful\n</data>" in stderr
    assert exit_.startswith("Failed: ")
    assert ": SystemExit." in exit_
    assert ": Quiet." in failure
    assert failure.split("</data>")[0].endswith("Quiet: \n") or "Quiet\n</data>" in failure
    assert "the value of its last line is None" in none
    assert "+found (NoneType)" in none, "a value like any other"


async def test_lone_surrogates_crash_nothing(lab: Lab, model: ModelServer) -> None:
    lone = "'\\ud83d'"
    person = await run_all(
        lab,
        model,
        f"print('before', {lone}, 'behind')",
        f"from IPython.display import display\ndisplay({{'text/plain': {lone}}}, raw=True)",
        f"x = {lone}\nx",
        f"raise ValueError({lone})",
        "print('still here')",
    )
    *_, error, last = results(model)
    assert error.startswith("Failed: "), "the kernel can't even tell of it"
    assert "still here" in last
    first, *_, behind = [run.status for run in await runs(lab, person)]
    assert (first, behind) == ("ok", "ok"), "some of them no kernel can send, which is its error"
    broken = ScriptedTurn("broken", When(role="user"), (Say("Half a sign can't be run."),))
    model.load(script(asked("half", Cell("x = '\ud83d'", "Half a sign")), broken))
    with pytest.raises(Refused):
        await person.say("half \ud83d of a sign")
    await person.say("half of a sign")
    assert await person.ended(2) == "end_turn"
    *_, half = await runs(lab, person)
    assert half.status == "not_run", "such a cell is refused"


async def test_progress_bars_are_told_as_they_ended(lab: Lab, model: ModelServer) -> None:
    bars = """
from tqdm import tqdm
for _ in tqdm(range(2), desc='outer', ncols=60):
    for _ in tqdm(range(30), desc='inner', ncols=60, mininterval=0, position=1, leave=False):
        pass
for n in range(100):
    print(f'\\r\\x1b[32m{n + 1}%\\x1b[0m', end='', flush=True)
print(' done')
"""
    await run_all(lab, model, bars)
    [result] = results(model)
    shown = result.split("<data>\n")[1].split("\n</data>")[0].split("\n")
    lines = [line for line in shown if line.strip()]
    assert lines[0] == "[stderr]"
    assert lines[1].startswith("outer: 100%")
    assert lines[-2:] == ["[stdout]", "100% done"]
    assert len(lines) < 6, shown


async def test_a_traceback_behind_a_flood_still_shows_where_it_was_raised(
    lab: Lab, model: ModelServer
) -> None:
    code = (
        "import json\nfor n in range(20_000):\n    print('line', n)\n"
        "def reads(text):\n    return json.loads(text)\n"
        "reads('{\"rows\": [' + '1, ' * 2_000 + 'bad')"
    )
    await run_all(lab, model, code)
    [result] = results(model)
    assert "[… cut: " in result
    assert "look at out_" in result
    assert "return json.loads(text)" in result
    assert "JSONDecodeError: Expecting value" in result
    assert "library frames left out …]" in result


async def test_a_table_that_is_cut_names_its_columns_again(lab: Lab, model: ModelServer) -> None:
    code = (
        "import pandas as pd\n"
        "df = pd.DataFrame({'price': range(2_000), 'city': ['New Town'] * 2_000})\n"
        "print(df.to_string())"
    )
    await run_all(lab, model, code)
    [result] = results(model)
    head, tail = result.split(" …]\n")
    header = head.split("<data>\n")[1].split("\n")[0]
    assert header.split() == ["price", "city"]
    assert tail.startswith(f"{header}\n")
    assert "1999  New Town" in tail


async def test_displays_are_told_as_text_or_as_a_line(lab: Lab, model: ModelServer) -> None:
    await run_all(
        lab,
        model,
        "from IPython.display import JSON, Latex, Markdown, display\n"
        "display(Markdown('**bold**'))\ndisplay(Latex('$x^2$'))\ndisplay(JSON({'a': [1]}))\n"
        "display({'text/html': '<b>x</b>'}, raw=True)",
        "%matplotlib inline\nimport matplotlib.pyplot as plt\n_ = plt.plot([1, 3, 2])",
    )
    texts, figure = results(model)
    assert "**bold**\n$x^2$\n" in texts
    assert '{"a": [1]}\n[text/html, 8 bytes, shown in the notebook]' in texts
    assert "[figure: PNG " in figure
    assert "×" in figure
