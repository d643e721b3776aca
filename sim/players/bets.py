"""How likely the bets of a game are with simulated players."""

from collections.abc import Mapping
from typing import Final

from regulations.events.vocabulary import Bet, Game

FIRST: Final[Mapping[Game, Mapping[Bet, int]]] = {
    "baccarat": {"player": 45, "banker": 45, "tie": 10},
    "q_poker": {"ante": 85, "pair_plus": 15},
    "three_card_baccarat": {"main": 87},
}
"""Weights; else 1."""
SIDE: Final[Mapping[Game, Mapping[Bet, float]]] = {
    "baccarat": {"player_pair": 0.2, "banker_pair": 0.2},
    "blackjack": {"any_pair": 0.15, "sevens": 0.1, "over_13": 0.1, "under_13": 0.1},
    "casino_war": {"tie": 0.25},
    "q_poker": {"pair_plus": 0.3},
    "three_card_baccarat": {"tie": 0.2},
}
"""Likelihoods, 0 to 1; else `ANY`."""
ANY: Final = 0.04
