"""What the model is given, derived from the folded thread under the privacy mode in force.

Messages are never stored as the truth: a stricter mode applies to the past too. Each is derived
from its part of the thread and from what those before it taught the model, so that those of earlier
calls stay as they are, need not be derived again, and can be cached by a provider. Only a
compaction shortens what was told before.
"""

from __future__ import annotations

from cave_lab.model.messages.derivation import Derivation, Placed, derive
from cave_lab.model.messages.shortening import BEGIN, Place, Shortening, results_in, shortening
from cave_lab.model.messages.told import ANSWER_CUT, BROKEN_CODE, parts_text
from cave_lab.model.messages.view import View, bounds_of

__all__ = [
    "ANSWER_CUT",
    "BEGIN",
    "BROKEN_CODE",
    "Derivation",
    "Place",
    "Placed",
    "Shortening",
    "View",
    "bounds_of",
    "derive",
    "parts_text",
    "results_in",
    "shortening",
]
