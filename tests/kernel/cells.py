"""Cells that several tests run."""

SLEEP = "import time\ntime.sleep(60)"

HELD = """
import ctypes, time
class When(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]
library = ctypes.PyDLL(None)
mutex = ctypes.create_string_buffer(64)
library.pthread_mutex_lock(mutex)
until = When(int(time.time()) + 4, 0)
print('held', flush=True)
library.pthread_mutex_timedlock(mutex, ctypes.byref(until))
"""
"""Stays in C for three to four seconds, keeps the interpreter's lock and hears no signal.

It prints a word right before, which has to be waited for.
"""
