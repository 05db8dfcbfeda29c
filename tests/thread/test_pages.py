"""Pages of what runs put out, read from the journal under the privacy mode in force."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from cave_lab.journal.journal import Journal
from cave_lab.limits import Limits
from cave_lab.protocol.content import BlobOutput, DisplayOutput, Output, StreamOutput
from cave_lab.protocol.ids import BlobId
from cave_lab.protocol.run_events import OutputAdded, OutputTruncated
from cave_lab.protocol.thread_events import ThreadChanged
from cave_lab.thread.pages import OutputPages
from tests.journal.making import THREAD
from tests.state.making import Story
from tests.thread.desk import Desk

LINES = "".join(f"line {number}\n" for number in range(200))
HELD_BACK = "Outputs are not shared with you (privacy mode `schema`)."

Opened = Callable[[Story], Awaitable[OutputPages]]


@pytest.fixture
async def opened(journal: Journal, limits: Limits) -> AsyncIterator[Opened]:
    """The pages of a thread that happened like this."""
    service = Desk(journal, limits).service

    async def opened(story: Story) -> OutputPages:
        await journal.append(THREAD, story.events[1:])
        return OutputPages(await service.get(THREAD, "local"))

    yield opened
    await service.close()


def puts_out(story: Story, output: Output, run: int = 111111) -> Story:
    """A run with this output."""
    story.proposes("1", run=run).intends(run).starts(run)
    return story.add(OutputAdded, run_id=f"run-{run}", index=0, output=output).ends(run=run)


def printed(text: str = LINES) -> Story:
    """A turn with a run that printed."""
    return puts_out(Story().turn(), StreamOutput(name="stdout", text=text))


OTHER = StreamOutput(name="stdout", text="other")


async def test_the_pages_of_an_output_are_the_whole_of_it(opened: Opened) -> None:
    pages = await opened(printed())
    found = [await pages.look("out_111111", number, 500) for number in (1, 2, 3, 4)]
    texts = [one.text.head for one in found if one.text is not None]
    assert "".join(texts) == LINES.rstrip("\n")
    assert [one.note for one in found] == [
        f"Page {number} of 4 of its output." for number in (1, 2, 3, 4)
    ]


async def test_a_page_that_there_is_not_says_how_many_there_are(opened: Opened) -> None:
    found = await (await opened(printed())).look("out_111111", 5, 500)
    assert (found.text, found.note) == (None, "There is no page 5 of its output: it has 4.")


async def test_the_last_page_says_what_was_not_kept(opened: Opened) -> None:
    story = printed().add(OutputTruncated, run_id="run-111111", text="Not all is kept.")
    pages = await opened(story)
    first, last = [await pages.look("out_111111", number, 1_200) for number in (1, 2)]
    assert (first.note, last.note) == (
        "Page 1 of 2 of its output.",
        "Page 2 of 2 of its output. Not all is kept.",
    )


async def test_two_runs_of_one_name_are_never_mixed_up(opened: Opened) -> None:
    found = await (await opened(puts_out(printed(), OTHER, run=2_111111))).look(
        "out_111111", 1, 500
    )
    assert (found.text, found.note) == (
        None,
        "Several outputs have this name, so none of them is shown.",
    )


async def test_a_name_that_no_output_has_tells_those_that_there_are(opened: Opened) -> None:
    pages = await opened(puts_out(printed(), OTHER, run=222222))
    assert not pages.has("out_333333")
    found = await pages.look("out_333333", 1, 500)
    assert found.note == "There is no output of this name. There are: out_222222, out_111111."


async def test_a_stricter_mode_holds_back_what_older_runs_put_out(opened: Opened) -> None:
    pages = await opened(printed().add(ThreadChanged, privacy="schema"))
    found = await pages.look("out_111111", 1, 500)
    assert (found.text, found.note) == (None, HELD_BACK)


async def test_a_large_output_is_read_from_where_it_lies_and_is_a_line_once_it_is_gone(
    opened: Opened, journal: Journal
) -> None:
    display = DisplayOutput(data={"text/plain": "a table"})
    kept = await journal.put_blob(display.model_dump_json().encode(), "application/json", THREAD)
    gone, story = BlobId("0" * 64), Story().turn()
    for run, name in ((111111, kept), (222222, gone)):
        blob = BlobOutput(blob=name, of="display_data", size=9, mime_types=["text/plain"])
        puts_out(story, blob, run)
    pages = await opened(story)
    found = [await pages.look(name, 1, 500) for name in ("out_111111", "out_222222")]
    assert [one.text.head for one in found if one.text is not None] == [
        "a table",
        "[display_data: text/plain, 9 bytes, shown in the notebook]",
    ]
