"""JupyterLab's page is told which messages its busy indicator has to pass over."""

import json
import subprocess
import sys

import pytest

from cave_lab.untracked import UNTRACKED

PAGE = """
import json, sys
from jupyter_server.serverapp import ServerApp

app = ServerApp(allow_root=True, open_browser=False, port=0)
names = sys.argv[1:]
app.initialize(new_httpserver=False, find_extensions=False, argv=[])
for name in names:
    app.extension_manager.add_extension(name, enabled=True)
    app.extension_manager.link_extension(name)
    app.extension_manager.load_extension(name)
page = app.web_app.settings["page_config_data"]["untracked_message_types"]
print(json.dumps([page, list(app.kernel_manager.untracked_message_types)]))
"""


@pytest.mark.parametrize(
    "order", [("cave_lab", "jupyterlab"), ("jupyterlab", "cave_lab")], ids=["first", "last"]
)
def test_the_page_and_the_culler_pass_over_looks_whichever_part_is_set_up_first(order, tmp_path):
    answer = subprocess.run(
        [sys.executable, "-c", PAGE, *order],
        cwd=tmp_path,
        env={"PATH": "", "HOME": str(tmp_path), "JUPYTER_NO_CONFIG": "1"},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    for passed_over in json.loads(answer.stdout.splitlines()[-1]):
        assert {*UNTRACKED, "kernel_info_request"} <= set(passed_over)
        assert len(passed_over) == len(set(passed_over))
