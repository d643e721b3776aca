"""The tables of each game at which rounds are corrected: profiles, wagers, cards that make things happen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tests.regulations.support.profiles import Json, profile

Put = tuple[int, str, int, int]
"""Seat, bet, stake, bettor."""


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The tables at which one game is played.

    Attributes:
        depth: the fewest and the most cards behind a cut card that soon comes; none does if it is empty.
    """

    profiles: Sequence[Json]
    bets: Sequence[Sequence[Put]]
    often: str
    depth: tuple[int, int] | None
    cannot: frozenset[str]


TROUBLES: Final = (
    *("unread", "waited", "late", "stray", "gaps", "packets", "disputes", "losses", "held"),
    *("by_hand", "by_hand_struck"),
)
"""What must have gone wrong, in the games that have it, be the round corrected or not."""
KINDS: Final = (
    *("burned", "accepted", "inserted", "struck", "renamed", "splits"),
    *("cut_cards", "hidden", "carried", "unopened"),
    *TROUBLES,
)
"""Kinds of rounds that must have happened, most of them corrected, in the games that have them."""
TABLES: Final[dict[str, Tables]] = {
    "baccarat": Tables(
        profiles=(
            profile(decks=6),
            profile(decks=6, overdrawn_card="next_round"),
            profile(decks=6, deal="face_down", overdrawn_card="next_round"),
            profile(decks=6, round_burn=True, after_cut_card="one_more"),
            profile(decks=6, equipment="shuffler_dealer", overdrawn_card="next_round"),
        ),
        bets=(
            (),
            ((1, "banker", 10, 1),),
            ((1, "player", 25, 1), (1, "banker", 30, 2), (3, "tie", 7, 1)),
            ((2, "player_pair", 5, 1), (2, "banker_pair", 5, 1), (7, "banker", 1, 1)),
        ),
        often="K23",
        depth=(12, 26),
        cannot=frozenset({"accepted", "splits", "carried"}),
    ),
    "blackjack": Tables(
        profiles=(
            profile(game="blackjack", decks=2, unshown_extra_croupier_card_valid=True),
            profile(game="blackjack", decks=2, procedure="second", unshown_extra_croupier_card_valid=True),
            profile(
                game="blackjack",
                decks=2,
                procedure="second",
                round_burn="start_and_before_second_croupier_card",
                equipment="shuffler_dealer",
            ),
            profile(game="blackjack", decks=3, initial_burn="one", round_burn="start", resplit_aces=True),
            profile(
                game="blackjack", decks=2, procedure="second", drawn_card_is_hit=False, surrender_before="own_card"
            ),
        ),
        bets=(
            ((1, "main", 100, 1),),
            ((1, "main", 24, 1), (1, "any_pair", 3, 1), (1, "sevens", 7, 1), (2, "main", 30, 1), (2, "over_13", 9, 1)),
            ((1, "main", 10, 1), (1, "main", 12, 2), (1, "under_13", 3, 2), (3, "main", 8, 2), (3, "sevens", 5, 3)),
        ),
        often="7A8T",
        depth=(36, 48),
        cannot=frozenset({"held", "carried", "unopened"}),
    ),
    "casino_war": Tables(
        profiles=(
            profile(game="casino_war"),
            profile(game="casino_war", croupier_war_card="per_player"),
            profile(game="casino_war", equipment="shuffler_dealer", croupier_war_card="per_player"),
        ),
        bets=(
            ((1, "ante", 100, 1),),
            ((1, "ante", 25, 1), (2, "ante", 30, 1), (2, "tie", 7, 1), (4, "ante", 13, 1)),
            ((1, "ante", 10, 1), (1, "ante", 11, 2), (1, "tie", 3, 2), (3, "tie", 1, 1), (3, "ante", 1, 1)),
        ),
        often="77Q",
        depth=(12, 14),
        cannot=frozenset({"held", "accepted", "splits", "hidden", "carried", "unopened"}),
    ),
    "q_poker": Tables(
        profiles=(profile(game="q_poker"), profile(game="q_poker", equipment="shuffler", seats=9)),
        bets=(
            ((1, "ante", 101, 1), (1, "ante", 30, 2), (1, "pair_plus", 7, 1)),
            ((2, "ante", 25, 1), (5, "pair_plus", 13, 1)),
            ((1, "ante", 10, 1), (1, "ante", 11, 2), (3, "pair_plus", 3, 2), (3, "ante", 1, 3)),
        ),
        often="QQA",
        depth=None,
        cannot=frozenset(
            {
                *("unchanged", "held", "accepted", "inserted", "renamed", "struck"),
                *("splits", "gaps", "cut_cards", "carried", "unopened"),
            }
        ),
    ),
    "three_card_baccarat": Tables(
        profiles=(
            profile(game="three_card_baccarat", decks=2),
            profile(game="three_card_baccarat", decks=2, deal="three_at_a_time", three_figures_win_zero_points=True),
        ),
        bets=(
            ((1, "main", 101, 1), (1, "tie", 7, 1)),
            ((2, "odd", 33, 1), (2, "even", 10, 1), (5, "main", 50, 1), (5, "main", 30, 2)),
            ((1, "main", 10, 1), (1, "points_0", 1, 1), (1, "points_3", 1, 2), (3, "even", 31, 1)),
        ),
        often="JQK",
        depth=(30, 40),
        cannot=frozenset({"held", "accepted", "splits", "unopened"}),
    ),
}
