"""Connections to databases: what kind of database, never where it is and who asks."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.plain import (
    CLASS_DICT,
    CLASS_MRO,
    class_module,
    class_name,
    held,
    shorten,
)

CONNECTIONS = {
    "sqlite3": ("sqlite", ("Connection", "Cursor")),
    "psycopg": ("postgresql", ("Connection", "AsyncConnection", "Cursor", "AsyncCursor")),
    "psycopg2": ("postgresql", ("connection", "cursor")),
    "asyncpg": ("postgresql", ("Connection", "Pool")),
    "pymysql": ("mysql", ("Connection", "Cursor")),
    "MySQLdb": ("mysql", ("Connection", "Cursor")),
    "mysql": ("mysql", ("MySQLConnection", "CMySQLConnection")),
    "duckdb": ("duckdb", ("DuckDBPyConnection", "DuckDBPyRelation")),
    "_duckdb": ("duckdb", ("DuckDBPyConnection", "DuckDBPyRelation")),
    "oracledb": ("oracle", ("Connection", "Cursor")),
    "pyodbc": ("odbc", ("Connection", "Cursor")),
    "snowflake": ("snowflake", ("SnowflakeConnection", "SnowflakeCursor")),
}
"""By the root of the module: the database, and the classes that lead to it."""

ALCHEMY = "sqlalchemy"
ALCHEMISTS = ("Engine", "Connection", "Session", "AsyncEngine", "AsyncConnection", "AsyncSession")

TOWARDS = ("engine", "bind", "sync_engine", "sync_connection", "sync_session")
"""Where SQLAlchemy's objects keep the one that knows the dialect."""

STEPS = 4
"""From an asynchronous session to its dialect."""


def describe_connection(value: object, row: dict[str, Any]) -> bool:
    """A connection, cursor, engine or session; whether the value is one.

    Told by module and name alone, as nothing of the object is called: it can be of any class.
    """
    for base in CLASS_MRO(type(value)):
        root = (class_module(base) or "").split(".")[0]
        database, names = CONNECTIONS.get(root, ("", ()))
        if root == ALCHEMY and class_name(base) in ALCHEMISTS:
            database, names = dialect_of(value) or "", ALCHEMISTS
        if class_name(base) in names:
            row["kind"] = "connection"
            if database:
                row["summary"] = database
            return True
    return False


def dialect_of(value: object) -> str | None:
    """The name of the dialect that an object of SQLAlchemy leads to."""
    for _ in range(STEPS):
        dialect = held(value, "dialect")
        if dialect is not None:
            return constant_text(type(dialect), "name")
        value = next(
            (one for one in (held(value, name) for name in TOWARDS) if one is not None), None
        )
    return None


def constant_text(cls: type, name: str) -> str | None:
    """The text that a class or the nearest of its bases has under a name."""
    found = (CLASS_DICT(base).get(name) for base in CLASS_MRO(cls))
    return next((shorten(text) for text in found if type(text) is str), None)
