"""The table of settings: what an owner chose, as JSON by key."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

from pydantic import JsonValue


def get(connection: sqlite3.Connection, owner: str, key: str) -> JsonValue:
    """Return what the owner chose, or None."""
    query = "SELECT value FROM settings WHERE owner = ? AND key = ?"
    with closing(connection.execute(query, (owner, key))) as rows:
        row = rows.fetchone()
    value: JsonValue = None if row is None else json.loads(row[0])
    return value


def put(connection: sqlite3.Connection, owner: str, key: str, value: JsonValue) -> None:
    """Keep what the owner chose; None forgets it."""
    if value is None:
        connection.execute("DELETE FROM settings WHERE owner = ? AND key = ?", (owner, key))
        return
    connection.execute(
        "INSERT INTO settings (owner, key, value) VALUES (?, ?, ?)"
        " ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value",
        (owner, key, json.dumps(value, allow_nan=False)),
    )
