"""Tests of cave_lab.approval."""
