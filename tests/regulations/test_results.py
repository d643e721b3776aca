"""What the verdicts of the games say of each hand, to whoever shows them."""

from typing import Any

import pytest

from regulations.events.codec import result_of
from regulations.events.outputs import Next, ShoeOver, kind_of
from regulations.events.results import HandShown, Result
from regulations.games.registry import SHEETS

BACCARAT = {
    "outcome": "banker",
    "points": {"player": 5, "banker": 8},
    "cards": {"player": ["2D", "3C"], "banker": ["4S", "4H"]},
    "natural": True,
    "pairs": ["banker"],
}
TIE = {**BACCARAT, "outcome": "tie", "natural": False, "pairs": []}
BLACKJACK = {
    "croupier": {"cards": ["KS", "AS"], "points": 21, "blackjack": True, "bust": False},
    "hands": [
        {"seat": 3, "hand": 2, "cards": ["9D", "9C"], "points": 18, "outcome": "lose"},
        {
            "seat": 4,
            "hand": 1,
            "cards": ["TD", "6C"],
            "points": 16,
            "outcome": "lose",
            "bettors": [{"id": 1, "outcome": "lose"}, {"id": 2, "outcome": "surrendered"}],
        },
    ],
}
BUST = {"croupier": {"cards": ["KS", "6S", "TS"], "points": 26, "blackjack": False, "bust": True}, "hands": []}
WAR = {
    "croupier": "9H",
    "seats": [
        {"seat": 1, "card": "9S", "war": ["2H"], "outcome": "war_lose"},
        {
            "seat": 4,
            "card": "9D",
            "outcome": "surrendered",
            "bettors": [{"id": 1, "outcome": "surrendered"}, {"id": 2, "outcome": "war_win"}],
        },
    ],
    "croupier_war": ["KH"],
}
EQUAL = {"croupier": "9H", "seats": []}
POKER = {
    "croupier": {"cards": ["9H", "4C", "2D"], "category": "odd_cards", "qualifies": False},
    "seats": [
        {"seat": 1, "cards": ["QS", "JS", "TS"], "category": "straight_flush", "outcome": "not_qualified"},
        {"seat": 2, "cards": ["4D", "4H", "8C"], "category": "pair"},
        {
            "seat": 5,
            "cards": ["9C", "2H", "2S"],
            "category": "pair",
            "outcome": "folded",
            "bettors": [{"id": 1, "outcome": "folded"}, {"id": 2, "outcome": "not_qualified"}],
        },
    ],
}
QUALIFIES = {"croupier": {"cards": ["QH", "4C", "2D"], "category": "odd_cards", "qualifies": True}, "seats": []}
THREE = {
    "banker": {"cards": ["KS", "KH", "KD"], "combination": 1, "points": None},
    "seats": [{"seat": 6, "cards": ["9S", "KH", "TD"], "combination": 4, "outcome": "lose"}],
}
NINE = {"banker": {"cards": ["9S", "KH", "TD"], "combination": 4, "points": 9}, "seats": []}


