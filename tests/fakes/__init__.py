"""A language model that is not one: an OpenAI-compatible server that plays trajectories."""
