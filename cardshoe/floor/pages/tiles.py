"""A tile per table: its phase, and its troubles, the worst first."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from cardshoe.floor.facts.fold import LogState
from cardshoe.floor.facts.projector import Known, OpenAlarm, StreamRow
from cardshoe.floor.streams import time_in_range
from cardshoe.screens.felt.players_board import RoadEnd, end_of_big_road, last_results
from cardshoe.screens.rounds.acts import short
from cardshoe.screens.view import TableView
from cardshoe.screens.view.law import result_of, sheet_of
from cardshoe.screens.view.parts import WagerView
from regulations.events.cards import Card
from regulations.events.vocabulary import Bet, Holder

logger: Final = logging.getLogger(__name__)

Kind = Literal[
    "alarm", "unreadable", "irregularity", "called", "device", "away", "lag", "unsigned", "witness", "nothing"
]
KINDS: Final[tuple[Kind, ...]] = (
    "alarm", "unreadable", "irregularity", "called", "device", "away", "lag", "unsigned", "witness", "nothing",
)  # fmt: skip
AWAY: Final = timedelta(seconds=15)
"""Silence of an uplink, which reports every three seconds."""
LAG_LINES: Final = 200
"""Missing lines: more than play makes between two batches."""
UNSIGNED_LINES: Final = 1000
"""Stored lines without a signature: tables sign each round and each minute."""
DETAILED_MAX: Final = 12
ROAD_COLUMNS: Final = 24
RESULTS: Final = 10
_DIGITS: Final = re.compile(r"(\d+)")
_DIGITS_MAX: Final = 18


class Trouble(Struct, frozen=True, kw_only=True):
    """Something that is wrong with a table.

    Attributes:
        kind: of what sort.
        code: which, as the log or the collector calls it; empty: the kind says all.
        article: by which.
        what: more of it, such as the device.
        count: how many.
        since: when it began, where that is known.
        seq: of an irregularity of the open round: its line.
    """

    kind: Kind
    code: str = ""
    article: str = ""
    what: str = ""
    count: int = 0
    since: datetime | None = None
    seq: int = 0


class Device(Struct, frozen=True, kw_only=True):
    name: str
    model: str
    kind: str
    serial: str
    firmware: str
    verdict: str
    is_well: bool


class Detail(Struct, frozen=True, kw_only=True):
    """The open or last round.

    Attributes:
        hands: holder, seat (0: none) and cards; ``None``: face down.
        wagers: stakes in minor units; ``None``: not recorded.
    """

    hands: Sequence[tuple[Holder, int, Sequence[Card | None]]]
    wagers: Sequence[tuple[int, int, Bet, int | None]]
    road: RoadEnd | None


class Tile(Struct, frozen=True, kw_only=True):
    """A table in a few words.

    Attributes:
        table: its id.
        key: changes with everything that is shown.
        game: its game; empty: not known yet.
        phase: what it is about.
        shoe: number of the shoe game.
        round: number of its newest round; 0: no round yet.
        log: that it is in.
        round_seq: that round's first line.
        croupier: who is signed in as the croupier; empty: no one is.
        devices: that it has, the one that is dealt from first.
        lag: lines that the floor lacks.
        is_proved: whether all but the newest lines are under a signature.
        results: how the last rounds ended, one name of the log each in baccarat, else a sign for each hand.
        troubles: what is wrong, the worst first.
        detail: of its round; ``None`` where there are more tables than have room for that.
    """

    table: str
    key: tuple[object, ...]
    game: str
    phase: str
    shoe: int
    round: int
    croupier: str
    devices: Sequence[Device]
    lag: int
    is_proved: bool
    results: Sequence[str]
    troubles: Sequence[Trouble]
    log: str = ""
    round_seq: int = 0
    detail: Detail | None = None

    @property
    def kind(self) -> Kind:
        """The worst trouble."""
        return self.troubles[0].kind if self.troubles else "nothing"


class Tiles:
    def __init__(self) -> None:
        self._made: Final[dict[str, Tile]] = {}

    def of(self, tables: Iterator[Known], alarms: Sequence[OpenAlarm], now: datetime) -> list[Tile]:
        """The tiles of all tables, in natural order of IDs; ``alarms`` may be of tables without lines."""
        by_table: dict[str, list[OpenAlarm]] = {}
        for alarm in alarms:
            by_table.setdefault(alarm.table, []).append(alarm)
        several = [*tables]
        detailed = len(several) <= DETAILED_MAX
        found = [self._tile(known, by_table.pop(known.stream.table, []), now, detailed=detailed) for known in several]
        found += [_unheard(table, raised) for table, raised in by_table.items()]
        return sorted(found, key=lambda tile: counted(tile.table))

    def _tile(self, known: Known, alarms: Sequence[OpenAlarm], now: datetime, *, detailed: bool) -> Tile:
        stream = known.stream
        away = is_away(known, now)
        key = (
            *(stream.log, known.last, known.fault, away, stream.last - stream.mark, stream.proved),
            *((alarm.id, alarm.times) for alarm in alarms),
            detailed,
        )
        made = self._made.get(stream.table)
        if made is None or made.key != key:
            try:
                made = tile_of(known, alarms, key, away=away)
                if detailed:
                    made = msgspec.structs.replace(made, detail=detail_of(known.state.view))
            except Exception as error:
                # The others' tiles must not depend on what one table has sent.
                logger.exception("%s: the table cannot be shown", stream.table)
                made = _unshown(stream, alarms, key, error)
            self._made[stream.table] = made
        return made


def is_away(known: Known, now: datetime) -> bool:
    return not known.state.closed and now - known.stream.heard_at > AWAY


def is_proved(known: Known) -> bool:
    return known.stream.mark - known.stream.proved <= UNSIGNED_LINES


def tile_of(known: Known, alarms: Sequence[OpenAlarm], key: tuple[object, ...], *, away: bool) -> Tile:
    stream, view = known.stream, known.state.view
    newest = view.newest
    return Tile(
        table=stream.table,
        key=key,
        game=stream.game,
        phase="" if view.profile is None else view.phase,
        shoe=view.shoe.number,
        round=0 if newest is None else newest.number - view.shoe.before,
        log=stream.log,
        round_seq=0 if newest is None else newest.seq,
        croupier=known.state.croupier,
        devices=devices_of(view),
        lag=max(0, stream.last - stream.mark),
        is_proved=is_proved(known),
        results=results_of(view),
        troubles=sorted(_troubles(known, alarms, away=away), key=lambda one: KINDS.index(one.kind)),
    )


def detail_of(view: TableView) -> Detail:
    hands: dict[tuple[Holder, int, int], list[Card | None]] = {}
    wagers: Sequence[WagerView] = ()
    if view.round is not None:
        for one in view.round.cards:
            hands.setdefault((one.to, one.seat or 0, one.hand or 1), []).append(one.card)
        wagers = view.round.wagers
    return Detail(
        hands=[(to, seat, cards) for (to, seat, _), cards in hands.items()],
        wagers=[(one.seat, one.id, one.bet, None if one.stake is UNSET else one.stake) for one in wagers],
        road=end_of_big_road(view, ROAD_COLUMNS),
    )


def devices_of(view: TableView) -> list[Device]:
    dealt_from = view.shoe.device
    return [
        Device(
            name=short(name),
            model=" ".join(_said(one.maker, one.model)),
            kind=" ".join(_said(one.model)),
            serial=" ".join(_said(one.serial)),
            firmware=" ".join(_said(one.firmware)),
            verdict=" ".join(_said(one.verdict)),
            is_well=not one.lost and not one.faults,
        )
        for name, one in sorted(view.devices.items(), key=lambda item: (item[0] != dealt_from, item[0]))
    ]


def results_of(view: TableView) -> Sequence[str]:
    if view.profile is None:
        return []
    if sheet_of(view.profile).layout.board == "roads":
        ended = [one.result for one in view.results[-RESULTS:]]
        if view.round is not None:
            ended.append(view.round.result)
        results = [result_of(view.profile, one) for one in ended]
        return [one.winner for one in results if one is not None and one.winner is not None][-RESULTS:]
    last = next((one for one in last_results(view) if not one.voided), None)
    return [] if last is None else [sign for _, _, sign in last.hands][:RESULTS]


def counted(table: str) -> list[tuple[int, int, str]]:
    parts = _DIGITS.split(table)
    return [
        (0, int(part), part) if part.isascii() and part.isdigit() and len(part) <= _DIGITS_MAX else (1, 0, part)
        for part in parts
        if part
    ]


def _troubles(known: Known, alarms: Sequence[OpenAlarm], *, away: bool) -> Iterator[Trouble]:
    stream, state = known.stream, known.state
    yield from _of_alarms(alarms)
    if known.fault:
        yield Trouble(kind="unreadable", what=known.fault)
    yield from _of_view(state)
    if away:
        yield Trouble(kind="away", since=stream.heard_at)
    if stream.last - stream.mark > LAG_LINES:
        yield Trouble(kind="lag", count=stream.last - stream.mark)
    if not is_proved(known):
        yield Trouble(kind="unsigned", count=stream.mark - stream.proved)
    for name, one in state.view.witnesses.items():
        yield Trouble(kind="witness", what=short(name), count=one.notes, since=moment_of(one.at))


def _of_alarms(alarms: Sequence[OpenAlarm]) -> Iterator[Trouble]:
    for alarm in alarms:
        yield Trouble(kind="alarm", code=alarm.kind, what=alarm.detail, count=alarm.times, since=alarm.first_at)


def _of_view(state: LogState) -> Iterator[Trouble]:
    view = state.view
    if state.closed:
        return
    for irregularity in view.irregularities:
        yield Trouble(
            kind="irregularity",
            code=irregularity.code,
            article=short(irregularity.article),
            since=moment_of(irregularity.at),
            seq=0 if view.round is None or irregularity.seq < view.round.seq else irregularity.seq,
        )
    if view.called:
        yield Trouble(kind="called", what=short(view.called_by), since=moment_of(view.called))
    for name, device in view.devices.items():
        if device.lost:
            since = None if device.since is UNSET else moment_of(device.since)
            yield Trouble(kind="device", code="lost", what=short(name), since=since)
        for fault in device.faults:
            yield Trouble(kind="device", code=short(str(fault.code)), what=short(name), since=moment_of(fault.at))


def _unheard(table: str, alarms: Sequence[OpenAlarm]) -> Tile:
    return Tile(
        table=table,
        key=tuple((alarm.id, alarm.times) for alarm in alarms),
        game="",
        phase="",
        shoe=0,
        round=0,
        croupier="",
        devices=(),
        lag=0,
        is_proved=True,
        results=(),
        troubles=list(_of_alarms(alarms)),
    )


def _unshown(stream: StreamRow, alarms: Sequence[OpenAlarm], key: tuple[object, ...], error: Exception) -> Tile:
    return msgspec.structs.replace(
        _unheard(stream.table, alarms),
        key=key,
        lag=max(0, stream.last - stream.mark),
        troubles=[*_of_alarms(alarms), not_shown(error)],
    )


def not_shown(error: Exception) -> Trouble:
    return Trouble(kind="unreadable", what=short(f"{type(error).__name__}: {error}"))


def moment_of(at: str) -> datetime | None:
    return time_in_range(at)


def _said(*texts: str | UnsetType) -> list[str]:
    return [short(one) for one in texts if isinstance(one, str) and one]


def worst_first(tiles: Sequence[Tile]) -> list[Tile]:
    def rank(tile: Tile) -> tuple[int, float]:
        since = tile.troubles[0].since
        return KINDS.index(tile.kind), 0.0 if since is None else since.timestamp()

    return sorted((tile for tile in tiles if tile.troubles), key=rank)


def summary(tiles: Sequence[Tile]) -> Mapping[Kind, int]:
    found = dict.fromkeys(KINDS, 0)
    for tile in tiles:
        found[tile.kind] += 1
    return {kind: count for kind, count in found.items() if count}
