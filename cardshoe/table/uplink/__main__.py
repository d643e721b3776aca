"""An uplink as a child process: its settings come on standard input."""

import os
import sys
import threading

from cardshoe.process import collector
from cardshoe.process.plain_log import log_plainly
from cardshoe.table.uplink.serving import serve
from cardshoe.table.uplink.settings import UplinkSettings


def main() -> None:
    """Deliver until standard input is closed."""
    collector.collect_less()
    log_plainly("%(message)s")
    settings = UplinkSettings.read(sys.stdin.buffer.readline())
    over = threading.Event()
    threading.Thread(target=_wait_for_the_end, args=(over,), daemon=True).start()
    serve(settings, over)


def _wait_for_the_end(over: threading.Event) -> None:
    while os.read(sys.stdin.fileno(), 1):
        continue
    over.set()


if __name__ == "__main__":
    main()
