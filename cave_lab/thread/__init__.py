"""The domain: threads, their turns, and what is told of them."""
