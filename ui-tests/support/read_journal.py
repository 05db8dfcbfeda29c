"""Print the events of a notebook's threads, the newest thread first, as JSON.

Arguments: the folder of the journal, and the notebook's path below the server's root.
"""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

folder, notebook = sys.argv[1:]
file = Path(folder, "cave_lab.sqlite")
with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=10)) as journal:
    threads = journal.execute("SELECT id, target FROM threads ORDER BY created DESC").fetchall()
    found = [
        [
            json.loads(body)
            for (body,) in journal.execute(
                "SELECT body FROM events WHERE thread_id = ? ORDER BY seq", (thread_id,)
            )
        ]
        for thread_id, target in threads
        if (json.loads(target)["notebook"] or {}).get("path") == notebook
    ]
json.dump(found, sys.stdout)
