"""The probe's messages: looks and notes, none of which is activity of the person. Runs are."""

_ASKED = ("hello", "cancel", "interrupt", "variables", "look", "changes", "changes_since")

UNTRACKED = tuple(f"cave_lab_{name}_{end}" for name in _ASKED for end in ("request", "reply"))
"""What neither the busy indicator nor the culler may count."""
