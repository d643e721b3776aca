"""A search for rounds: its answers, the page that shows them, and the CSV; the same at the table and at the floor."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from msgspec import Struct

from cardshoe.screens.rounds.asked import ROUND_MAX, ZONE, BadQuestion, RoundsAsked, rounds_asked
from cardshoe.screens.sheet import sheet
from cardshoe.screens.words.display_section import Language
from cardshoe.screens.words.messages import BAD_PLACE

PAGE_ROWS: Final = 100
CHUNK_ROWS: Final = 2000
"""Rounds that are read at once for a CSV."""
COLUMNS: Final = (
    "time", "table", "shoe", "round", "result", "void", "demonstration", "stakes", "win", "seats", "cards", "persons",
    "irregularities", "acts", "log", "seq",
)  # fmt: skip


class RoundFound(Struct, frozen=True, kw_only=True):
    """A round of a search; the fields are columns of the index."""

    table: str
    log: str
    round: int
    shoe: int
    at: datetime
    outcome: str | None
    voided: bool
    demonstration: bool
    seq: int
    staked: int
    house: int
    tags: list[str]

    def tagged(self, name: str) -> list[str]:
        """The values of its tags of a name."""
        return [one.removeprefix(f"{name}:") for one in self.tags if one.startswith(f"{name}:")]

    @property
    def place(self) -> str:
        """Names it in the address of the next page."""
        return f"{self.at.isoformat()}|{self.round}|{self.log}|{self.table}"


class FoundPlace(Struct, frozen=True):
    """Where in all rounds, sorted by time, table, log and number, a page begins."""

    at: datetime
    round: int
    log: str
    table: str

    @classmethod
    def read(cls, text: str) -> "FoundPlace":
        """Read the `place` of a round.

        Raises:
            BadQuestion: it names no round.
        """
        try:
            at, number, log, table = text.split("|", 3)
            found = cls(datetime.fromisoformat(at), int(number), log, table)
        except ValueError as error:
            raise BadQuestion(BAD_PLACE) from error
        if found.at.tzinfo is None or not 0 <= found.round < ROUND_MAX or "\0" in text:
            raise BadQuestion(BAD_PLACE)
        return found


class Searches(Protocol):
    """An index of rounds."""

    def rounds(self, asked: RoundsAsked, limit: int, before: FoundPlace | None = None) -> list[RoundFound]:
        """The rounds of a question, the newest first.

        Args:
            asked: the question.
            limit: how many at most.
            before: only those behind this place.
        """


class FoundPage(Struct, frozen=True):
    """The page of a search.

    Attributes:
        language: of its links.
        asked: the question; an empty one after a fault.
        found: its rounds, `PAGE_ROWS` at most.
        fault: a message; empty: none.
        has_more: whether there are older ones.
    """

    language: Language
    asked: RoundsAsked
    found: Sequence[RoundFound] = ()
    fault: str = ""
    has_more: bool = False

    def shown(self) -> dict[str, Any]:
        """The values of the template `found_rounds.html`."""
        return {
            "fault": self.fault,
            "asked": self.asked,
            "found": self.found,
            "older": self._narrowed(before=self.found[-1].place) if self.has_more else "",
            "narrowed": self._narrowed,
            "without": lambda query: f"/rounds?{query}{'&' if query else ''}lang={self.language}",
            "csv": f"/rounds.csv?{self.asked.query()}",
        }

    def _narrowed(self, **changes: str) -> str:
        """This search with other filters."""
        return f"/rounds?{self.asked.query(**changes, lang=self.language)}"


def found_page(search: Searches, query: Mapping[str, str], language: Language) -> FoundPage:
    """Answer a search with a page.

    Args:
        search: the index.
        query: of the request.
        language: of the page.
    """
    try:
        asked = rounds_asked(query)
        before = FoundPlace.read(query["before"]) if query.get("before") else None
    except BadQuestion as error:
        return FoundPage(language, RoundsAsked(texts={}), fault=str(error))
    found = search.rounds(asked, PAGE_ROWS + 1, before)
    return FoundPage(language, asked, found[:PAGE_ROWS], has_more=len(found) > PAGE_ROWS)


def rounds_csv(search: Searches, asked: RoundsAsked) -> Iterator[bytes]:
    """All rounds of a question as CSV, read a part at a time."""
    return sheet(COLUMNS, map(cells_of, _all_rounds(search, asked)))


def _all_rounds(search: Searches, asked: RoundsAsked) -> Iterator[RoundFound]:
    last: FoundPlace | None = None
    while part := search.rounds(asked, CHUNK_ROWS, last):
        yield from part
        last = FoundPlace.read(part[-1].place)


def cells_of(row: RoundFound) -> list[str | int]:
    """The cells of a round in the CSV, see `COLUMNS`."""
    return [
        row.at.astimezone(ZONE).isoformat(),
        row.table,
        row.shoe,
        row.round,
        " ".join(row.tagged("result")),
        int(row.voided),
        int(row.demonstration),
        row.staked,
        row.house,
        *(" ".join(row.tagged(name)) for name in ("seat", "card", "person", "irregularity", "act")),
        row.log,
        row.seq,
    ]
