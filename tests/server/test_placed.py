"""What the server takes from a writer about where a cell is."""

from cave_lab.protocol.ids import RunId
from cave_lab.protocol.run_events import CellPlaced, CellReviewed
from cave_lab.state.values import RunState
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import one_run
from tests.talk import Lab, Person
from tests.waiting import until


class Writer:
    """A page that writes the cell of a thread's only run."""

    def __init__(self, person: Person) -> None:
        self._person = person
        [run] = person.state.runs.values()
        self._run_id = RunId(run.run_id)
        self._cell_id = run.cell_id

    @property
    def placed(self) -> list[CellPlaced]:
        """What was written down of where the cell is."""
        events = self._person.talk.events(self._person.thread_id)
        return [event for event in events if isinstance(event, CellPlaced)]

    async def place(self, level: str) -> None:
        """Say where the cell is."""
        cell = {"run_id": self._run_id, "cell_id": self._cell_id}
        await self._person.do("cell.placed", level=level, **cell)

    async def review(self, verdict: str) -> None:
        """Say what became of the cell."""
        await self._person.do("cell.review", run_id=self._run_id, verdict=verdict)

    async def run(self, reviews: int) -> RunState:
        """The run as it is known after so many reviews."""
        events = self._person.talk.events

        def told() -> bool:
            seen = events(self._person.thread_id)
            return sum(isinstance(event, CellReviewed) for event in seen) == reviews

        await until(told, f"{reviews} reviews")
        return self._person.state.runs[self._run_id]


async def test_a_cell_that_was_cut_and_pasted_is_no_longer_deleted(
    lab: Lab, model: ModelServer
) -> None:
    writer = Writer(await one_run(lab, model))
    for _ in range(2):
        await writer.place("in_document")
        await writer.review("deleted_by_user")
    await writer.place("in_document")
    await writer.review("kept")
    run = await writer.run(reviews=3)
    assert (run.placed, run.verdict) == ("in_document", "kept")
    assert len(writer.placed) == 3


async def test_a_saved_cell_that_was_out_and_is_back_is_only_in_the_document(
    lab: Lab, model: ModelServer
) -> None:
    writer = Writer(await one_run(lab, model))
    await writer.place("in_file")
    for verdict in ("deleted_by_user", "undone"):
        await writer.place("in_file")
        await writer.review(verdict)
        await writer.place("in_document")
    await writer.review("kept")
    assert (await writer.run(reviews=3)).placed == "in_document"


async def test_a_place_that_is_known_is_not_written_down_again(
    lab: Lab, model: ModelServer
) -> None:
    writer = Writer(await one_run(lab, model))
    await writer.place("in_file")
    await writer.review("kept")
    for level in ("in_file", "in_document"):
        await writer.place(level)
    await writer.review("kept")
    await writer.review("undone")
    await writer.run(reviews=2)
    assert len(writer.placed) == 1
