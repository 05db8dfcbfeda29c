"""What all cases share: to be refused at the door, and to look into the journal from outside."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import tornado.httpclient

from tests.talk import Browser, Frame

ROUTES = {
    ("cave-lab/status", "GET"): None,
    ("cave-lab/settings", "PUT"): {"model": "openai/other"},
    ("cave-lab/models/check", "POST"): {"model": "openai/other"},
    ("cave-lab/models/find", "POST"): {},
    ("cave-lab/models/forget", "POST"): {"model": "openai/other"},
    ("cave-lab/budgets", "PUT"): {"turn": {"tokens": 5_000}},
    ("cave-lab/tour", "POST"): {"directory": ""},
    (f"cave-lab/blobs/thread-1/{'0' * 64}", "GET"): None,
}
"""Every path and method over REST, each with a body that would be taken."""


async def refused(
    browser: Browser, headers: dict[str, str] | None = None, query: str = ""
) -> int | None:
    """The HTTP status that refuses the websocket, None if it opens."""
    try:
        await browser.connect(headers, query)
    except tornado.httpclient.HTTPClientError as error:
        return error.code
    return None


async def rest_codes(browser: Browser, headers: dict[str, str] | None = None) -> list[int]:
    """What each route over REST answers to the same headers."""
    return [
        (await browser.fetch(path, method=method, body=body, headers=headers)).code
        for (path, method), body in ROUTES.items()
    ]


def rows(journal: Path, query: str, *values: Any) -> list[Any]:
    """Ask the journal's file; an empty list while there is none."""
    file = journal / "cave_lab.sqlite"
    if not file.exists():
        return []
    with closing(sqlite3.connect(file, timeout=10)) as connection:
        return connection.execute(query, values).fetchall()


def written(journal: Path) -> list[Any]:
    """All events, settings and claims as they stand."""
    return [
        *rows(journal, "SELECT thread_id, seq, body FROM events ORDER BY thread_id, seq"),
        *rows(journal, "SELECT * FROM settings ORDER BY owner, key"),
        *rows(journal, "SELECT id, deleted, erased, server_id FROM threads ORDER BY id"),
    ]


def types_of(journal: Path, thread_id: str) -> list[str]:
    """The types of a thread's events."""
    query = "SELECT type FROM events WHERE thread_id = ? ORDER BY seq"
    return [kind for (kind,) in rows(journal, query, thread_id)]


def events_of(journal: Path, thread_id: str, kind: str) -> list[Frame]:
    """The events of one type in a thread."""
    query = "SELECT body FROM events WHERE thread_id = ? AND type = ? ORDER BY seq"
    return [json.loads(body) for (body,) in rows(journal, query, thread_id, kind)]
