"""The meaning of one message of a device at the table."""

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.session_state import StateVersion
from regulations.events.inputs import AnyInput


@dataclass(frozen=True, slots=True)
class Report:
    """The events of one message: the table accepts all of them or none, in this order.

    Attributes:
        events: at least one; the device's, but for decisions of the verifier, which are the table's.
        leaves: the session's state after it; ``None``: unchanged.
    """

    device: str
    events: tuple[AnyInput, ...]
    leaves: StateVersion | None = field(default=None, compare=False)


Inbox = Callable[[AnyInput | Report], None]
"""Takes what a device said, from the port's thread; it must not wait."""