@pytest.mark.law
@pytest.mark.parametrize(
    ("game", "members", "hands"),
    [
        (
            "baccarat",
            BACCARAT,
            [
                HandShown("player", ["2D", "3C"], 0, 0, "5 ({cards})", 5, "", ()),
                HandShown("banker", ["4S", "4H"], 0, 0, "8 ({cards})", 8, "win", ()),
            ],
        ),
        (
            "baccarat",
            TIE,
            [
                HandShown("player", ["2D", "3C"], 0, 0, "5 ({cards})", 5, "tie", ()),
                HandShown("banker", ["4S", "4H"], 0, 0, "8 ({cards})", 8, "tie", ()),
            ],
        ),
        (
            "blackjack",
            BLACKJACK,
            [
                HandShown("croupier", ["KS", "AS"], 0, 0, "21 BLACKJACK ({cards})", 21, "", ()),
                HandShown("seat", ["9D", "9C"], 3, 2, "18 ({cards})", 18, "lose", []),
                HandShown("seat", ["TD", "6C"], 4, 1, "16 ({cards})", 16, "lose", [(1, "lose"), (2, "surrendered")]),
            ],
        ),
        ("blackjack", BUST, [HandShown("croupier", ["KS", "6S", "TS"], 0, 0, "26 bust ({cards})", 26, "", ())]),
        (
            "casino_war",
            WAR,
            [
                HandShown("croupier", ["9H", "KH"], 0, 0, "{first}, challenged {rest}", None, "", ()),
                HandShown("seat", ["9S", "2H"], 1, 1, "{cards}", None, "war_lose", []),
                HandShown("seat", ["9D"], 4, 1, "{cards}", None, "surrendered", [(1, "surrendered"), (2, "war_win")]),
            ],
        ),
        ("casino_war", EQUAL, [HandShown("croupier", ["9H"], 0, 0, "{cards}", None, "", ())]),
        (
            "q_poker",
            POKER,
            [
                HandShown("croupier", ["9H", "4C", "2D"], 0, 0, "odd cards ({cards}), does not qualify", None, "", ()),
                HandShown("seat", ["QS", "JS", "TS"], 1, 1, "straight flush ({cards})", None, "not_qualified", []),
                HandShown("seat", ["4D", "4H", "8C"], 2, 1, "pair ({cards})", None, "", []),
                HandShown(
                    "seat",
                    ["9C", "2H", "2S"],
                    5,
                    1,
                    "pair ({cards})",
                    None,
                    "folded",
                    [(1, "folded"), (2, "not_qualified")],
                ),
            ],
        ),
        ("q_poker", QUALIFIES, [HandShown("croupier", ["QH", "4C", "2D"], 0, 0, "odd cards ({cards})", None, "", ())]),
        (
            "three_card_baccarat",
            THREE,
            [
                HandShown("banker", ["KS", "KH", "KD"], 0, 0, "three figures, combination 1 ({cards})", None, "", ()),
                HandShown("seat", ["9S", "KH", "TD"], 6, 1, "combination 4 ({cards})", None, "lose", ()),
            ],
        ),
        (
            "three_card_baccarat",
            NINE,
            [HandShown("banker", ["9S", "KH", "TD"], 0, 0, "9, combination 4 ({cards})", 9, "", ())],
        ),
    ],
)
def test_every_hand_of_a_verdict(game: str, members: dict[str, Any], hands: list[HandShown]) -> None:
    assert [*result_of(SHEETS[game].result, members).shown()] == hands


@pytest.mark.law
@pytest.mark.parametrize(
    ("game", "members", "outcomes"),
    [
        ("baccarat", BACCARAT, ["banker"]),
        ("blackjack", BLACKJACK, ["lose", "lose", "surrendered"]),
        ("casino_war", WAR, ["war_lose", "surrendered", "war_win"]),
        ("q_poker", POKER, ["not_qualified", "folded", "not_qualified"]),
        ("three_card_baccarat", THREE, ["lose"]),
    ],
)
def test_each_hand_has_one_outcome_and_bettors_who_ended_differently_their_own(
    game: str, members: dict[str, Any], outcomes: list[str]
) -> None:
    assert [*result_of(SHEETS[game].result, members).outcomes()] == outcomes


@pytest.mark.law
def test_a_hand_ends_once_for_all_or_for_each_bettor() -> None:
    endings = [one.endings for one in result_of(SHEETS["casino_war"].result, WAR).shown()]
    assert endings == [(), [(0, "war_lose")], [(1, "surrendered"), (2, "war_win")]]


@pytest.mark.law
@pytest.mark.parametrize(
    ("game", "members", "headline", "winner"),
    [
        ("baccarat", BACCARAT, "BANKER wins (natural, banker pair)", "banker"),
        ("baccarat", TIE, "TIE", "tie"),
        ("blackjack", BLACKJACK, "", None),
        ("q_poker", POKER, "", None),
    ],
)
def test_a_game_of_two_sides_has_a_verdict_for_all(
    game: str, members: dict[str, Any], headline: str, winner: str | None
) -> None:
    result = result_of(SHEETS[game].result, members)
    assert (result.headline, result.winner) == (headline, winner)


@pytest.mark.law
def test_every_games_verdict_is_one_kind_of_output() -> None:
    verdict = result_of(SHEETS["baccarat"].result, BACCARAT)
    assert [kind_of(one) for one in (verdict, ShoeOver(cards_seen=1, cards_left=0), Next(do="draw"))] == [
        Result,
        ShoeOver,
        Next,
    ]
