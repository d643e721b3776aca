"""The players' board: in baccarat the roads, elsewhere the last results; how far the shoe game is."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from cardshoe.screens.roads import Board, RoundResult, next_marks, roads_of
from cardshoe.screens.roads.cells import Colour
from cardshoe.screens.view import TableView
from cardshoe.screens.view.law import result_of, sheet_of
from cardshoe.screens.view.parts import Profile
from regulations.events.cards import Card
from regulations.events.results import HandShown
from regulations.events.vocabulary import Holder, Side
from regulations.law.sheet import Sign

LAST_RESULTS: Final = 8
"""Rounds that are shown of games without roads."""
COLUMNS: Final = {"bead_plate": 12, "big_road": 30, "big_eye_boy": 20, "small_road": 15, "cockroach_pig": 15}
"""Columns of each road that a board has room for."""


class LastResult(Struct, frozen=True, kw_only=True):
    """How a round of a game without roads ended.

    Attributes:
        round: its number in the shoe game.
        house: the cards of croupier or banker.
        points: theirs, where the game has points.
        hands: each seat with the outcome of its hand and its sign; each bettor, where theirs are not alike: ``3·2``.
        voided: whether the round is void.
    """

    round: int
    house: Sequence[Card] = ()
    points: int | None = None
    hands: Sequence[tuple[str, str, Sign]] = ()
    voided: bool = False


class ShoeProgress(Struct, frozen=True, kw_only=True):
    """How far the shoe game is; never what is left in it.

    Attributes:
        number: of the shoe game.
        dealt: cards that left.
        percent: of the cards before the cut card, 0 to 100; ``None`` where nobody told where it is.
        is_last_round: whether the open or coming round is the last.
    """

    number: int
    dealt: int
    percent: int | None
    is_last_round: bool


class PlayersBoard(Struct, frozen=True, kw_only=True):
    """The board; ``roads`` in baccarat, else `results`, the newest first.

    Attributes:
        progress: of the shoe game.
        roads: of baccarat.
        windows: the part of each road that the board has room for.
        asked: by side, the marks that the derived roads would get if it won the next round.
        last: by side, the cards of the last decided round; `points` likewise.
        points: of these cards.
        results: of games without roads.
    """

    progress: ShoeProgress
    roads: Board | None = None
    windows: dict[str, Any] = {}
    asked: Mapping[Side, tuple[Colour | None, ...]] = {}
    last: Mapping[Holder, Sequence[Card]] = {}
    points: Mapping[Holder, int] = {}
    results: Sequence[LastResult] = ()


def board_of(view: TableView) -> PlayersBoard:
    """The board of a table.

    Args:
        view: how it stands.
    """
    progress = _progress(view)
    ended = [(one.round, one.result, one.voided is not UNSET) for one in view.results if not one.demonstration]
    if view.round is not None and not view.round.demonstration and view.round.voided is UNSET:
        ended.append((view.round.number, view.round.result, False))
    if view.profile is None or sheet_of(view.profile).layout.board == "results":
        last = [one for one in ended if one[1] is not UNSET or one[2]][: -LAST_RESULTS - 1 : -1]
        before = view.shoe.before
        return PlayersBoard(
            progress=progress, results=[_last(view.profile, one[0] - before, one[1], one[2]) for one in last]
        )
    decided = [(number, result) for number, result, voided in ended if not isinstance(result, UnsetType) and not voided]
    results = [msgspec.convert({**result, "round": number}, RoundResult) for number, result in decided]
    roads = roads_of(results)
    shown = result_of(view.profile, decided[-1][1]) if decided else None
    hands = [] if shown is None else [*shown.shown()]
    return PlayersBoard(
        progress=progress,
        roads=roads,
        windows={name: getattr(roads, name).window(columns) for name, columns in COLUMNS.items()},
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
