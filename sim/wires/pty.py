"""A line over a pseudo-terminal, under a name that stays."""

import errno
import hashlib
import os
import secrets
import socket
import sys
import tty
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from sim.wires.wire import WRITE_LIMIT, CountingWire

MOMENT_S: Final = 0.25
"""A starting process may hold a released name for so long."""


class PtyWire(CountingWire):
    """A pseudo-terminal; the host opens ``path``. Baud rate and parity have no effect.

    About 4 kB wait for a host; more is lost and counted.

    Raises:
        FileExistsError: another file or simulator has the name.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        if path.exists() and not path.is_symlink():
            raise FileExistsError(errno.EEXIST, "not a link of ours; move it away or choose another name", str(path))
        self.path = path
        self._claim: int | None = None
        self._master: int | None = None
        self._slave: int | None = None
        self.replug()

    @property
    def is_plugged(self) -> bool:
        return self._master is not None

    def send(self, data: bytes) -> None:
        sent = 0
        if self._master is not None:
            try:
                sent = os.write(self._master, data)
            except BlockingIOError:
                sent = 0
        self._lost += len(data) - sent

    def unplug(self) -> None:
        if self._master is None or self._slave is None:
            return
        # The link first: the number of a closed terminal may be another program's a moment later.
        self.path.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = None
        self._release()

    def replug(self) -> None:
        if self._master is not None:
            return
        self._claim = _claimed(self.path)
        master, slave = os.openpty()
        # Raw: else the terminal would echo, and change 0D and 03.
        tty.setraw(slave)
        os.set_blocking(master, False)
        # Our own hold on the slave keeps the line up while no host has it open.
        self._master, self._slave = master, slave
        new = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        try:
            new.symlink_to(os.ttyname(slave))
            new.replace(self.path)
        except BaseException:
            self.unplug()
            raise

    def fds(self) -> Sequence[int]:
        return () if self._master is None else (self._master,)

    def pump(self) -> None:
        if self._master is None:
            return
        try:
            data = os.read(self._master, WRITE_LIMIT)
        except BlockingIOError:
            return
        if data:
            self._sink(data)

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Never needed: ``fds`` show everything."""

    def close(self) -> None:
        self.unplug()

    def _release(self) -> None:
        claim, self._claim = self._claim, None
        if claim is not None:
            os.close(claim)


def _claimed(path: Path) -> int | None:
    if sys.platform != "linux":
        return None
    whole = os.fsencode(path.parent.resolve() / path.name)
    name = b"\0cardshoe-sim-" + hashlib.sha256(whole).hexdigest().encode()
    claim = _bound(name)
    if claim is None and _is_let_go(name):
        claim = _bound(name)
    if claim is None:
        what = "another simulator has this name; end it, or choose another name"
        raise FileExistsError(errno.EEXIST, what, str(path))
    return claim


def _bound(name: bytes) -> int | None:
    with socket.socket(socket.AF_UNIX) as claim:
        try:
            claim.bind(name)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            return None
        claim.listen()
        return claim.detach()


def _is_let_go(name: bytes) -> bool:
    with socket.socket(socket.AF_UNIX) as waiting:
        waiting.settimeout(MOMENT_S)
        try:
            waiting.connect(name)
            return not waiting.recv(1)
        except ConnectionError:
            return True
        except OSError:  # it is held on, or others wait as well
            return False
