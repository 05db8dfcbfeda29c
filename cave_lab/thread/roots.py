"""Which folder a notebook's path is relative to: the same path elsewhere is another notebook."""

from __future__ import annotations

from cave_lab.protocol import commands as cmd
from cave_lab.protocol.content import NotebookRef, Target


def stamped(command: cmd.Command, root_id: str) -> cmd.Command:
    """Say of a command's target whose folder it is in, where the client left that open."""
    if not isinstance(
        command, cmd.ThreadCreate | cmd.ThreadChange | cmd.MessageSend | cmd.TargetLook
    ):
        return command
    target = _stamped(command.target, root_id)
    return command if target is command.target else command.model_copy(update={"target": target})


def _stamped(target: Target | None, root_id: str) -> Target | None:
    if target is None or target.notebook is None or target.notebook.root_id:
        return target
    notebook = target.notebook.model_copy(update={"root_id": root_id})
    return target.model_copy(update={"notebook": notebook})


def is_here(notebook: NotebookRef | None, path: str | None, root_id: str) -> bool:
    """Whether this is the notebook at `path` below our own folder."""
    if notebook is None:
        return path is None
    return notebook.path == path and notebook.root_id in ("", root_id)
