"""Tests of the server's edge, and of all that lies behind it."""
