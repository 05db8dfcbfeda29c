"""Cells that several tests run."""

from cave_lab.errors import KernelSilent
from cave_lab.kernel.port import KernelLink

SLEEP = "import time\ntime.sleep(60)"

HELD = """
import ctypes, time
class When(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]
library = ctypes.PyDLL(None)
mutex = ctypes.create_string_buffer(64)
library.pthread_mutex_lock(mutex)
until = When(int(time.time()) + 6, 0)
library.pthread_mutex_timedlock(mutex, ctypes.byref(until))
"""
"""Stays in C for five to six seconds, keeps the interpreter's lock and hears no signal."""


async def is_held(link: KernelLink) -> bool:
    """Whether the kernel is silent; asked with a short `probe_seconds`."""
    try:
        return (await link.variables(names=[])).age_seconds > 0
    except KernelSilent:
        return True
