"""Model servers on this machine: found when asked, and asked whether a model has tools."""

from __future__ import annotations

from cave_lab.model.local.servers import find_servers
from cave_lab.model.local.tools import tools_of

__all__ = ["find_servers", "tools_of"]
