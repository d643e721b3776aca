"""The players' board: roads or last results, limits, shoe progress."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from cardshoe.screens.felt.felt import short
from cardshoe.screens.roads import Board, RoundResult, next_marks, roads_of
from cardshoe.screens.roads.cells import BigCell, Colour, Road
from cardshoe.screens.view import TableView
from cardshoe.screens.view.law import result_of, sheet_of
from cardshoe.screens.view.parts import Profile
from cardshoe.screens.words.currency import Currency
from regulations.events.cards import Card
from regulations.events.results import HandShown
from regulations.events.vocabulary import Bet, Holder, Side
from regulations.law.sheet import Sign

DIFFERENCE: Final = "difference"
"""Option ``limits`` on the player–banker difference (55/2004 art. 14.º)."""
LAST_RESULTS: Final = 8
COLUMNS: Final = {"bead_plate": 18, "big_road": 40, "big_eye_boy": 42, "small_road": 42, "cockroach_pig": 42}
"""Columns per road; longer roads shrink.

Eight decks give at most 102 rounds, 17 columns of the bead plate.
"""


class LastResult(Struct, frozen=True, kw_only=True):
    round: int
    house: Sequence[Card] = ()
    points: int | None = None
    hands: Sequence[tuple[str, str, Sign]] = ()
    voided: bool = False


class ShoeProgress(Struct, frozen=True, kw_only=True):
    number: int
    dealt: int
    percent: int | None
    is_last_round: bool


class Limit(Struct, frozen=True):
    """Limits of bets, as amounts; ``bets`` empty: all."""

    bets: Sequence[Bet]
    least: str
    most: str


class PlayersBoard(Struct, frozen=True, kw_only=True):
    """The board.

    Attributes:
        asked: derived marks, by side that wins next.
        last: cards of the last decided round, by side.
        difference: maximum difference of player and banker; empty: no limit.
        banker_win: how it is paid; empty: no such option.
    """

    progress: ShoeProgress
    roads: Board | None = None
    columns: Mapping[str, int] = {}
    asked: Mapping[Side, tuple[Colour | None, ...]] = {}
    last: Mapping[Holder, Sequence[Card]] = {}
    points: Mapping[Holder, int] = {}
    results: Sequence[LastResult] = ()
    limits: Sequence[Limit] = ()
    difference: str = ""
    banker_win: str = ""


def board_of(view: TableView, currency: Currency) -> PlayersBoard:
    board = _board_of(view)
    if view.profile is None:
        return board
    options = view.profile.options
    difference = options.get("limits", {}).get(DIFFERENCE)
    return msgspec.structs.replace(
        board,
        limits=[*_limits(view.profile, currency)],
        difference="" if difference is None else short(currency.text(difference)),
        banker_win=options.get("banker_win", ""),
    )


def _limits(profile: Profile, currency: Currency) -> Iterator[Limit]:
    alike: dict[tuple[str, str], list[Bet]] = {}
    limits = profile.options.get("limits", {})
    for bet in sheet_of(profile).words.bets:
        if bet in limits:
            bounds = [short(currency.text(limits[bet][one])) if one in limits[bet] else "" for one in ("least", "most")]
            alike.setdefault((bounds[0], bounds[1]), []).append(bet)
    every = sheet_of(profile).bets.all
    for (least, most), bets in alike.items():
        yield Limit(() if every.issubset(bets) else bets, least, most)


RoadEnd = Road[BigCell]
_Ended = tuple[int, dict[str, Any] | UnsetType, bool]


def _ended(view: TableView) -> list[_Ended]:
    ended = [(one.round, one.result, one.voided is not UNSET) for one in view.results if not one.demonstration]
    if view.round is not None and not view.round.demonstration and view.round.voided is UNSET:
        ended.append((view.round.number, view.round.result, False))
    return ended


def last_results(view: TableView) -> Sequence[LastResult]:
    last = [one for one in _ended(view) if one[1] is not UNSET or one[2]][: -LAST_RESULTS - 1 : -1]
    return [_last(view.profile, number - view.shoe.before, result, voided) for number, result, voided in last]


def end_of_big_road(view: TableView, columns: int) -> RoadEnd | None:
    roads = _board_of(view).roads
    return None if roads is None else roads.big_road.window(columns)


def _board_of(view: TableView) -> PlayersBoard:
    progress = _progress(view)
    if view.profile is None or sheet_of(view.profile).layout.board == "results":
        return PlayersBoard(progress=progress, results=last_results(view))
    decided = [(number, one) for number, one, voided in _ended(view) if not isinstance(one, UnsetType) and not voided]
    results = [msgspec.convert({**result, "round": number}, RoundResult) for number, result in decided]
    roads = roads_of(results)
    shown = result_of(view.profile, decided[-1][1]) if decided else None
    hands = [] if shown is None else [*shown.shown()]
    return PlayersBoard(
        progress=progress,
        roads=roads,
        columns={
            name: max(columns, *(cell.column for cell in getattr(roads, name).cells), 1)
            for name, columns in COLUMNS.items()
        },
        asked=next_marks(results),
        last={one.owner: one.cards for one in hands},
        points={one.owner: one.points for one in hands if one.points is not None},
    )


def _progress(view: TableView) -> ShoeProgress:
    shoe = view.shoe
    percent = None
    if shoe.loaded is not UNSET and shoe.cut_card_behind is not UNSET:
        before = max(shoe.loaded - shoe.cut_card_behind, 1)
        percent = min(100, 100 * shoe.dealt // before)
    return ShoeProgress(number=shoe.number, dealt=shoe.dealt, percent=percent, is_last_round=shoe.is_last_round)


def _last(
    profile: Profile | None,
    number: int,
    result: dict[str, Any] | UnsetType,
    voided: bool,  # noqa: FBT001  as it is kept
) -> LastResult:
    ended = None if voided or profile is None else result_of(profile, result)
    if profile is None or ended is None:
        return LastResult(round=number, voided=True)
    signs = {name: sign for name, (_, sign) in sheet_of(profile).words.outcomes.items()}
    hands = [*ended.shown()]
    house = next((one for one in hands if not one.seat), HandShown("croupier", ()))
    shown = [
        (f"{one.seat}·{who}" if who else str(one.seat), outcome, signs.get(outcome, "="))
        for one in hands
        if one.seat
        for who, outcome in one.endings
    ]
    return LastResult(round=number, house=house.cards, points=house.points, hands=shown)
