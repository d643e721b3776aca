"""The meaning of one message of a device at the table."""

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.session_state import StateVersion
from regulations.events.inputs import AnyInput


@dataclass(frozen=True, slots=True)
class Report:
    """The events of one message: the table takes all of them or none, in this order.

    Attributes:
        device: the device's name in the log.
        events: at least one. The table takes them as the device's, but for those that its judge put among them, which
            say that they are the table's.
        leaves: how the session stands after it; ``None``: it changed nothing there.
    """

    device: str
    events: tuple[AnyInput, ...]
    leaves: StateVersion | None = field(default=None, compare=False)


Inbox = Callable[[AnyInput | Report], None]
"""Takes what a device said, from the port's thread; it must not wait."""
