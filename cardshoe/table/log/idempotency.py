"""Inputs that came with a key: the same one is taken once, and has its first answer each time, after a restart too."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from cardshoe.journal import Journal
from cardshoe.table.log.log_builder import Scribe, Taken
from cardshoe.table.log.sealing import CannotOpen
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput

KEPT: Final = 8_192
"""Lines of the log within which a key is known again."""
_MARK: Final = b'"key":"'


class Earlier(msgspec.Struct, frozen=True):
    """The earlier input with a key.

    Attributes:
        lines: what was written then: the input, and its outputs.
        is_other: whether it was another input.
    """

    lines: Sequence[bytes]
    is_other: bool


class KeyedInputs:
    """The keys of a log's last lines; used in the table's thread alone.

    Args:
        journal: the log, as it stands.
        scribe: opens what is sealed in it.
    """

    def __init__(self, journal: Journal, scribe: Scribe) -> None:
        self._journal: Final = journal
        self._known: Final[OrderedDict[str, tuple[int, AnyInput, list[bytes]]]] = OrderedDict()
        for entry in journal.entries(journal.entry_of(journal.last_seq - KEPT + 1)):
            lines = entry.lines
            if _MARK in lines[0]:
                event = _opened(decode_input(lines[0]), scribe)
                self._keep(_number(event), event, lines)

    def find(self, event: AnyInput) -> Earlier | None:
        """Return the lines that were written when an input's key came first; ``None``: it has not come."""
        if event.key is UNSET:
            return None
        self._forget()
        found = self._known.get(event.key)
        return None if found is None else Earlier(found[2], _bare(event) != _bare(found[1]))

    def note(self, taken: Taken) -> None:
        """Keeps an input that was taken with its key."""
        self._keep(_number(taken.opened), taken.opened, taken.lines)

    def _keep(self, seq: int, opened: AnyInput, lines: list[bytes]) -> None:
        if opened.key is not UNSET:
            self._known[opened.key] = (seq, opened, lines)

    def _forget(self) -> None:
        while self._known:
            key, (seq, _, _) = next(iter(self._known.items()))
            if seq > self._journal.last_seq - KEPT:
                return
            del self._known[key]


def _number(event: AnyInput) -> int:
    return event.seq if isinstance(event.seq, int) else 0


def _opened(event: AnyInput, scribe: Scribe) -> AnyInput:
    try:
        return scribe.opened(event)
    except CannotOpen:
        return event  # it equals nothing that anybody says: the key is taken


def _bare(event: AnyInput) -> AnyInput:
    """The input as said, without the fields that the table writes."""
    return msgspec.structs.replace(event, seq=UNSET, at=UNSET, round=UNSET, article=UNSET, origin=UNSET, key=UNSET)
