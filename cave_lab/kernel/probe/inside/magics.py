"""A cell's magics and shell lines, as far as they matter for the names that it can touch."""

from __future__ import annotations

import re

PYTHON_BODIES = frozenset(("time", "timeit", "capture", "prun"))
"""Cell magics whose body is an ordinary cell, and line magics that run the rest of the line."""

OUTSIDE_CELLS = frozenset(
    ("bash", "sh", "script", "html", "svg", "latex", "markdown", "javascript", "js", "writefile")
)
"""Cell magics whose body is no Python of this kernel."""

OUTSIDE_LINES = frozenset(
    (
        *("matplotlib", "pip", "conda", "cd", "pwd", "ls", "env", "load_ext", "reload_ext"),
        *("config", "who", "whos", "precision", "pinfo", "pdoc", "psource", "lsmagic", "magic"),
        *("autoreload", "system", "sx", "colors", "xmode", "history", "notebook", "doctest_mode"),
    )
)
"""Line magics that bind and change no variable."""

CELL_MAGIC = re.compile(r"\s*%%(\w+)[^\n]*\n?")
LINE_MAGIC = re.compile(r"(\s*)%(\w+)(?:\s+-[a-zA-Z]+\s*\d*)*\s*(.*)$")
ASSIGNED = re.compile(r"(\s*[\w.,\s]+=\s*)([%!])(\w*)")
SHELL_OR_HELP = re.compile(r"(\s*)(?:!|\?)|(\s*)[\w.*%]+\?\??\s*$")


def without_magics(code: str) -> tuple[str, bool]:
    """The Python in a cell with magics, and whether a part of it stays unknown."""
    first = CELL_MAGIC.match(code)
    if first is None:
        return plain_lines(code)
    if first.group(1) in OUTSIDE_CELLS:
        return "", False
    body, unknown = plain_lines(code[first.end() :])
    return body, unknown or first.group(1) not in PYTHON_BODIES


def plain_lines(code: str) -> tuple[str, bool]:
    """The lines of a cell, with an idle statement or the timed one in place of each magic."""
    lines = [plain_line(line) for line in code.split("\n")]
    return "\n".join(line for line, _ in lines), any(unknown for _, unknown in lines)


def plain_line(line: str) -> tuple[str, bool]:
    """One line as Python, and whether a part of it stays unknown."""
    magic = LINE_MAGIC.match(line)
    if magic is not None:
        indent, name, rest = magic.groups()
        if name in PYTHON_BODIES:
            return indent + (rest or "pass"), False
        return indent + "pass", name not in OUTSIDE_LINES
    assigned = ASSIGNED.match(line)
    if assigned is not None:
        target, sign, name = assigned.groups()
        return target + "None", sign == "%" and name not in OUTSIDE_LINES
    outside = SHELL_OR_HELP.match(line)
    if outside is not None:
        return (outside.group(1) or outside.group(2) or "") + "pass", False
    return line, False
