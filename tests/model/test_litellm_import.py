"""In a process of its own each: what importing litellm does happens once."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

OFFLINE = """
import socket
def refuse(*args, **kwargs):
    raise AssertionError("the network was reached for")
socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = socket.create_connection = refuse
"""


def run(script: str, folder: Path) -> str:
    answer = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.strip()


def test_the_model_side_is_imported_without_litellm(tmp_path: Path):
    script = """
import sys
import cave_lab.model.replies, cave_lab.model.litellm
from cave_lab.limits import DEFAULT_LIMITS
cave_lab.model.replies.ModelReplies(DEFAULT_LIMITS)
print({"litellm", "openai", "httpx", "aiohttp", "tiktoken"} & set(sys.modules))
"""
    assert run(script, tmp_path) == "set()"


def test_loading_reaches_no_network_reads_no_env_file_and_leaves_the_root_logger(tmp_path: Path):
    (tmp_path / ".env").write_text("PLANTED=yes\nOPENAI_API_KEY=planted\n")
    script = f"""
{OFFLINE}
import logging, os
before = dict(os.environ)
root = logging.getLogger()
handlers, level = list(root.handlers), root.level
from cave_lab.model.litellm import load
litellm = load()
assert dict(os.environ) == before, set(os.environ) ^ set(before)
assert (list(root.handlers), root.level) == (handlers, level)
assert not logging.getLogger("LiteLLM").propagate
assert litellm.token_counter(model="gpt-4o", text="hello") == 0
assert len(litellm.encoding.encode("hello")) == 1
assert litellm.model_cost["gpt-4o"]
from litellm.anthropic_beta_headers_manager import get_provider_name
assert get_provider_name("anthropic")
print("quiet")
"""
    assert run(script, tmp_path) == "quiet"


def test_loading_twice_at_once_gives_one_library(tmp_path: Path):
    script = """
import asyncio
from cave_lab.model.litellm import load
async def both():
    one, two = await asyncio.gather(asyncio.to_thread(load), asyncio.to_thread(load))
    print(one is two)
asyncio.run(both())
"""
    assert run(script, tmp_path) == "True"


def test_a_library_that_another_extension_loaded_is_kept_quiet_too(tmp_path: Path):
    script = """
import os
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm
assert litellm.REPEATED_STREAMING_CHUNK_LIMIT == 100
from cave_lab.model.litellm import load
assert load() is litellm
print(litellm.REPEATED_STREAMING_CHUNK_LIMIT > 10_000, litellm.suppress_debug_info)
print(os.environ["LITELLM_LOCAL_MODEL_COST_MAP"])
"""
    assert run(script, tmp_path) == "True True\nTrue"


def test_a_broken_installation_is_said_in_a_sentence(tmp_path: Path):
    (tmp_path / "litellm.py").write_text("raise AttributeError('half a package')")
    script = """
import asyncio
from cave_lab.errors import ModelError
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.litellm import LiteLLMModel
try:
    asyncio.run(LiteLLMModel(DEFAULT_LIMITS).prepare())
except ModelError as error:
    print(error.detail, str(error).endswith("."))
"""
    assert run(script, tmp_path) == "AttributeError: half a package True"
