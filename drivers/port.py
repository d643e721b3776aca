"""The contract of a port, a named pair of byte streams; ``tests/contract/test_ports.py`` checks each implementation.

- ``open`` opens the port or raises; callable again after ``close``. Bytes that waited before are delivered.
- ``read`` returns all available bytes, at least one; ``b""`` after the time only. A lost line raises ``PortLost``
  each time, until it is opened again.
- ``write`` writes everything or raises ``PortLost``; then the number of bytes sent is unknown.
- ``wake`` ends the present or next ``read``, at once or within :data:`WAIT_SLICE_S`; any thread, any state, no wait.
- ``close`` never raises; any thread, any state, repeatable; it ends a ``read`` within :data:`WAIT_SLICE_S`.

One thread, the owner (``port_thread``), calls ``open``, ``read`` and ``write``. Every failure is a
``DriverError``.
"""

from typing import Final, Protocol

WAIT_SLICE_S: Final = 0.05
"""Longest time, seconds, until a ``read`` notices that the port was closed."""


class Port(Protocol):
    """A line over which bytes move."""

    @property
    def name(self) -> str:
        """The name under which the configuration knows the port; it stays the same across a re-plug."""

    def open(self) -> None:
        """Open the line.

        Raises:
            PortMissing: no such device.
            PortForbidden: no permission.
            PortBusy: another program has it.
            PortUnusable: present, but it cannot be used with these settings.
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
        """End a ``read`` early. Never raises; from any thread."""

    def close(self) -> None:
        """Close the line. Never raises; idempotent."""
