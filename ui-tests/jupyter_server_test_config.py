"""Configuration of the servers that the browser tests run against; never use it for real work.

Differs from Galata's defaults: a token is asked for, so that pages are signed in by cookie as a
person's are; the port comes from the environment; documents are saved only when a test saves them.
CaveLab talks to the scripted model, and keeps its journal where the tests can read it.
"""

import json
import logging
import os
from pathlib import Path
from typing import Any

from jupyterlab.galata import configure_jupyter_server
from traitlets.config import get_config

c: Any = get_config()

configure_jupyter_server(c)
c.ServerApp.allow_root = True
c.ServerApp.ip = "127.0.0.1"
c.ServerApp.port = int(os.environ["CAVE_LAB_UI_PORT"])
c.IdentityProvider.token = os.environ["CAVE_LAB_UI_TOKEN"]

if os.environ.get("CAVE_LAB_UI_SERVER_LOG"):
    logging.basicConfig()
    logging.getLogger("cave_lab").setLevel("DEBUG")

os.environ["CAVE_LAB_UI_KEY"] = "canary-key-0123456789"
c.CaveLab.model = "openai/scripted"
c.CaveLab.api_base = f"http://127.0.0.1:{os.environ['CAVE_LAB_UI_MODEL_PORT']}/v1"
c.CaveLab.key_env = "CAVE_LAB_UI_KEY"
c.CaveLab.journal_dir = os.environ["CAVE_LAB_UI_JOURNAL"]

overrides = {
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
labconfig = Path(os.environ["JUPYTER_CONFIG_DIR"], "labconfig")
labconfig.mkdir(exist_ok=True)
(labconfig / "default_setting_overrides.json").write_text(json.dumps(overrides), encoding="utf-8")
