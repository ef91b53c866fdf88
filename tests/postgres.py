"""A PostgreSQL server of the tests' own, from the system's packages.

It lives in a folder that goes away with it and listens on a socket in there alone.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEBIAN = Path("/usr/lib/postgresql")


def programs() -> Path | None:
    """Where initdb and pg_ctl are, the newest version if there are several."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    installed = [path.parent for path in DEBIAN.glob("*/bin/initdb")]
    return max(installed, key=lambda path: int(path.parent.name), default=None)


@contextmanager
def server(bin_: Path) -> Iterator[str]:
    """A running server; its URL but for the name of a database comes back."""
    home = Path(tempfile.mkdtemp(prefix="scorpion-postgres-"))
    # PostgreSQL refuses to run as root; Debian's package brings a user for it.
    as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    if as_user:
        shutil.chown(home, "postgres")
    data = home / "data"

    def run(program: str, *arguments: str | Path) -> None:
        command = [*as_user, bin_ / program, *arguments]
        subprocess.run(command, check=True, cwd=home, timeout=120, stdout=subprocess.DEVNULL)

    try:
        run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories={home} -c fsync=off"
        run("pg_ctl", "-D", data, "-l", home / "log", "-w", "-o", options, "start")
        try:
            yield f"postgresql://postgres@/{{database}}?host={home}"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(home)
