"""Code that counts its own executions, where neither a restart nor our own word can hide one."""

from pathlib import Path

from tests.kernel.person import Person as KernelPerson
from tests.security.trying import events_of
from tests.talk import Frame, Lab


class Counted:
    """A cell that adds one to a variable of the kernel and a line to a file."""

    def __init__(self, folder: Path) -> None:
        self.journal = folder / "journal"
        self.file = folder / "runs.txt"

    @property
    def code(self) -> str:
        """The cell."""
        note = f"with open({str(self.file)!r}, 'a') as file:\n    print('ran', file=file)"
        return f"runs = globals().get('runs', 0) + 1\n{note}"

    @property
    def ran(self) -> int:
        """How often it ran, over all lives of the kernel."""
        return len(self.file.read_text().splitlines()) if self.file.exists() else 0

    def sent(self, thread_id: str) -> int:
        """How many requests the journal knows of."""
        return len(events_of(self.journal, thread_id, "run.intended"))

    async def in_kernel(self, lab: Lab, target: Frame) -> int:
        """The variable, as the person's own client reads it."""
        person = await KernelPerson.at(lab.app.kernel_manager.get_kernel(target["kernel_id"]))
        try:
            return int(await person.value("globals().get('runs', 0)"))
        finally:
            await person.leave()
