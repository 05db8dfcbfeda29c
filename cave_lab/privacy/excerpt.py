"""The one way to shorten text: head and tail, or page by page."""

from __future__ import annotations

import re
from collections.abc import Callable

from cave_lab.privacy.tables import header_above
from cave_lab.protocol.content import Excerpt

REACH = 50_000
"""Characters beside a cut that are looked at for secrets: more than all bounded shapes together."""

_ENDS = re.compile(r"[^A-Za-z0-9._~+/=-]")
"""Ends a secret of any length."""


def excerpt(text: str, limit: int) -> Excerpt:
    """Keep head and tail of a text over `limit` characters, cut at line ends if near.

    A tail that was printed to another stream than the head says so.
    """
    return _named(_ends(text, limit), text)


def _ends(text: str, limit: int) -> Excerpt:
    total = len(text)
    if total <= limit:
        return Excerpt(head=text, total=total)
    half = limit // 2
    head, tail = text[:half], text[total - half :]
    end = head.rfind("\n", half - half // 4)
    if end > 0:
        head = head[: end + 1]
    start = tail.find("\n", 0, half // 4)
    if start >= 0:
        tail = tail[start + 1 :]
    return Excerpt(head=head, tail=tail, total=total, cut=True)


def redacted_excerpt(text: str, limit: int, redact: Callable[[str], str]) -> Excerpt:
    """Redact, then shorten, in this order: half a secret would not be recognised.

    Of a long text only what is kept is redacted, and as much beside it as a secret may reach.
    """
    half = limit // 2
    looked_at = half + REACH
    if len(text) > 2 * looked_at:
        head, tail = redact(text[:looked_at]), redact(text[-looked_at:])
        # Where most was masked, or a word has no end, the cuts may be too near to what is kept.
        far = min(len(head), len(tail)) >= half + REACH // 2
        if far and _ENDS.search(text, len(text) - looked_at, len(text) - half - REACH // 2):
            kept = _ends(head + tail, limit).model_copy(update={"total": len(text)})
            return _named(kept, text)
    return excerpt(redact(text), limit)


def shorter(part: Excerpt, limit: int) -> Excerpt:
    """Less of an excerpt: its beginning and its end."""
    text = part.head + part.tail
    return excerpt(text, limit).model_copy(update={"total": part.total, "cut": True})


def _named(part: Excerpt, text: str) -> Excerpt:
    """Name the stream of the tail where its name was cut off."""
    mark = _stream_at(text, len(text) - len(part.tail)) if part.cut else ""
    return part.model_copy(update={"tail": mark + part.tail}) if mark else part


def _stream_at(text: str, at: int) -> str:
    """The line that names the stream of the text here, if it is not the usual one."""
    stderr, stdout = (_last_line(text, name, at) for name in ("[stderr]", "[stdout]"))
    return "[stderr]\n" if stderr > stdout else ""


def _last_line(text: str, line: str, end: int) -> int:
    at = text.rfind(f"\n{line}\n", 0, end)
    return at if at >= 0 else 0 if text.startswith(f"{line}\n") and end > len(line) else -1


def show(part: Excerpt, more: str = "the notebook has more") -> str:
    """Write an excerpt out, saying what is missing and where `more` of it is.

    Where the cut is in a printed table, its header stands above the rest of the rows too.
    """
    if not part.cut:
        return part.head
    missing = part.total - len(part.head) - len(part.tail)
    head = part.head.rstrip()
    header = header_above(head, part.tail)
    return (
        f"{head}\n"
        f"[… cut: {missing:,} of {part.total:,} characters are not shown; {more} …]\n"
        f"{header}{chr(10) if header else ''}{part.tail}"
    )


def pages_in(total: int, chars: int) -> int:
    """How many pages a text of so many characters has."""
    return max(1, -(-total // chars))


def page_of(text: str, number: int, chars: int) -> tuple[str, int]:
    """Give a page of about `chars` characters, the first is 1, and how many there are.

    Pages end at line ends where one is near, and join to the whole text; what a page goes on with
    is repeated on top: the name of a stream, the header of a printed table. A page that does not
    exist is empty.
    """
    pages = pages_in(len(text), chars)
    if not 1 <= number <= pages:
        return "", pages
    start, end = _cut(text, number - 1, chars), _cut(text, number, chars)
    page = text[start:end]
    header = header_above(text[:start], page) if start else ""
    mark = _stream_at(text, start)
    return f"{mark}{header}\n{page}" if header else f"{mark}{page}", pages


def _cut(text: str, pages: int, chars: int) -> int:
    """Where so many pages end."""
    at = pages * chars
    if not 0 < at < len(text):
        return max(0, min(at, len(text)))
    line = text.rfind("\n", at - chars // 8, at)
    return line + 1 if line >= 0 else at
