"""Tests of cave_lab.privacy."""
