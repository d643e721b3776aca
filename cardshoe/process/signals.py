"""Ctrl-C, SIGTERM and SIGHUP end a command cleanly, between two events."""

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def signals_stop(stop: Callable[[], object]) -> Iterator[None]:
    """While the block runs, these signals call ``stop`` in a thread.

    A Python handler would wait for the main thread's blocking call.
    """
    near, far = socket.socketpair()
    with near, far:
        far.settimeout(0)  # the interpreter writes to it, and must not wait
        before = [(number, signal.signal(number, _ignore)) for number in STOPPING]
        wakeup = signal.set_wakeup_fd(far.fileno(), warn_on_full_buffer=False)
        listening = threading.Thread(target=_listen, args=(near, stop), name="signals", daemon=True)
        listening.start()
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before:
                signal.signal(number, handler)
            far.shutdown(socket.SHUT_WR)
            listening.join()


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """The thread reads the signal from the socket."""


def _listen(near: socket.socket, stop: Callable[[], object]) -> None:
    while numbers := near.recv(16):
        if any(number in STOPPING for number in numbers):
            stop()
