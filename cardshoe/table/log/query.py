"""Search a log for inputs and their answers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from cardshoe.journal.file.passed_over import EVENT as PASSED_OVER
from regulations.events.cards import Card
from regulations.events.codec import INPUTS, OUTPUT_NAMES
from regulations.events.vocabulary import IrregularityCode

CARD_FIELDS: Final = frozenset({"card", "cards"})

_decode: Final = msgspec.json.Decoder(dict[str, Any]).decode


@dataclass(frozen=True, slots=True)
class LineGroup:
    """One input and its answer, as lines without ends."""

    lines: list[bytes]
    said: list[dict[str, Any]]

    @classmethod
    def of(cls, lines: list[bytes]) -> "LineGroup":
        """From a journal entry."""
        return cls(lines, [_decode(line) for line in lines])

    @property
    def at(self) -> str:
        """The time of its lines, as logged; empty: none."""
        return str(self.said[0].get("at", ""))

    @property
    def round(self) -> int | None:
        """Its round; ``None``: between rounds."""
        return next((one["round"] for one in self.said if "round" in one), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A search. All conditions must hold; one of several seats, codes, cards or events suffices.

    Attributes:
        rounds: first and last, from 1; last ``None``: to the end.
        since: inclusive; empty: from the beginning.
        until: exclusive; empty: to the end.
        seats: from 1.
    """

    rounds: tuple[int, int | None] | None = None
    since: str = ""
    until: str = ""
    seats: frozenset[int] = frozenset()
    irregularities: frozenset[IrregularityCode] = frozenset()
    cards: frozenset[Card] = frozenset()
    events: frozenset[str] = frozenset()


def together(lines: Iterable[bytes]) -> Iterator[LineGroup]:
    open_one: LineGroup | None = None
    for line in lines:
        said = _decode(line)
        event = said.get("event")
        if open_one is None or event not in OUTPUT_NAMES:
            if open_one is not None:
                yield open_one
            open_one = LineGroup([], [])
        open_one.lines.append(line)
        open_one.said.append(said)
        if event in ("next", PASSED_OVER):
            yield open_one
            open_one = None
    if open_one is not None:
        yield open_one


class Matcher:
    """Matches answers of a log, in order."""

    def __init__(self, query: Query) -> None:
        self._query: Final = query
        self._numbers: Final[set[int]] = set()

    def asks_for(self, answer: LineGroup) -> bool:
        """True if an answer matches; call it for each answer, in order."""
        # Looked at in any case: what is resolved in a later round was opened in this one.
        is_about = _is_about_irregularity(answer, self._query.irregularities, self._numbers)
        return is_about and _holds(answer, self._query)


def matching(answers: Iterable[LineGroup], query: Query) -> Iterator[LineGroup]:
    """The matching answers, in order.

    An irregularity opened before the first answer is not found by its code.
    """
    return filter(Matcher(query).asks_for, answers)


def as_written(found: Iterable[LineGroup], *, only_inputs: bool) -> Iterator[bytes]:
    for answer in found:
        for line, said in zip(answer.lines, answer.said, strict=True):
            if not only_inputs or said["event"] in INPUTS:
                yield line


def _holds(answer: LineGroup, query: Query) -> bool:
    if query.rounds is not None:
        first, last = query.rounds
        if answer.round is None or answer.round < first or (last is not None and answer.round > last):
            return False
    if (query.since and answer.at < query.since) or (query.until and answer.at >= query.until):
        return False
    if query.events and query.events.isdisjoint(one["event"] for one in answer.said):
        return False
    if query.seats and not any(_names_seat(one, query.seats) for one in answer.said):
        return False
    return not query.cards or any(_names_card(one, query.cards) for one in answer.said)


def _is_about_irregularity(answer: LineGroup, codes: frozenset[IrregularityCode], numbers: set[int]) -> bool:
    if not codes:
        return True
    numbers.update(one["irregularity"] for one in answer.said if one.get("code") in codes and "irregularity" in one)
    # `next` names the open irregularity behind whatever is refused meanwhile: that is not about it.
    return any(one["event"] != "next" and one.get("irregularity") in numbers for one in answer.said)


def _names_seat(said: object, seats: frozenset[int]) -> bool:
    if isinstance(said, Mapping):
        if said.get("seat") in seats:
            return True
        listed = said.get("seats")
        if isinstance(listed, list) and any(type(one) is int and one in seats for one in listed):
            return True
        return any(_names_seat(one, seats) for one in said.values() if isinstance(one, Mapping | list))
    return isinstance(said, list) and any(_names_seat(one, seats) for one in said if isinstance(one, Mapping))


def _names_card(said: Mapping[str, Any], cards: frozenset[Card]) -> bool:
    if said.get("event") == "result":
        return any(text in cards for text in _texts(said))
    for name, value in said.items():
        if name in CARD_FIELDS:
            if any(text in cards for text in _texts(value)):
                return True
        elif isinstance(value, Mapping):
            if _names_card(value, cards):
                return True
        elif isinstance(value, list) and any(_names_card(one, cards) for one in value if isinstance(one, Mapping)):
            return True
    return False


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(one)
