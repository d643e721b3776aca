"""A table's timeline for surveillance, to the millisecond, with camera times."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, get_args

from msgspec import Struct
from psycopg.rows import class_row

from cardshoe.floor.database import Database, Db
from cardshoe.floor.pages.days import ZONE
from cardshoe.floor.pages.settings import Camera
from cardshoe.floor.streams import time_in_range
from cardshoe.journal.file.chain import PASSES, lines_of
from cardshoe.screens.rounds.fold import entry_facts
from cardshoe.screens.rounds.parts import EntryFacts
from cardshoe.screens.view import LineFold, TableView
from regulations.events import inputs, notices, outputs
from regulations.events.cards import Card
from regulations.events.inputs import AnyInput
from regulations.events.outputs import AnyOutput

TimelineKind = Literal[
    "by_hand",
    "correction",
    "after_result",
    "override",
    "proposal",
    "void",
    "disagrees",
    "sign_in",
    "irregularity",
    "clock",
    "opening",
]
KINDS: Final[tuple[TimelineKind, ...]] = get_args(TimelineKind)
WINDOW: Final = 200
_SIGN_INS: Final = (notices.SignedIn, notices.SignedOut, notices.SignInsRefused, notices.PersonsListed)
_OF_EVENTS: Final[dict[str, TimelineKind]] = {
    "clock_stepped": "clock",
    "proposed": "proposal",
    "table_opened": "opening",
}
_LOG: Final = """
SELECT table_id AS "table", log, month, mark FROM streams
WHERE table_id = %(table)s AND (%(log)s = '' OR log = %(log)s) ORDER BY began_at DESC, log LIMIT 1
"""
_LOGS: Final = """
SELECT log, began_at FROM streams WHERE table_id = %(table)s ORDER BY began_at DESC, log LIMIT 62
"""
_AT: Final = """
SELECT number FROM entries WHERE table_id = %(table)s AND log = %(log)s AND month = %(month)s AND at <= %(at)s
ORDER BY number DESC LIMIT 1
"""
_SEQ: Final = """
SELECT number FROM entries WHERE table_id = %(table)s AND log = %(log)s AND month = %(month)s AND seq <= %(seq)s
ORDER BY number DESC LIMIT 1
"""
_ENTRIES: Final = """
SELECT number, lines FROM entries WHERE table_id = %(table)s AND log = %(log)s AND month = %(month)s
    AND (number = 1 OR number BETWEEN %(first)s AND %(last)s) ORDER BY number
