"""Real kernels under a real kernel and session manager, as a Jupyter server has them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from jupyter_server.services.sessions.sessionmanager import (
    KernelName,
    ModelName,
    SessionManager,
)

from cave_lab.kernel.binding import JupyterKernels
from cave_lab.kernel.link import Link
from cave_lab.limits import DEFAULT_LIMITS, Limits
from cave_lab.protocol.content import NotebookRef, Target
from tests.kernel.gate import Gate
from tests.kernel.person import Person
from tests.kernel.probe.kernels import BUILD_SECONDS, BUILT
from tests.kernel.r import offer_r
from tests.waiting import until

PATH = "notes.ipynb"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests of a kernel that is built on first use the time for it."""
    for item in items:
        call = getattr(item, "callspec", None)
        params = {one for one in call.params.values() if isinstance(one, str)} if call else set()
        if BUILT & params or {"old", "xeus"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.timeout(BUILD_SECONDS))


class Server:
    """What a Jupyter server holds of kernels, and our room on top of it."""

    def __init__(self, root: Path) -> None:
        self.kernels = AsyncMappingKernelManager(root_dir=str(root))
        self.contents = AsyncLargeFileManager(root_dir=str(root))
        self.sessions = SessionManager(kernel_manager=self.kernels, contents_manager=self.contents)
        self.rooms: list[JupyterKernels] = []
        self.people: list[Person] = []

    async def open(self, path: str = PATH, kernel_name: str = "python3") -> dict:
        """Open a notebook with a kernel, as JupyterLab does."""
        return await self.sessions.create_session(
            path=path,
            name=ModelName(path),
            type="notebook",
            kernel_name=KernelName(kernel_name),
        )

    def room(self, *, probe: bool = True, limits: Limits = DEFAULT_LIMITS) -> JupyterKernels:
        room = JupyterKernels(self.sessions, self.kernels, limits=limits, probe=probe)
        self.rooms.append(room)
        return room

    async def person(self, kernel_id: str) -> Person:
        """A second client on the kernel: the notebook of the person."""
        person = await Person.at(self.kernels.get_kernel(kernel_id))
        self.people.append(person)
        return person

    async def close(self) -> None:
        for person in self.people:
            await person.leave()
        for room in self.rooms:
            await room.close()
        await self.kernels.shutdown_all(now=True)
        self.kernels.context.destroy(linger=0)
        self.sessions.close()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    server = Server(tmp_path)
    yield server
    await server.close()


class Desk:
    """One open notebook: its link, and the person at it."""

    def __init__(self, server: Server, room: JupyterKernels, link: Link, kernel_id: str) -> None:
        self.server = server
        self.room = room
        self.link = link
        self.kernel_id = kernel_id
        self._person: Person | None = None

    async def person(self) -> Person:
        if self._person is None:
            self._person = await self.server.person(self.kernel_id)
        return self._person

    async def sees_theirs(self) -> None:
        """Return when our link knows that a cell of the person's runs."""
        await until(lambda: self.link.activity.whose == "theirs", "their cell at our link")

    async def sees_cell(self, message_id: str) -> None:
        """Return when our link knows that this cell runs; before, a slow kernel may seem busy."""
        await until(lambda: self._occupant() == message_id, "this very cell at our link")

    def _occupant(self) -> str | None:
        life = self.link._lives.life
        return life.shell.occupant if life is not None else None

    async def person_is_faster(self, code: str) -> str:
        """Run a cell of the person's as if the word of it were still on its way to our link."""
        person = await self.person()
        theirs = person.send(code, stop_on_error=True)
        await person.running(theirs)
        await self.sees_cell(theirs)
        life = self.link._lives.life
        assert life is not None
        life.shell.occupant = None
        return theirs

    @property
    def manager(self):
        return self.server.kernels.get_kernel(self.kernel_id)


Sit = Callable[..., Awaitable[Desk]]


@pytest.fixture
def sit(server: Server) -> Sit:
    """Open a notebook and bind to its kernel."""

    async def sit(
        *,
        probe: bool = True,
        limits: Limits = DEFAULT_LIMITS,
        kernel_name: str = "python3",
        path: str = PATH,
    ) -> Desk:
        session = await server.open(path, kernel_name)
        room = server.room(probe=probe, limits=limits)
        binding = await room.bind(Target(notebook=NotebookRef(path=path)))
        assert isinstance(binding.link, Link)
        return Desk(server, room, binding.link, session["kernel"]["id"])

    return sit


@pytest.fixture
def r(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of R's kernel, which only this test's server knows; fails where there is no R."""
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    return offer_r(tmp_path / "jupyter")


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    """What the person's cell waits at; what runs there still is killed with the kernel."""
    return Gate(tmp_path / "gate")


@pytest.fixture
async def group() -> AsyncIterator[asyncio.TaskGroup]:
    """Work beside the test; what still runs at its end is cancelled."""
    async with asyncio.TaskGroup() as group:
        tasks: list[asyncio.Task] = []
        create = group.create_task

        def create_task(*args, **kwargs):
            task = create(*args, **kwargs)
            tasks.append(task)
            return task

        group.create_task = create_task  # type: ignore[method-assign]
        yield group
        for task in tasks:
            task.cancel()
