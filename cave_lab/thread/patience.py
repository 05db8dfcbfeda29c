"""How often in a row something may go wrong before a turn does something else."""

from __future__ import annotations

from dataclasses import dataclass, field

from cave_lab.limits import Limits
from cave_lab.protocol.words import Refusal


@dataclass
class Patience:
    """What was done instead since the last cell that could be carried out."""

    limits: Limits
    _refused: int = field(default=0, init=False)
    _broken: int = field(default=0, init=False)
    _cut_off: int = field(default=0, init=False)
    _looked: int = field(default=0, init=False)

    def went_well(self) -> None:
        """A cell was carried out: count anew."""
        self._refused = self._broken = self._cut_off = self._looked = 0

    def may_look(self) -> bool:
        """Whether the model may look once more; a look it may make shows that it has the tools."""
        if self._looked >= self.limits.looks_in_a_row:
            return False
        self._looked += 1
        self._broken = 0
        return True

    def after_refusal(self) -> bool:
        """Whether the model may try again after an action that can't be used."""
        self._refused += 1
        return self._refused < self.limits.refused_actions_per_turn

    def after_cut(self) -> bool:
        """Whether an answer that reached the model's limit goes on by itself."""
        self._cut_off += 1
        return self._cut_off <= self.limits.continuations_per_answer

    def has_no_tools(self, refusal: Refusal) -> bool:
        """Whether a refusal shows that the model can't use the tool."""
        if refusal == "call_as_text":
            return True
        self._broken = self._broken + 1 if refusal == "broken_arguments" else 0
        return self._broken == self.limits.broken_calls_until_fences
