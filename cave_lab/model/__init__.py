"""The model room: one port, an adapter, retries, actions, prompts and the tour."""
