"""Casino war, 74/2005, for the tests: ways to a state that a case begins in, articles of the shared cases."""

from typing import Final

from tests.regulations.support.games.kit import GameKit, bets, cards, stack_of
from tests.regulations.support.games.ways import CLOSE, Ways
from tests.regulations.support.profiles import Json

WAGER: Final[Json] = {"seat": 1, "bet": "ante", "stake": 100}


def _stack(table: Json) -> list[Json]:
    return stack_of(table, table["options"].get("cut_card_behind", 12))


CASINO_WAR: Final = GameKit(
    game="casino_war",
    law="74/2005",
    traits=frozenset(
        {"shoe", "shuffler_dealer", "cut_card", "many_rounds", "bets_first", "reassign", "fault_continues"}
    ),
    articles={
        "reshuffle": "2.º-1",
        "missed_cut_card": "W5",
        "cut_card_bound": "W9",
        "equipment_change": "G15",
        "decks": "1.º-1",
        "equipment": "1.º-2",
        "seats": "1.º-5",
        "prepare": "2.º-1",
        "after_load": "5.º-1",
        "direct": "2.º-2",
        "direct_cut_card": "2.º-2",
        "cut_card_depth": "W9",
        "cut_card": "W5",
        "house_end": "G15",
        "cards_returned": "W10",
        "undue_card": "6.º",
        "overdrawn": "6.º",
        "limits": "G15",
        "misdeal": "6.º",
        "void": "6.º",
        "bets": "5.º-1",
        "stack": "G12",
        "malfunction": "G12",
        "deal": "5.º-2",
        "round_begins": "5.º-1",
        "decided": "7.º",
    },
    wager=WAGER,
    cut_card_behind=(12, 14),
    preludes=Ways(
        fewest_found=6,
        most_found=20,
        stack=_stack,
        burned=lambda _table: 0,
        wager=WAGER,
        rest=lambda _table: cards("8S"),
        further=lambda _table: [bets(WAGER), *cards("QH", "TS"), CLOSE],
    ).preludes(),
)
