"""The routes of the extension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cave_lab.server import handlers, settings_handlers
from cave_lab.server.websocket import ChannelHandler

if TYPE_CHECKING:
    from cave_lab.server.app import App

BLOB = r"(?P<thread_id>[A-Za-z0-9_-]{1,64})/(?P<blob_id>[0-9a-f]{64})"


def routes(app: App) -> list[tuple[str, type, dict[str, Any]]]:
    """All routes below the server's base URL."""
    arguments = {"app": app}
    return [
        (r"/cave-lab/channel", ChannelHandler, arguments),
        (r"/cave-lab/status", settings_handlers.StatusHandler, arguments),
        (r"/cave-lab/settings", settings_handlers.SettingsHandler, arguments),
        (r"/cave-lab/models/check", settings_handlers.CheckHandler, arguments),
        (r"/cave-lab/models/find", settings_handlers.FindHandler, arguments),
        (r"/cave-lab/models/forget", settings_handlers.ForgetHandler, arguments),
        (r"/cave-lab/budgets", settings_handlers.BudgetsHandler, arguments),
        (r"/cave-lab/tour", handlers.TourHandler, arguments),
        (rf"/cave-lab/blobs/{BLOB}", handlers.BlobHandler, arguments),
    ]
