"""A scripted answer, cut into the pieces in which a provider would stream it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from cave_lab.model.port import ReasoningChunk, TextChunk, ToolChunk
from cave_lab.model.script import (
    Call,
    Cell,
    Finish,
    Gate,
    Item,
    Look,
    Quote,
    RawCall,
    Say,
    ScriptedTurn,
    Seen,
    Think,
    find,
)
from cave_lab.model.wire import fenced_block, look_block
from cave_lab.protocol.ids import new_id
from cave_lab.protocol.words import ActionFormat

Piece = TextChunk | ReasoningChunk | ToolChunk | Gate

CHARS_PER_TOKEN = 4


def pieces(turn: ScriptedTurn, seen: Seen, format: ActionFormat = "tools") -> Iterator[Piece]:
    """Give the answer piece by piece, at `turn.piece_chars` characters each.

    In the format `fences` a cell or a look is a fenced block of the text, as a model without tools
    writes it.
    """
    calls = 0
    said = False
    for item in turn.answer:
        if format == "fences" and isinstance(item, Cell | Look):
            block = _block(item)
            words = f"\n\n{block}\n" if said else f"{block}\n"
            yield from (TextChunk(part) for part in _cut(words, turn.piece_chars))
        else:
            yield from _item(item, seen, turn.piece_chars, calls)
        calls += isinstance(item, Call)
        said = said or isinstance(item, Say | Quote)


def finish_of(turn: ScriptedTurn, format: ActionFormat = "tools") -> Finish:
    """Say why the answer ends, as the turn says or as a provider would."""
    if turn.finish is not None:
        return turn.finish
    if format == "fences":
        return "stop"
    return "tool_calls" if any(isinstance(i, Call) for i in turn.answer) else "stop"


def seconds_of(piece: Piece, tokens_per_second: float | None) -> float:
    """How long a model of this speed takes for a piece."""
    if tokens_per_second is None or isinstance(piece, Gate):
        return 0.0
    text = piece.arguments if isinstance(piece, ToolChunk) else piece.text
    return len(text) / CHARS_PER_TOKEN / tokens_per_second


def _block(item: Cell | Look) -> str:
    if isinstance(item, Look):
        return look_block(item.names, item.detail)
    return fenced_block(item.code, item.purpose, "python", scratch=item.scratch)


def _item(item: Item, seen: Seen, size: int, calls: int) -> Iterable[Piece]:
    match item:
        case Say(text):
            return (TextChunk(part) for part in _cut(text, size))
        case Think(text):
            return (ReasoningChunk(part) for part in _cut(text, size))
        case Quote(pattern, otherwise):
            found = find(pattern, seen.last)
            return (TextChunk(part) for part in _cut(otherwise if found is None else found, size))
        case Cell(code, purpose, scratch):
            cell = {"purpose": purpose, "code": code, **({"scratch": True} if scratch else {})}
            return _call(RawCall(json.dumps(cell, ensure_ascii=False)), size, calls)
        case Look(names, detail):
            look = {"names": names, **({"detail": detail} if detail else {})}
            return _call(RawCall(json.dumps(look, ensure_ascii=False), "look"), size, calls)
        case RawCall():
            return _call(item, size, calls)
        case Gate():
            return (item,)


def _call(call: RawCall, size: int, index: int) -> Iterator[ToolChunk]:
    yield ToolChunk(index, "", name=call.tool, call_id=new_id("call"))
    for part in _cut(call.arguments, size):
        yield ToolChunk(index, part)


def _cut(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))
