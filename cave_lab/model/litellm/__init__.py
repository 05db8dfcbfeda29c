"""The only room that knows litellm."""

from __future__ import annotations

from cave_lab.model.litellm.adapter import LiteLLMModel, redactor
from cave_lab.model.litellm.library import load
from cave_lab.model.litellm.route import Route

__all__ = ["LiteLLMModel", "Route", "load", "redactor"]
