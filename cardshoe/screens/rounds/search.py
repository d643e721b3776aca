"""Search for rounds: answers, page and CSV, for table and floor."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from msgspec import Struct

from cardshoe.screens.rounds.asked import ROUND_MAX, ZONE, BadQuestion, RoundsAsked, rounds_asked
from cardshoe.screens.sheet import sheet
from cardshoe.screens.words.display_section import Language
from cardshoe.screens.words.labels import BAD_PLACE

PAGE_ROWS: Final = 100
CHUNK_ROWS: Final = 2000
COLUMNS: Final = (
    "time", "table", "shoe", "round", "result", "void", "demonstration", "stakes", "win", "seats", "cards", "persons",
    "irregularities", "acts", "log", "seq",
)  # fmt: skip


class RoundFound(Struct, frozen=True, kw_only=True):
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
        """Its tags of a name."""
        return [one.removeprefix(f"{name}:") for one in self.tags if one.startswith(f"{name}:")]

    @property
    def place(self) -> str:
        """Its name in the next page's address."""
        return f"{self.at.isoformat()}|{self.round}|{self.log}|{self.table}"


class FoundPlace(Struct, frozen=True):
    """A position in all rounds by time, table, log and number."""

    at: datetime
    round: int
    log: str
    table: str

    @classmethod
    def read(cls, text: str) -> "FoundPlace":
        """Parse a `place`.

        Raises:
            BadQuestion: not a place.
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
    def rounds(self, asked: RoundsAsked, limit: int, before: FoundPlace | None = None) -> list[RoundFound]:
        """The matching rounds, newest first, after the place ``before``."""


class FoundPage(Struct, frozen=True):
    language: Language
    asked: RoundsAsked
    found: Sequence[RoundFound] = ()
    fault: str = ""
    has_more: bool = False

    def shown(self) -> dict[str, Any]:
        """Values of the template `found_rounds.html`."""
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
        return f"/rounds?{self.asked.query(**changes, lang=self.language)}"


def found_page(search: Searches, query: Mapping[str, str], language: Language) -> FoundPage:
    try:
        asked = rounds_asked(query)
        before = FoundPlace.read(query["before"]) if query.get("before") else None
    except BadQuestion as error:
        return FoundPage(language, RoundsAsked(texts={}), fault=str(error))
    found = search.rounds(asked, PAGE_ROWS + 1, before)
    return FoundPage(language, asked, found[:PAGE_ROWS], has_more=len(found) > PAGE_ROWS)


def rounds_csv(search: Searches, asked: RoundsAsked) -> Iterator[bytes]:
    return sheet(COLUMNS, map(cells_of, _all_rounds(search, asked)))


def _all_rounds(search: Searches, asked: RoundsAsked) -> Iterator[RoundFound]:
    last: FoundPlace | None = None
    while part := search.rounds(asked, CHUNK_ROWS, last):
        yield from part
        last = FoundPlace.read(part[-1].place)


def cells_of(row: RoundFound) -> list[str | int]:
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
