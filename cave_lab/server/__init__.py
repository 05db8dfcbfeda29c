"""The edge: Jupyter Server loads this room and speaks to it over HTTP and websocket."""
