"""The journal room: SQLite behind one writer; events, blobs, settings, servers and claims."""
