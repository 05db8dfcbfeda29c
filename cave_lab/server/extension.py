"""The application that Jupyter Server loads."""

from jupyter_server.extension.application import ExtensionApp


class CaveLabExtension(ExtensionApp):
    """CaveLab's part of a running Jupyter server."""

    name = "cave_lab"
