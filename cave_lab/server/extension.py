"""The application that Jupyter Server loads. It loads fast: the rest comes when it is asked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jupyter_server.extension.application import ExtensionApp
from traitlets import Bool

from cave_lab.errors import JournalUnavailable
from cave_lab.server.app import App
from cave_lab.server.indicator import pass_over_looks

if TYPE_CHECKING:
    from cave_lab.server.domain import Domain


class CaveLab(App, ExtensionApp):
    """CaveLab's part of a running Jupyter server."""

    name = "cave_lab"
    description = "A chat sidebar whose agent works in the live kernel of the open notebook."

    raise_config_file_errors = Bool(True)
    """A file of ours that can't be read is an error, as a wrong value in it is."""

    _opening: asyncio.Future[Domain] | None = None
    _stopped = False

    def initialize_handlers(self) -> None:
        """Add our routes; raises RuntimeError if the configuration was not taken as it is."""
        from cave_lab.server.routes import routes

        if not self._linked:
            # Jupyter would go on with the defaults: a lock on the model or a cap on modes was lost.
            raise RuntimeError(
                "CaveLab's configuration was not taken, for the reason above: a value that means "
                f"nothing, or a {self.config_file_name} that can't be read. "
                "CaveLab is left out until it is mended."
            )
        self.handlers.extend(routes(self))
        assert self.serverapp is not None, "an extension is set up by its server"
        pass_over_looks(self.serverapp.kernel_manager, self.serverapp.web_app.settings)

    async def domain(self) -> Domain:
        """The rooms below, opened at the first request; raises CaveLabError if they can't be."""
        if self._stopped:
            raise JournalUnavailable("This Jupyter server is stopping. Nothing was changed.")
        if self._opening is None:
            self._opening = asyncio.ensure_future(self._open())
        opening = self._opening
        try:
            return await asyncio.shield(opening)
        finally:
            if opening.done() and (opening.cancelled() or opening.exception()):
                # A disk that was full may not be full at the next request.
                self._opening = None

    async def _open(self) -> Domain:
        # Imported in a thread: pydantic's models take a while to build.
        domain = await asyncio.to_thread(_import_domain)
        assert self.serverapp is not None, "an extension is opened by its server"
        return await domain.open(self, self.serverapp)

    async def stop_extension(self) -> None:
        """End turns truthfully, then close what was opened."""
        self._stopped = True
        if self._opening is None:
            return
        opening, self._opening = self._opening, None
        (opened,) = await asyncio.gather(opening, return_exceptions=True)
        if not isinstance(opened, BaseException):
            await opened.close()


def _import_domain() -> type[Domain]:
    from cave_lab.server.domain import Domain

    return Domain
