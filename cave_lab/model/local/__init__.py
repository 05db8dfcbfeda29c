"""Model servers on this machine: found when asked, and asked what they know of a model."""

from __future__ import annotations

from cave_lab.model.local.servers import find_servers
from cave_lab.model.local.sight import sees_by
from cave_lab.model.local.tools import tools_of
from cave_lab.model.local.windows import window_of

__all__ = ["find_servers", "sees_by", "tools_of", "window_of"]
