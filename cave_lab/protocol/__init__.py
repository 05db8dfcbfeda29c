"""The vocabulary of the wire: ids, content, events, commands and frames."""
