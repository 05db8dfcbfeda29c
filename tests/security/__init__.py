"""What an attacker may try at the server's edge, each case against a real server."""
