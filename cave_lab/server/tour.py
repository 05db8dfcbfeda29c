"""Writes the tour's notebook through Jupyter's contents manager."""

from __future__ import annotations

from typing import Any

from jupyter_core.utils import ensure_async

from cave_lab.model.tour import TOUR_MODEL, tour_notebook, tour_prompts
from cave_lab.protocol.rest import TourNotebook, TourPrompt, TourRequest

FILE_NAME = "CaveLab tour.ipynb"


async def make_tour(contents: Any, request: TourRequest) -> TourNotebook:
    """Make a notebook under a name that is free, and say what to ask in it."""
    directory = request.directory.strip("/")
    name = await ensure_async(contents.increment_filename(FILE_NAME, directory))
    path = f"{directory}/{name}" if directory else name
    model = {"type": "notebook", "format": "json", "content": tour_notebook()}
    await ensure_async(contents.save(model, path))
    prompts = [TourPrompt(label=prompt.label, text=prompt.text) for prompt in tour_prompts()]
    return TourNotebook(path=path, model=TOUR_MODEL, prompts=prompts)
