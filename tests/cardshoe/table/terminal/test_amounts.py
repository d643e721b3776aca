"""The law's details of refused wagers, each as the law says it, in currencies with other minor digits."""

from typing import Final

import pytest

from cardshoe.screens.words.currency import currency
from cardshoe.table.terminal.amounts import amounts_in
from regulations.events.inputs import Wager
from regulations.games.baccarat.snapshot import BaccaratSnapshot
from regulations.games.baccarat.tie_hold import TieHold
from regulations.law import stakes
from tests.regulations.support.games.casino_war import CASINO_WAR
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import decoded, lead, shown

LIMITS: Final = {"tie": {"least": 100, "most": 5000}}


def wager(stake: int, bet: str = "tie") -> Wager:
    return Wager(seat=1, bet=bet, stake=stake)


def held(*wagers: Wager) -> str | None:
    """The message about stakes that stood in a tie and are changed where they may only stand."""
    hold = TieHold(BaccaratSnapshot())
    hold.begin(wagers)
    changed = [wager(one.stake * 2, one.bet) for one in wagers if isinstance(one.stake, int)]
    return hold.fault({1}, changed, ["keep"], is_tracked=True)


def challenged() -> str:
    """The message about a challenge that names another raise than the ante."""
    table = profile(game="casino_war")
    to_decide = [
        *CASINO_WAR.preludes["ready"](table),
        {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "ante", "stake": 12345}]},
        *({"event": "card", "card": card} for card in ("9H", "9D")),
    ]
    procedure = lead(table, tuple(to_decide))
    said = shown(procedure.apply(decoded({"event": "decision", "seat": 1, "action": "challenge", "amount": 1})))
    return str(said[0]["detail"])


@pytest.mark.parametrize(
    ("detail", "yen", "dinar"),
    [
        (stakes.missing([wager(0)]), "seat 1, tie: 0 JPY", "seat 1, tie: 0.000 KWD"),
        (stakes.missing([wager(-7)]), "seat 1, tie: -7 JPY", "seat 1, tie: -0.007 KWD"),
        (
            stakes.beyond(LIMITS, [wager(50)]),
            "seat 1, tie: 50 JPY, the least is 100 JPY",
            "seat 1, tie: 0.050 KWD, the least is 0.100 KWD",
        ),
        (
            stakes.beyond(LIMITS, [wager(12345)]),
            "seat 1, tie: 12,345 JPY, the most is 5,000 JPY",
            "seat 1, tie: 12.345 KWD, the most is 5.000 KWD",
        ),
        (
            stakes.unexpected_stake([wager(50)]),
            "seat 1, tie: 50 JPY; leave `stake` out",
            "seat 1, tie: 0.050 KWD; leave `stake` out",
        ),
        (
            held(wager(100, "player"), wager(2000, "banker")),
            "seat 1: player 100 JPY and banker 2,000 JPY stood in the tie, this table lets keep it",
            "seat 1: player 0.100 KWD and banker 2.000 KWD stood in the tie, this table lets keep it",
        ),
        (
            challenged(),
            "the raise equals the ante: a challenge adds 12,345 JPY, to surrender none",
            "the raise equals the ante: a challenge adds 12.345 KWD, to surrender none",
        ),
    ],
    ids=["none", "less than none", "below", "above", "told", "held", "raise"],
)
def test_amounts_follow_the_currency(detail: str, yen: str, dinar: str) -> None:
    assert amounts_in(currency("JPY"), detail) == yen
    assert amounts_in(currency("KWD"), detail) == dinar


@pytest.mark.parametrize(
    "detail",
    [
        "seat 12, the table has 1 to 7",
        "seat 3 hand 2 is asked",
        "8 cards, 6 decks have 312",
        "at most 14",
        "player stood in the tie, this table lets keep it",
    ],
)
def test_other_numbers_are_left_alone(detail: str) -> None:
    assert amounts_in(currency("JPY"), detail) == detail
