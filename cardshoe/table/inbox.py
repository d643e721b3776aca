"""The queue of the table's thread: people and table before devices.

A flooding device fills its own lane only.
"""

import queue
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from cardshoe.persons.proposals import ProposalMade
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.table.log.idempotency import Earlier
from cardshoe.table.log.log_builder import LoggedInput
from firmware_bridge.bridge import OVER_BUDGET
from firmware_bridge.interlock import DeviceAction
from firmware_bridge.report import Report
from regulations.events.inputs import AnyInput, Fault

ItemT = TypeVar("ItemT")
ItemT_co = TypeVar("ItemT_co", covariant=True)

Wanted = AnyInput | DeviceAction
Answer = LoggedInput | Earlier | AccessRefusal | ProposalMade | str | dict[str, str | None]


@dataclass(frozen=True, slots=True)
class PendingOperation:
    """A request whose sender waits.

    Attributes:
        what: an input or act, or a function that returns one, or the answer, in the table thread.
        answer: receives the durable result in the table thread; must not wait.
    """

    what: Wanted | Callable[[], Wanted | AccessRefusal | ProposalMade]
    answer: Callable[[Answer], None]


class Waiting(Protocol[ItemT_co]):
    def get(self, *, timeout: float | None) -> ItemT_co:
        """The next item, within ``timeout`` seconds (``None``: no limit).

        Raises:
            queue.Empty: none in time.
        """


class Inbox(Generic[ItemT]):
    """Two lanes in order of arrival; from any thread or signal handler."""

    def __init__(self) -> None:
        # A lock of ours could be held by the very code that a signal interrupts; these three need none.
        self._first: Final[deque[ItemT]] = deque()
        self._devices: Final[deque[ItemT]] = deque()
        self._tokens: Final[queue.SimpleQueue[None]] = queue.SimpleQueue()

    def put(self, item: ItemT) -> None:
        """Add an item to its lane; returns at once."""
        (self._devices if _is_of_device(item) else self._first).append(item)
        self._tokens.put(None)

    def get(self, *, timeout: float | None) -> ItemT:
        """The next item; a device's only if no other waits."""
        self._tokens.get(timeout=timeout)
        return (self._first or self._devices).popleft()


def _is_of_device(item: object) -> bool:
    return isinstance(item, Report) and not any(_reports_budget(event) for event in item.events)


def _reports_budget(event: AnyInput) -> bool:
    return isinstance(event, Fault) and (event.code, event.origin) == (OVER_BUDGET, "table")
