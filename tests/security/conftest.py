"""The fixtures of a whole server."""

from tests.lab import (
    jp_base_url,
    jp_server_config,
    lab,
    model,
    more_config,
    no_key_is_left_behind,
)

__all__ = [
    "jp_base_url",
    "jp_server_config",
    "lab",
    "model",
    "more_config",
    "no_key_is_left_behind",
]
