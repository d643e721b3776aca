"""The interface of every device behind a port, whatever it says: a listener, a life cycle and a diagnosis."""

from typing import Protocol, TypeVar

from drivers.budget import Budget
from drivers.errors import DriverError
from drivers.link_health import LinkHealth

MessageT_contra = TypeVar("MessageT_contra", contravariant=True)


class DeviceListener(Protocol[MessageT_contra]):
    """Who hears what a device says. All calls come from the port's thread, one at a time, and must return soon.

    ``back`` and ``lost`` take turns: ``back`` first when the link is there at once, ``lost`` first when it is not.
    """

    def message(self, message: MessageT_contra, now_s: float) -> None:
        """A message arrived, at ``now_s`` on the device's monotonic clock; repeats are passed on as they come."""

    def lost(self, error: DriverError) -> None:
        """The link is gone, or was not there at the start; ``error`` says why and what to do. Called once per loss."""

    def back(self) -> None:
        """The link is there, for the first time or again."""


class Device(Protocol):
    """A device behind a port."""

    @property
    def name(self) -> str:
        """The port's name in the configuration."""

    def start(self) -> None:
        """Begin to open the port and to listen."""

    def limit(self, budget: Budget) -> None:
        """Close the port once the device says more than this; before :meth:`start`."""

    def keep_out(self) -> None:
        """Close the port, and leave it closed until :meth:`let_in`; from any thread, and before :meth:`start`."""

    def let_in(self) -> None:
        """Open the port again, with a full budget; from any thread."""

    def stop(self, timeout_s: float) -> bool:
        """Let go of the port; waits at most ``timeout_s`` seconds; returns whether it is let go."""

    def health(self) -> LinkHealth:
        """Return what the link has seen so far."""
