"""The players' bets: those of each game, how often, and which of them lean on another."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from regulations.events.vocabulary import POINT_BETS, Bet, Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The bets that the players of a game choose from.

    Attributes:
        first: bets of which every player makes one, with their weights; nobody bets on both sides.
        besides: bets that may be added, each with its likelihood, 0 to 1.
        lean_on: the bet that must be on the same seat, for each bet that cannot stand alone.
        own: whether the same bettor must have made that one.
        decides_on: the bet whose bettor decides about the hand; ``None`` where nobody decides.
        needs_wagers: whether a round without any wager cannot be.
        usual: the bet that is understood where a table is told neither stakes nor wagers of a seat; ``None``: any.
    """

    first: Mapping[Bet, int]
    besides: Mapping[Bet, float]
    lean_on: Mapping[Bet, Bet] = field(default_factory=dict)
    own: bool = False
    decides_on: Bet | None = None
    needs_wagers: bool = True
    usual: Bet | None = None


_ON_THE_BANKER: Final[tuple[Bet, ...]] = ("odd", "even", "three_figures", *POINT_BETS)
_SIDE: Final[dict[Bet, float]] = {"any_pair": 0.15, "sevens": 0.1, "over_13": 0.1, "under_13": 0.1}

OFFERS: Final[Mapping[Game, Offer]] = {
    # 55/2004 art. 13.º; a table that records stakes asks for wagers (reading B8).
    "baccarat": Offer(
        first={"player": 45, "banker": 45, "tie": 10},
        besides={"player_pair": 0.2, "banker_pair": 0.2},
        needs_wagers=False,
    ),
    # 56/2004 arts. 13.º, 14.º, reading J4: side wagers on any hand in play.
    "blackjack": Offer(
        first={"main": 1}, besides=_SIDE, lean_on=dict.fromkeys(_SIDE, "main"), decides_on="main", usual="main"
    ),
    # Reading W3.
    "casino_war": Offer(
        first={"ante": 1}, besides={"tie": 0.25}, lean_on={"tie": "ante"}, own=True, decides_on="ante", usual="ante"
    ),
    # Reading Q9: each wager stands for itself.
    "q_poker": Offer(first={"ante": 85, "pair_plus": 15}, besides={"pair_plus": 0.3}, decides_on="ante", usual="ante"),
    # 22/96/M art. 8.º-3: the tie needs a main wager on the seat.
    "three_card_baccarat": Offer(
        first={"main": 87, **dict.fromkeys(_ON_THE_BANKER, 1)},
        besides={**dict.fromkeys(_ON_THE_BANKER, 0.04), "tie": 0.2},
        lean_on={"tie": "main"},
        usual="main",
    ),
}
