"""Reports to the service manager: the protocol of sd_notify(3)."""

import logging
import os
import socket
from collections.abc import MutableMapping
from typing import Final, Self

from cardshoe.process.free_text import terminal_text

logger: Final = logging.getLogger(__name__)

PATIENCE_S: Final = 1.0


class Manager:
    """The manager at a datagram socket; ``watchdog_s`` ``None``: no watchdog."""

    def __init__(self, address: str, watchdog_s: float | None = None) -> None:
        self.watchdog_s: Final = watchdog_s
        self._address: Final = f"\0{address[1:]}" if address.startswith("@") else address
        self._socket: Final = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._is_failing = False

    @classmethod
    def of(cls, environment: MutableMapping[str, str] = os.environ) -> Self | None:
        """The manager from the environment, whose variables are removed; ``None``: none."""
        address = environment.pop("NOTIFY_SOCKET", "")
        watchdog, whose = environment.pop("WATCHDOG_USEC", ""), environment.pop("WATCHDOG_PID", "")
        if not address.startswith(("/", "@")):
            return None
        is_ours = watchdog.isdigit() and int(watchdog) > 0 and whose in ("", str(os.getpid()))
        return cls(address, int(watchdog) / 1_000_000 if is_ours else None)

    def tell(self, *words: str, patience_s: float = 0.0) -> None:
        """Send a state such as ``READY=1``; a deaf manager delays at most ``patience_s``."""
        text = "\n".join(terminal_text(" ".join(word.split("\n"))) for word in words)
        try:
            self._socket.settimeout(patience_s)
            self._socket.sendto(text.encode("utf-8", "replace"), self._address)
        except OSError as error:
            if not self._is_failing:
                logger.warning("%s cannot be sent to the service manager: %s", words[0], error.strerror or error)
            self._is_failing = True
        else:
            self._is_failing = False

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
