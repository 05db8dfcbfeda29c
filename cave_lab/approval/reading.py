"""Reads Python code through IPython's own transformer, without running any of it."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from functools import lru_cache
from typing import Any

MOST_CHARS = 50_000
MOST_MAGICS = 50
MOST_READ = 250_000
"""Code with more is not read. Each magic makes IPython read all of it anew, on our event loop: so
many characters in all are about 0.2 s."""

_MAGICS = re.compile(r"(?m)^[ \t]*[%!?,;/]|\?[ \t]*$|=[ \t]*[%!]")

_PYTHON = ("python", "ipython", "python3")

_SHOWN_CHARS = 80
"""Of the line at fault; enough to find it."""


def is_python(language: str | None) -> bool:
    """Whether a kernel's language is Python; None is Python too."""
    return (language or "python").lower() in _PYTHON


def takes_long(code: str) -> bool:
    """Whether reading it would hold up everything else."""
    if len(code) > MOST_CHARS:
        return True
    magics = len(_MAGICS.findall(code))
    return magics > MOST_MAGICS or (magics + 1) * len(code) > MOST_READ


# A proposal is read for its faults and then for what it touches: the same code, twice in a row.
@lru_cache(maxsize=1)
def parse(code: str) -> ast.Module | SyntaxError | None:
    """Read code that does not take long; returns what is wrong with it, or None if that is unclear.

    Magics become calls. A `return` or an `await` outside of a function is left to the kernel.
    """
    # Imported here: IPython is slow to import and not needed before the first proposal.
    from IPython.core.inputtransformer2 import TransformerManager

    transformer: Any = TransformerManager  # IPython has no types
    try:
        text: str = transformer().transform_cell(code)
        with warnings.catch_warnings():
            # About the model's code, which the person's kernel will warn of itself.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        return error.with_traceback(None)
    except (ValueError, RuntimeError, MemoryError):
        # RuntimeError is IPython's, of text that never settles, or too deep a recursion.
        return None


def fault_of(code: str, language: str | None, version: str) -> str | None:
    """Say what keeps the kernel from even reading code; None if nothing does, or it is unclear.

    `version` is that of the kernel's Python. A newer one than ours may read what we can't.
    """
    if not is_python(language) or takes_long(code) or not _not_newer(version):
        return None
    error = parse(code)
    if not isinstance(error, SyntaxError):
        return None
    line = (error.text or "").strip()[:_SHOWN_CHARS]
    where = f", line {error.lineno}" if error.lineno else ""
    return f"{error.msg}{where}" + (f": {line}" if line else "")


def _not_newer(version: str) -> bool:
    found = re.match(r"(\d+)\.(\d+)", version)
    return found is not None and (int(found[1]), int(found[2])) <= sys.version_info[:2]
