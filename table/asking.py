"""Requests to the table's thread, from a thread that waits for the answer."""

from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.interlock import Act
from regulations.events.inputs import AnyInput
from table.log.keyed import Earlier
from table.log.scribe import Taken
from table.persons.proposals import Proposed
from table.persons.refusal import Refusal

Wanted = AnyInput | Act
Answer = Taken | Earlier | Refusal | Proposed | str | dict[str, str | None]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request whose sender waits for the answer.

    Attributes:
        what: a person's input, or an act for the devices; or what gives one in the table thread, where nothing can
            happen between its look and the act, or the answer itself.
        answer: hears of it in the table thread, so it must not wait for anything: of an input what was taken, once it
            is durable, or before with the same key, or why nothing was; of an act by device why it was not sent,
            ``None`` where it was.
    """

    what: Wanted | Callable[[], Wanted | Refusal | Proposed]
    answer: Callable[[Answer], None]
