"""Tests of cave_lab.state."""
