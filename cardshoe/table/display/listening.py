"""The listening socket of a display."""

import errno
import os
import socket
from pathlib import Path
from typing import Final

from cardshoe.process.exits import Exit, Stop
from cardshoe.screens.words.display_section import DisplaySection, host_port
from drivers.port_holders import PortHolder, holder_of

BACKLOG: Final = 64
_HEX: Final = 16


def listener(section: DisplaySection) -> socket.socket:
    """The socket of a display.

    Raises:
        Stop: port taken, foreign address, or unusable certificates.
    """
    if section.tls is not None:
        section.tls.server()  # what is wrong with them is said now
    host, port = host_port(section.listen)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        held = _holders(port) if error.errno == errno.EADDRINUSE else []
        by = ", ".join(f"{one.command} (pid {one.pid})" for one in held)
        reason = str(error) if error.errno is None else os.strerror(error.errno)
        what = f"display.listen {section.listen}: {reason}" + (f", by {by}" if by else "")
        raise Stop(what, "End that program, or choose another port in [display].", Exit.USAGE) from error


def _holders(port: int) -> list[PortHolder]:
    inodes = set()
    for name in ("tcp", "tcp6"):
        try:
            lines = Path(f"/proc/net/{name}").read_text("ascii").splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == "0A" and int(fields[1].rpartition(":")[2], _HEX) == port:  # 0A: it listens
                inodes.add(f"socket:[{fields[9]}]")
    return [holder_of(pid) for pid in _pids() if _has_one(pid, inodes)]


def _pids() -> list[int]:
    return sorted(int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())


def _has_one(pid: int, inodes: set[str]) -> bool:
    try:
        return any(str(one.readlink()) in inodes for one in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:  # another user's, or it has just ended
        return False
