"""The queue of the table's thread: persons and the table itself before devices.

A device that sends without pause fills its own lane only: a person's input and a stop are handled between two of its
messages.
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
    """A request whose sender waits for the answer.

    Attributes:
        what: a person's input, or an act for the devices; or what gives one in the table thread, where nothing can
            happen between its look and the act, or the answer itself.
        answer: receives it in the table thread, so it must not wait for anything: of an input what was taken, once it
            is durable, or before with the same key, or why nothing was; of an act, once all devices have ended it, by
            device why it was not done, ``None`` where it was.
    """

    what: Wanted | Callable[[], Wanted | AccessRefusal | ProposalMade]
    answer: Callable[[Answer], None]


class Waiting(Protocol[ItemT_co]):
    """Where the table's thread takes what came in."""

    def get(self, *, timeout: float | None) -> ItemT_co:
        """The next thing.

        Args:
            timeout: seconds to wait for one; ``None``: until one comes.

        Raises:
            queue.Empty: none came in that time.
        """


class Inbox(Generic[ItemT]):
    """Two lanes in order of arrival; from any thread or signal handler."""

    def __init__(self) -> None:
        # A lock of ours could be held by the very code that a signal interrupts; these three need none.
        self._first: Final[deque[ItemT]] = deque()
        self._devices: Final[deque[ItemT]] = deque()
        self._tokens: Final[queue.SimpleQueue[None]] = queue.SimpleQueue()

    def put(self, item: ItemT) -> None:
        """Puts a thing into its lane; returns at once."""
        (self._devices if _is_of_device(item) else self._first).append(item)
        self._tokens.put(None)

    def get(self, *, timeout: float | None) -> ItemT:
        """The next thing; of the devices only where nothing else waits."""
        self._tokens.get(timeout=timeout)
        return (self._first or self._devices).popleft()


def _is_of_device(item: object) -> bool:
    return isinstance(item, Report) and not any(_tells_of_budget(event) for event in item.events)


def _tells_of_budget(event: AnyInput) -> bool:
    return isinstance(event, Fault) and (event.code, event.origin) == (OVER_BUDGET, "table")
