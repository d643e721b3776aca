"""The meaning of one message of a device at the table."""

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.session_state import StateVersion
from regulations.events.inputs import AnyInput


@dataclass(frozen=True, slots=True)
class Report:
    """The table accepts all events or none, in this order.

    Attributes:
        leaves: the session's state after it; ``None``: unchanged.
    """

    device: str
    events: tuple[AnyInput, ...]
    leaves: StateVersion | None = field(default=None, compare=False)


Inbox = Callable[[AnyInput | Report], None]
"""Called from the port's thread; it must not wait."""
