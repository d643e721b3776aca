"""Where bettors on a hand ended differently, felt, board and terminal tell each of them."""

from typing import Any, Final

from cardshoe.screens.felt.felt import felt_of
from cardshoe.screens.felt.players_board import board_of
from cardshoe.screens.view import TableView
from cardshoe.screens.view.parts import Profile, RoundOutcome, RoundView
from cardshoe.screens.words.currency import currency
from cardshoe.table.terminal.results_text import result_text
from regulations.events.codec import result_of
from regulations.games.registry import SHEETS

RESULT: Final[dict[str, Any]] = {
    "croupier": {"cards": ["KS", "9S"], "points": 19, "blackjack": False, "bust": False},
    "hands": [
        {"seat": 3, "hand": 1, "cards": ["TH", "TS"], "points": 20, "outcome": "win"},
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


def test_felt_board_and_terminal_tell_each_of_them() -> None:
    profile = Profile(table_id="T", game="blackjack", decks=6, seats=7, equipment="shoe")
    view = TableView(
        profile=profile,
        round=RoundView(number=1, seats=[3, 4], result=RESULT),
        results=[RoundOutcome(round=1, result=RESULT)],
    )
    seats = felt_of(view, currency("MOP")).seats
    assert [hand.endings for seat in seats[2:4] for hand in seat.hands] == [
        [(0, "win")],
        [(1, "lose"), (2, "surrendered")],
    ]
    assert board_of(view, currency("MOP")).results[-1].hands == [
        ("3", "win", "+"),
        ("4·1", "lose", "−"),
        ("4·2", "surrendered", "−"),
    ]
    told = [*result_text(result_of(SHEETS["blackjack"].result, RESULT))]
    assert [line.rpartition(")")[2] for line in told] == ["", " win", " bettor 1 lose, bettor 2 surrendered"]
