"""The sample notebook that the tour opens."""

from __future__ import annotations

from typing import Any

from cave_lab.model.tour.cells import SALES
from cave_lab.model.tour.story import TOUR_PROMPTS

_WELCOME = f"""\
# A guided tour of CaveLab

This notebook is the tour's own; yours stay as they are. What the panel says here is **scripted, \
not an AI**. The rest is real: the kernel, the cells, your approval, the errors.

1. The cell below makes a variable, `sales`. The tour runs it for you as it begins; run it \
yourself only after the kernel was restarted.
2. Send the panel's first suggestion, *{TOUR_PROMPTS[0]}*, and look at the cell before you run it.
"""


def tour_notebook() -> dict[str, Any]:
    """Give the notebook as nbformat 4.5."""
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
        "cells": [
            {"id": "tour-welcome", "cell_type": "markdown", "metadata": {}, "source": _WELCOME},
            {
                "id": "tour-sales",
                "cell_type": "code",
                "metadata": {},
                "source": SALES,
                "outputs": [],
                "execution_count": None,
            },
        ],
    }
