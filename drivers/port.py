"""The contract of a port; ``tests/contract/test_ports.py`` checks each implementation.

Its owner thread calls ``open``, ``read`` and ``write``; every failure is a ``DriverError``.
"""

from typing import Final, Protocol

WAIT_SLICE_S: Final = 0.05
"""Longest time, seconds, until a ``read`` notices a close."""


class Port(Protocol):
    """A line over which bytes move."""

    @property
    def name(self) -> str:
        """The configured name; the same across a re-plug."""

    def open(self) -> None:
        """Open the line, also after ``close``; waiting bytes are delivered.

        Raises:
            PortMissing: no such device.
            PortAmbiguous: more than one matches (USB).
            PortForbidden: no permission.
            PortBusy: another program has it.
            PortUnusable: not with these settings.
        """

    def read(self, timeout_s: float) -> bytes:
        """At least one byte, or ``b""`` after ``timeout_s`` seconds, 0 or more.

        Raises:
            PortLost: gone or not open, each time until it is opened again.
        """

    def write(self, data: bytes) -> None:
        """Hand all of ``data`` to the line.

        Raises:
            PortLost: gone, not open, or blocked; how much was sent is unknown.
        """

    def wake(self) -> None:
        """End the present or next ``read``; never raises; from any thread."""

    def close(self) -> None:
        """Never raises; from any thread, repeatable; it ends a ``read`` within ``WAIT_SLICE_S``."""
