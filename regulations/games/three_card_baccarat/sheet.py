"""The sheet of three-card baccarat."""

from collections.abc import Sequence
from typing import Final

from regulations.events.cards import Card
from regulations.events.vocabulary import Bet
from regulations.games.three_card_baccarat.law import BANKER_BETS, CARDS_OF_A_HAND, LAW, POINT_BETS
from regulations.games.three_card_baccarat.ranking import hand_of
from regulations.games.three_card_baccarat.result import ThreeCardResult
from regulations.games.three_card_baccarat.settlement import PAYOUTS
from regulations.law.sheet import BetLaw, GameWords, Layout, Options, Sheet, nothing_open


def _cards_needed(_options: Options, seats: int) -> int:
    return 1 + CARDS_OF_A_HAND * (seats + 1)


def _packet(options: Options) -> int:
    return CARDS_OF_A_HAND if options.get("deal") == "three_at_a_time" else 1


def _points(cards: Sequence[Card]) -> int | None:
    return hand_of(cards).points


def _ends(options: Options) -> tuple[frozenset[Bet], ...]:
    """22/96/M art. 8.º-2: three figures may win as 0 points too (reading T4)."""
    zero: tuple[Bet, ...] = ("points_0",) if options.get("three_figures_win_zero_points") else ()
    points = (frozenset[Bet]({bet, "odd" if int(bet[-1]) % 2 else "even"}) for bet in POINT_BETS)
    return frozenset[Bet]({"three_figures", *zero}), *points


SHEET: Final = Sheet(
    law=LAW,
    result=ThreeCardResult,
    # 22/96/M art. 8.º-3: a tie is wagered on a seat that has a wager against the banker.
    bets=BetLaw(
        main="main",
        first=("main", *BANKER_BETS),
        side=(*BANKER_BETS, "tie"),
        needs={"tie": "main"},
        usual="main",
        payouts=PAYOUTS,
        ends=_ends,
        own_ends=(frozenset({"main"}), frozenset({"tie"})),
    ),
    layout=Layout(
        tops=("banker",),
        cards=CARDS_OF_A_HAND,
        bands=(POINT_BETS, ("tie",), ("three_figures",), ("odd",), ("even",), ("main",)),
        lies_open=nothing_open,
        points=_points,
    ),
    words=GameWords(
        title="Three-card baccarat",
        short="3CB",
        bets={
            "tie": "Tie",
            "main": "Main wager",
            "odd": "Odd",
            "even": "Even",
            "three_figures": "Three figures",
            **{bet: f"{bet[-1]} point{'' if bet == 'points_1' else 's'}" for bet in POINT_BETS},
        },
        outcomes={"win": ("wins", "+"), "lose": ("loses", "−"), "tie": ("tie", "=")},
    ),
    cards_needed=_cards_needed,
    packet=_packet,
    hidden_house="banker",
)
