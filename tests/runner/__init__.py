"""What `tests/all.py` is made of: the standard library alone, since it sets up everything else."""
