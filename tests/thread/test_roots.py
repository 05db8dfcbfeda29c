"""The same path below another folder is another notebook."""

from cave_lab.kernel.binding import corrected
from cave_lab.protocol import commands as cmd
from cave_lab.protocol.content import NotebookRef, Target
from cave_lab.protocol.ids import CommandId, SessionId
from cave_lab.thread.roots import is_here, stamped

OURS = "root-of-ours"
PATH = "Untitled.ipynb"
SESSION = {"id": "session-here", "path": PATH, "kernel": {"id": "kernel-here"}}


def target(root_id: str) -> Target:
    notebook = NotebookRef(root_id=root_id, path=PATH)
    return Target(notebook=notebook, session_id=SessionId("session-gone"))


def test_a_target_without_a_folder_is_said_to_be_of_ours() -> None:
    command = cmd.ThreadCreate(command_id=CommandId("c"), target=target(""))
    said = stamped(command, OURS)
    assert isinstance(said, cmd.ThreadCreate)
    assert said.target == target(OURS)


def test_a_target_of_another_folder_keeps_it() -> None:
    command = cmd.ThreadCreate(command_id=CommandId("c"), target=target("elsewhere"))
    assert stamped(command, OURS) is command


def test_a_thread_of_another_folder_is_not_bound_to_the_notebook_of_the_same_path() -> None:
    running = {"kernel-here"}
    assert corrected(target("elsewhere"), [SESSION], running, OURS) is None
    found = corrected(target(OURS), [SESSION], running, OURS)
    assert found is not None
    assert found.kernel_id == "kernel-here"


def test_only_a_notebook_of_ours_is_here() -> None:
    assert is_here(target(OURS).notebook, PATH, OURS)
    assert not is_here(target("elsewhere").notebook, PATH, OURS)
    assert not is_here(None, PATH, OURS)
