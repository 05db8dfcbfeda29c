"""The base of everything that travels: frozen, and closed to unknown fields."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Wire(BaseModel):
    """A value of the protocol."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        # Without it a discriminator with a default becomes optional in the generated TypeScript.
        json_schema_serialization_defaults_required=True,
        allow_inf_nan=False,
    )
