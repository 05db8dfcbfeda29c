"""Writes the tour's notebook through Jupyter's contents manager."""

from __future__ import annotations

from typing import Any

from jupyter_core.utils import ensure_async

from cave_lab.model.tour import TOUR_PREFIX, TOUR_PROMPTS, tour_notebook
from cave_lab.protocol.rest import TourNotebook, TourRequest

FILE_NAME = "CaveLab tour.ipynb"


async def make_tour(contents: Any, request: TourRequest) -> TourNotebook:
    """Make a notebook under a name that is free, and say what to ask in it."""
    directory = request.directory.strip("/")
    name = await ensure_async(contents.increment_filename(FILE_NAME, directory))
    path = f"{directory}/{name}" if directory else name
    model = {"type": "notebook", "format": "json", "content": tour_notebook()}
    await ensure_async(contents.save(model, path))
    return TourNotebook(path=path, model=TOUR_PREFIX, prompts=list(TOUR_PROMPTS))
