"""CaveLab: a chat sidebar whose agent works in the live kernel of the open notebook."""

from importlib.metadata import version
from typing import Any

__version__ = version("cave-lab")


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    """Tell JupyterLab where the built front end lies and under which name it is installed."""
    return [{"src": "labextension", "dest": "cave-lab"}]


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    """Tell Jupyter Server which application to load, importing it only when asked."""
    from cave_lab.server.extension import CaveLab

    return [{"module": "cave_lab", "app": CaveLab}]
