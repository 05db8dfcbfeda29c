"""R's own kernel, for tests: found on the machine, and put where only the test's server sees it."""

import functools
import json
import shutil
import subprocess
from pathlib import Path

import pytest

SPEC = {
    "argv": ["R", "--slave", "-e", "IRkernel::main()", "--args", "{connection_file}"],
    "display_name": "R",
    "language": "R",
}
"""As IRkernel itself installs it."""

MISSING = (
    "R and its kernel for Jupyter are needed for this test, and can't be found. Install them: on "
    "Debian and Ubuntu `apt-get install --no-install-recommends r-cran-irkernel`, anywhere else R "
    'and, in it, `install.packages("IRkernel")`. No kernel spec is needed.'
)

_ASK = "quit(status = if (requireNamespace('IRkernel', quietly = TRUE)) 0 else 1)"


@functools.cache
def _is_there() -> bool:
    command = shutil.which("R")
    if command is None:
        return False
    asked = subprocess.run([command, "--slave", "-e", _ASK], capture_output=True, check=False)
    return asked.returncode == 0


def offer_r(folder: Path) -> str:
    """Write R's kernel spec below a folder of Jupyter's; returns its name, or fails without R."""
    if not _is_there():
        pytest.fail(MISSING, pytrace=False)
    (folder / "kernels" / "ir").mkdir(parents=True)
    (folder / "kernels" / "ir" / "kernel.json").write_text(json.dumps(SPEC))
    return "ir"
