"""A display as a child process: settings and listening socket are inherited."""

import atexit
import gc
import socket
import sys

from cardshoe.process.plain_log import log_plainly
from cardshoe.table.display.server import serve
from cardshoe.table.display.settings import DisplaySettings


def main() -> None:
    """Serve until standard input is closed."""
    atexit.register(gc.freeze)  # garbage is not looked for at the end: a quarter of a start
    log_plainly("%(message)s")
    settings = DisplaySettings.read(sys.stdin.buffer.readline())
    listening = socket.socket(fileno=int(sys.argv[1]))
    serve(settings, listening, until_closed=sys.stdin.fileno())


if __name__ == "__main__":
    main()
