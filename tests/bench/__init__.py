"""Measurements: scripts that print figures as ratios in one run; `docs/figures.md` holds them."""
