"""The contract between a port and whoever owns it.

A port is a pair of byte streams with a name. It knows nothing of frames, devices or games.

- ``open`` either leaves an open port or raises and leaves nothing open; it can be called again after ``close``.
  Bytes that waited at the far end's side of the line before it was opened are delivered, not thrown away.
- ``read`` returns as soon as at least one byte is there, with all that is there; ``b""`` means that the time is up and
  nothing else. A line that is gone is never silence: it raises ``PortLost``, every time, until it is opened again.
- ``write`` hands over everything or raises ``PortLost``; after a raise it is unknown how much went out.
- ``wake`` ends a ``read`` in progress, or the next one, with what is there, perhaps ``b""``: at once where the line can
  do that, within :data:`WAIT_SLICE_S` elsewhere. It never raises and never waits; from any thread, in any state.
- ``close`` never raises and may be called twice, in any state and from any thread; a ``read`` in progress then ends
  within :data:`WAIT_SLICE_S` with ``b""`` or ``PortLost``. It does not wait for the far end to read.

One thread at a time calls ``open``, ``read`` and ``write``: the port's owner (``port_thread``). Every failure is a
``DriverError``; no exception of the operating system or of a library comes through.
``tests/contract/test_ports.py`` holds every implementation to this page.
"""

from typing import Final, Protocol

WAIT_SLICE_S: Final = 0.05
"""Seconds a ``read`` waits before it looks whether the port was closed meanwhile: unnoticeable to a person, and twenty
system calls a second are unnoticeable to the machine."""


class Port(Protocol):
    """A line over which bytes move; the module says what each method promises."""

    @property
    def name(self) -> str:
        """The name under which the configuration knows the port; it stays the same across a re-plug."""

    def open(self) -> None:
        """Open the line.

        Raises:
            PortMissing: nothing there.
            PortForbidden: no permission.
            PortBusy: another program has it.
            PortUnusable: there, but no line that works with these settings.
        """

    def read(self, timeout_s: float) -> bytes:
        """Return what arrived, at least one byte, or ``b""`` when the time is up.

        Args:
            timeout_s: how long to wait for the first byte, seconds, 0 or more.

        Raises:
            PortLost: the line is gone or was not open.
        """

    def write(self, data: bytes) -> None:
        """Hand all of ``data`` to the line.

        Raises:
            PortLost: the line is gone, was not open, or took no bytes for too long.
        """

    def wake(self) -> None:
        """End a ``read`` in progress early, because there is something to write. Never raises; from any thread."""

    def close(self) -> None:
        """Let go of the line. Never raises; idempotent."""
