"""The display as a child of the process that runs the table: started again when it dies, ended with the table."""

import logging
import os
import subprocess
import sys
import threading
import time
from types import TracebackType
from typing import IO, Final, Self

from table.display.server import listener
from table.display.settings import DisplaySettings

logger: Final = logging.getLogger(__name__)

AGAIN_S: Final = (0.2, 30.0)
"""Seconds until a display that died is started again: at first, and at most; each time they double."""
WELL_S: Final = 60.0
"""Seconds that a display must have lived for its death to count as the first."""
END_S: Final = 3.0
"""Seconds that a display has to end when it is told to."""
ENVIRONMENT: Final = ("PATH", "LANG", "LC_ALL", "TZ", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "COVERAGE_PROCESS_START")
"""All that a display gets of the table's environment: no credential of a service manager, no name of a key."""


class DisplayChild:
    """A display beside a table, while a ``with`` block runs.

    The listening socket is this process's own, so who asks while the display is started again waits and is not refused.

    Args:
        settings: of the display.

    Raises:
        Stop: the port is taken, or the certificates cannot be used.
    """

    def __init__(self, settings: DisplaySettings) -> None:
        self._settings: Final = settings
        self._listening: Final = listener(settings.section)
        self._over: Final = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._turn: Final = threading.Lock()
        self._thread: Final = threading.Thread(target=self._look_after, name="display", daemon=True)

    @property
    def addresses(self) -> list[str]:
        """Where the pages are, for a person."""
        return [f"{self.home}{page}" for page in self._settings.section.pages]

    @property
    def home(self) -> str:
        """The address of the first page, without its name."""
        host, port = self._listening.getsockname()[:2]
        scheme = "http" if self._settings.section.tls is None else "https"
        return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        with self._turn:
            child = self._child
        if child is not None and child.stdin is not None:
            child.stdin.close()
        self._thread.join(END_S)
        if self._thread.is_alive() and child is not None:
            child.kill()  # one that does not end when it is told to
            self._thread.join()
        self.close()

    def close(self) -> None:
        """Lets go of the port, also of a display that was never started."""
        self._listening.close()

    def _look_after(self) -> None:
        wait_s = AGAIN_S[0]
        while (child := self._start()) is not None:
            began_s = time.monotonic()
            self._pass_on(child)
            code = child.wait()
            with self._turn:
                if child.stdin is not None:
                    child.stdin.close()
            if self._over.is_set():
                return
            if time.monotonic() - began_s > WELL_S:
                wait_s = AGAIN_S[0]
            logger.warning("the display ended (%d); it is started again in %.1f s", code, wait_s)
            self._over.wait(wait_s)
            wait_s = min(2 * wait_s, AGAIN_S[1])

    def _start(self) -> "subprocess.Popen[bytes] | None":
        """Starts a display; ``None``: the table ends."""
        with self._turn:
            if self._over.is_set():
                return None
            number = self._listening.fileno()
            child = subprocess.Popen(  # noqa: S603  our own interpreter with our own module
                [sys.executable, "-m", "table.display", str(number)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(number,),
                env={name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
                start_new_session=True,  # Ctrl-C is for the table, which ends its display itself
            )
            self._child = child
            if child.stdin is not None:
                _tell(child.stdin, self._settings.written() + b"\n")
            return child

    def _pass_on(self, child: "subprocess.Popen[bytes]") -> None:
        """Logs what a display says of its defects, until it ends."""
        if child.stderr is not None:
            with child.stderr as said:
                for line in said:
                    logger.warning("display: %s", line.decode(errors="replace").rstrip())


def _tell(pipe: IO[bytes], line: bytes) -> None:
    try:
        pipe.write(line)
        pipe.flush()
    except BrokenPipeError:
        logger.warning("the display ended before it was told what to show")
