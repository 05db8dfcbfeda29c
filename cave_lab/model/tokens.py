"""How many tokens a call will have, from what the provider counted of those before it.

Providers count differently, by a little for English and by half for Chinese. So our own count is
kept in two parts, and what each is worth to a provider is learned from what it reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cave_lab.protocol.ids import BlobId
from cave_lab.state.values import CallState

MESSAGE_TOKENS = 4
"""What the frame of a message costs in most chat templates."""

_LEAST, _MOST = 0.4, 4.0
"""No known tokenizer is further from ours; what is beyond comes of words that we don't see."""


@dataclass(frozen=True)
class Tally:
    """Tokens of a text as we count them: of Chinese, Japanese and Korean script, and of the rest.

    Bytes over four stand for the rest where nothing could be counted.
    """

    narrow: float = 0.0
    wide: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.narrow + other.narrow, self.wide + other.wide)


def rough(text: str) -> Tally:
    """A first idea of a text's tokens, while there is no tokenizer yet."""
    return Tally(len(text.encode("utf-8", "replace")) / 4)


FRAME = Tally(MESSAGE_TOKENS)

_FIRM = Tally(150.0, 20.0)
"""So many tokens must speak against our own count before it is half given up. Tokenizers differ by
a tenth in what is narrow, and by more than a half in what is wide."""


@dataclass(frozen=True)
class Rates:
    """What a token of ours is worth to a provider."""

    narrow: float = 1.0
    wide: float = 1.0

    def of(self, tally: Tally) -> float:
        """A text's tokens as the provider would count."""
        return self.narrow * tally.narrow + self.wide * tally.wide


_UNTAUGHT = Rates(1.0, 1.15)
"""Before anything is known of a provider: in the middle of what tokenizers make of such texts."""


@dataclass(frozen=True)
class Sample:
    """A part of a call, as counted here and by the provider."""

    ours: Tally
    theirs: int


def rates_from(samples: Sequence[Sample]) -> Rates:
    """Fit both rates by least squares; few samples move them little from `_UNTAUGHT`."""
    narrow, wide = _FIRM.narrow**2, _FIRM.wide**2
    nn = narrow + sum(s.ours.narrow**2 for s in samples)
    ww = wide + sum(s.ours.wide**2 for s in samples)
    nw = sum(s.ours.narrow * s.ours.wide for s in samples)
    nt = narrow + sum(s.ours.narrow * s.theirs for s in samples)
    wt = wide * _UNTAUGHT.wide + sum(s.ours.wide * s.theirs for s in samples)
    # Never nought: the firmness keeps the two rows apart.
    whole = nn * ww - nw * nw
    return Rates(_bounded((nt * ww - wt * nw) / whole), _bounded((wt * nn - nt * nw) / whole))


def _bounded(rate: float) -> float:
    return min(max(rate, _LEAST), _MOST)


@dataclass(frozen=True)
class Measured:
    """What a call will be given, counted here: its messages by name, and its tools."""

    messages: list[BlobId]
    tallies: Mapping[BlobId, Tally]
    """Of these messages, and of all that are known of earlier calls."""
    fixed: Tally = Tally()


def estimate(now: Measured, calls: Sequence[CallState]) -> int:
    """Estimate a call's prompt; `calls` are the earlier ones to the same model, in order.

    What the last of them was given too is taken as the provider counted it.
    """
    told = _counted(calls)
    rates = rates_from(list(_samples(now, told)))
    last = told[-1] if told else None
    if last is None or not _continues(last.messages, now.messages):
        return round(rates.of(now.fixed + _sum(now, now.messages)))
    tail = now.messages[len(last.messages) :]
    return _prompt(last) + round(rates.of(_sum(now, tail)))


def weigh(now: Measured, calls: Sequence[CallState]) -> list[int]:
    """Estimate each message by itself, in order."""
    rates = rates_from(list(_samples(now, _counted(calls))))
    return [round(rates.of(now.tallies[blob])) for blob in now.messages]


def _counted(calls: Sequence[CallState]) -> list[CallState]:
    """The calls that their provider counted."""
    return [call for call in calls if _prompt(call) > 0]


def _samples(now: Measured, calls: Sequence[CallState]) -> Iterator[Sample]:
    before: CallState | None = None
    for call in calls:
        grown = before is not None and _continues(before.messages, call.messages)
        since = len(before.messages) if grown and before is not None else 0
        tail = call.messages[since:]
        counted = _prompt(call) - (_prompt(before) if since and before is not None else 0)
        if counted > 0 and all(blob in now.tallies for blob in tail):
            ours = _sum(now, tail)
            yield Sample(ours if since else now.fixed + ours, counted)
        before = call


def _prompt(call: CallState) -> int:
    """What the provider counted of a call; 0 if it did not say."""
    return call.usage.prompt if call.usage is not None and not call.usage.estimated else 0


def _continues(before: list[BlobId], now: list[BlobId]) -> bool:
    return len(before) <= len(now) and now[: len(before)] == before


def _sum(now: Measured, blobs: Sequence[BlobId]) -> Tally:
    return sum((now.tallies[blob] for blob in blobs), Tally())
