"""Kill the process of a kernel at once, and print how many were killed.

Argument: the kernel's connection file.
"""

import json
import sys

import psutil

killed = [
    process
    for process in psutil.process_iter(["cmdline"])
    if sys.argv[1] in (process.info["cmdline"] or ()) and process.pid != psutil.Process().pid
]
for process in killed:
    process.kill()
json.dump(len(killed), sys.stdout)
