"""The busy indicator and the culler stay as they are while we only look at a kernel."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from typing import Any

from cave_lab.untracked import UNTRACKED

OPTION = "untracked_message_types"


def pass_over_looks(kernel_manager: Any, settings: MutableMapping[str, Any]) -> None:
    """Let neither the server nor JupyterLab's page take our looks for the person's work.

    The page is told by JupyterLab's own part of the server, which may be set up before ours.
    """
    known = getattr(kernel_manager, OPTION, None)
    if known is None:  # A server whose kernels are elsewhere tracks nothing itself.
        return
    setattr(kernel_manager, OPTION, _with_looks(known))
    page = settings.get("page_config_data")
    if page is not None and OPTION in page:
        page[OPTION] = _with_looks(page[OPTION])


def _with_looks(types: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*types, *UNTRACKED]))
