"""The notebook room on the server: who may write a notebook for us."""
