"""One survey a file: an exclusive lock for as long as the file is open, and who holds it.

Where there is no ``fcntl`` (on Windows) nothing is locked.
"""

import os
from pathlib import Path
from typing import Final

try:
    import fcntl
except ModuleNotFoundError:
    fcntl = None  # type: ignore[assignment]

_LOCKS: Final = Path("/proc/locks")
"""Where Linux lists the locks: kind, mode, access, process, device and inode."""


def lock(descriptor: int) -> bool:
    """Lock an open file until it is closed; False if another one has it locked."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


def holder(descriptor: int) -> str:
    """Who has the file locked, as far as the system tells: "process 4711"."""
    held = os.fstat(descriptor)
    device = f"{os.major(held.st_dev):02x}:{os.minor(held.st_dev):02x}:{held.st_ino}"
    try:
        lines = _LOCKS.read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        _, kind, *_, process, where, _, _ = line.split()
        if kind == "FLOCK" and where == device and process != "-1":
            return f"process {process}"
    return "another process"
