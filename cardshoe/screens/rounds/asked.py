"""Search queries for rounds, the same at table and floor."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta, timezone
from typing import Final
from urllib.parse import urlencode

from msgspec import Struct

from cardshoe.screens.rendering import MACAU
from cardshoe.screens.words.labels import BAD_NAME, BAD_ROUND, BAD_TIME

ZONE: Final = timezone(MACAU)
TEXT_MAX: Final = 200
ROUND_MAX: Final = 1 << 31
YEARS: Final = range(2000, 2200)
TAGGED: Final = ("seat", "card", "result", "irregularity", "person", "act", "mark")
NAMES: Final = ("table", "round", "since", "until", *TAGGED)


class BadQuestion(ValueError):
    """An invalid query; the text is a page message."""


class RoundsAsked(Struct, frozen=True, kw_only=True):
    """Filters of a search; all must match.

    Attributes:
        table: empty: all.
        round: ``None``: all.
        since: inclusive.
        until: exclusive.
    """

    texts: Mapping[str, str]
    table: str = ""
    round: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    tags: tuple[str, ...] = ()

    def query(self, **changes: str) -> str:
        """The address query with changed filters; empty ones are omitted."""
        return urlencode({name: text for name, text in {**self.texts, **changes}.items() if text})

    def filters(self) -> Iterator[tuple[str, str, str]]:
        """Each filter: name, text, and the query without it."""
        for name, text in self.texts.items():
            yield name, text, self.query(**{name: ""})


def rounds_asked(query: Mapping[str, str]) -> RoundsAsked:
    """Parse a query; unknown names are ignored.

    Raises:
        BadQuestion: a filter is malformed.
    """
    texts = {name: text for name in NAMES if (text := query.get(name, "").strip())}
    if any("\0" in text or len(text) > TEXT_MAX for text in texts.values()):
        raise BadQuestion(BAD_NAME)
    since, until = moment_asked(texts.get("since")), moment_asked(texts.get("until"))
    if since is not None and until is not None and until <= since:
        raise BadQuestion(BAD_TIME)
    return RoundsAsked(
        texts=texts,
        table=texts.get("table", ""),
        round=_number(texts.get("round")),
        since=since,
        until=until,
        tags=tuple(f"{name}:{_tag(name, texts[name])}" for name in TAGGED if name in texts),
    )


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(ROUND_MAX)) or int(text) >= ROUND_MAX:
        raise BadQuestion(BAD_ROUND)
    return int(text)


def moment_asked(text: str | None) -> datetime | None:
    """Parse a time, of Macau unless it names a zone.

    Raises:
        BadQuestion: not a time, or out of range.
    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadQuestion(BAD_TIME) from error
    if found.year not in YEARS:
        raise BadQuestion(BAD_TIME)
    return found if found.tzinfo is not None else found.replace(tzinfo=ZONE)


def _tag(name: str, text: str) -> str:
    """``10h`` or ``9♥`` as the log writes it."""
    if name != "card":
        return text
    for sign, suit in (("♠", "S"), ("♥", "H"), ("♦", "D"), ("♣", "C")):
        text = text.replace(sign, suit)
    return text.upper().replace("10", "T")


def day_filter(begin: datetime, end: datetime) -> dict[str, str]:
    return {"since": _text(begin), "until": _text(end)}


def _text(moment: datetime) -> str:
    local = moment.astimezone(ZONE)
    return f"{local - timedelta(microseconds=local.microsecond):%Y-%m-%dT%H:%M}"
