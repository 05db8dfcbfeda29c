"""The kernel room: our own link to a notebook's live kernel, its runs and its variables."""
