"""The identity of code: what is shown, approved, run and kept has one digest."""

from __future__ import annotations

from hashlib import sha256

from cave_lab.protocol.ids import Sha256


def canonical(code: str) -> str:
    """Write code with `\\n` line ends, as it is stored, hashed and run."""
    return code.replace("\r\n", "\n").replace("\r", "\n")


def digest(code: str) -> Sha256:
    """Hash canonical code as UTF-8; lone surrogates are kept apart, not dropped."""
    return Sha256(sha256(canonical(code).encode("utf-8", "surrogatepass")).hexdigest())
