"""The guided tour: a labelled script that goes through the same loop as a model."""

from __future__ import annotations

from cave_lab.model.scripted import ScriptedModel
from cave_lab.model.tour.notebook import tour_notebook
from cave_lab.model.tour.story import TOUR, TOUR_PROMPTS

TOUR_PREFIX = "cave-lab/tour"
"""Models so named are the script, not an AI."""


def tour_model(tokens_per_second: float | None) -> ScriptedModel:
    """Give the tour as a model; None plays it as fast as it goes."""
    return ScriptedModel(TOUR, tokens_per_second)


__all__ = ["TOUR", "TOUR_PREFIX", "TOUR_PROMPTS", "tour_model", "tour_notebook"]
