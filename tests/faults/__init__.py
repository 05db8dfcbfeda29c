"""Tests of what must hold when something breaks: crashes, full disks, damage, two servers."""