"""
_ACTS: Final = """
SELECT seq, kind FROM acts WHERE table_id = %(table)s AND log = %(log)s AND seq BETWEEN %(seq)s AND %(end)s
"""


class LogRow(Struct, frozen=True):
    table: str
    log: str
    month: date
    mark: int


class Moment(Struct, frozen=True, kw_only=True):
    """An entry of the timeline.

    Attributes:
        facts: of the entry.
        at: when; ``None``: its line has no time.
        camera: the time on the camera's picture.
        frame: within that second, from 0.
        round: its number; ``None`` between rounds.
        card: that left, where it was disclosed then.
        is_card: whether a card left.
        person: who signed in or out, or proposed.
        act: that was proposed.
        codes: of irregularities that began with it.
        stepped_s: seconds by which the clock was set.
        kinds: why surveillance must check it.
    """

    facts: EntryFacts
    at: datetime | None
    camera: datetime | None
    frame: int
    round: int | None
    card: Card | None
    is_card: bool
    person: str
    act: str
    codes: Sequence[str]
    stepped_s: float
    kinds: Sequence[TimelineKind]


class TimelinePart(Struct, frozen=True, kw_only=True):
    row: LogRow
    moments: Sequence[Moment]
    last: int


class Timelines:
    def __init__(self, database: Database, cameras: "Cameras") -> None:
        self._database: Final = database
        self._cameras: Final = cameras

    def logs(self, table: str) -> list[tuple[str, datetime]]:
        """The newest logs of a table, with their begin at the floor."""
        with self._database.transaction() as db:
            return [(log, began) for log, began in db.execute(_LOGS, {"table": table})]

    def read(
        self, table: str, log: str, *, at: datetime | None = None, seq: int = 0, entry: int = 0
    ) -> TimelinePart | None:
        """Read a log up to a time, line or entry, default its end; ``None``: no such log."""
        with self._database.transaction() as db:
            row = db.cursor(row_factory=class_row(LogRow)).execute(_LOG, {"table": table, "log": log}).fetchone()
            if row is None:
                return None
            last = min(entry, row.mark) if entry else self._last(db, row, at, seq)
            wanted: dict[str, object] = {"table": row.table, "log": row.log, "month": row.month}
            first = max(1, last - WINDOW + 1)
            found = db.execute(_ENTRIES, {**wanted, "first": first, "last": last}).fetchall()
            facts = list(_facts(found, first))
            if not facts:
                return TimelinePart(row=row, moments=(), last=last)
            span = {"seq": facts[0][0].seq, "end": facts[-1][0].seq + facts[-1][0].lines}
            acts = dict(db.execute(_ACTS, {**wanted, **span}).fetchall())
        camera = self._cameras.of(table)
        moments = [_moment(one, event, answer, acts.get(one.seq), camera) for one, event, answer in facts]
        return TimelinePart(row=row, moments=moments[::-1], last=last)

    @staticmethod
    def _last(db: Db, row: LogRow, at: datetime | None, seq: int) -> int:
        wanted: dict[str, object] = {"table": row.table, "log": row.log, "month": row.month, "at": at, "seq": seq}
        query = _SEQ if seq else _AT if at is not None else ""
        if not query:
            return row.mark
        (number,) = db.execute(query, wanted).fetchone() or (1,)
        return int(number)


class Cameras:
    def __init__(self, default: Camera, own: dict[str, Camera]) -> None:
        self._default: Final = default
        self._own: Final = own

    def of(self, table: str) -> Camera:
        """The camera over a table."""
        return self._own.get(table, self._default)


def _facts(
    found: Sequence[tuple[int, bytes]], first: int
) -> Iterator[tuple[EntryFacts, AnyInput | None, Sequence[AnyOutput]]]:
    fold = LineFold(TableView())
    for number, data in found:
        lines = lines_of(data)
        if number == 1:
            fold.take(lines)
        said = None if data.startswith(PASSES) else fold.read(lines)
        if number < first:
            continue
        if said is not None:
            yield entry_facts(number, *said), *said


def _moment(
    facts: EntryFacts, event: AnyInput | None, answer: Sequence[AnyOutput], act: str | None, camera: Camera
) -> Moment:
    at = time_in_range(facts.at)
    seen = None if at is None else at.astimezone(ZONE) + timedelta(milliseconds=camera.offset_ms)
    codes = [one.code for one in answer if isinstance(one, outputs.Irregularity)]
    in_round: Any = getattr(event, "round", None)
    return Moment(
        facts=facts,
        at=at,
        camera=seen,
        frame=0 if seen is None else seen.microsecond * camera.frames_per_s // 1_000_000,
        round=in_round if isinstance(in_round, int) else None,
        card=event.card if isinstance(event, inputs.CardDrawn) else None,
        is_card=isinstance(event, inputs.CardDrawn),
        person=str(event.person) if isinstance(event, notices.SignedIn | notices.SignedOut | inputs.Proposed) else "",
        act=event.act if isinstance(event, inputs.Proposed) else "",
        codes=codes,
        stepped_s=event.seconds if isinstance(event, notices.ClockStepped) else 0.0,
        kinds=list(_kinds(facts, event, answer, act, codes)),
    )


def _kinds(
    facts: EntryFacts, event: AnyInput | None, answer: Sequence[AnyOutput], act: str | None, codes: Sequence[str]
) -> Iterator[TimelineKind]:
    if act == "manual_card":
        yield "by_hand"
    elif act == "correction":
        yield "correction"
    elif act == "override":
        yield "override"
    elif act == "void":
        yield "void"
    if any(isinstance(one, outputs.Reversed) for one in answer):
        yield "after_result"
    if "device_disagrees" in codes:
        yield "disagrees"
    elif codes:
        yield "irregularity"
    if isinstance(event, _SIGN_INS):
        yield "sign_in"
    if (kind := _OF_EVENTS.get(facts.event)) is not None:
        yield kind
