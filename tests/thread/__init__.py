"""Tests of cave_lab.thread."""
