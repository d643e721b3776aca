"""Q poker, 89/2004, for the tests: ways to a state that a case begins in, articles of the shared cases."""

from typing import Final

from tests.regulations.support.games.kit import GameKit, card, cards, stack_of
from tests.regulations.support.games.ways import Ways
from tests.regulations.support.profiles import Json

WAGER: Final[Json] = {"seat": 1, "bet": "ante", "stake": 100}


def _rest(_table: Json) -> list[Json]:
    return [
        *cards("8S", "KS", "QH", "4H", "3H"),
        {"event": "revealed", "who": "seat", "seat": 1},
        {"event": "decision", "seat": 1, "action": "play"},
        {"event": "revealed", "who": "croupier"},
    ]


def _few_left(table: Json) -> list[Json]:
    names = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"][:-6]
    resolve: Json = {"event": "resolve", "action": "burn", "by": ["croupier"]}
    burned = [[card(name), {**resolve, "irregularity": number}] for number, name in enumerate(names, start=1)]
    return [*WAYS.stack(table), *(given for both in burned for given in both)]


WAYS: Final = Ways(
    fewest_found=0,
    most_found=4,
    stack=lambda table: stack_of(table, 0, cut_by="croupier"),
    burned=lambda _table: 0,
    wager=WAGER,
    rest=_rest,
)
Q_POKER: Final = GameKit(
    game="q_poker",
    law="89/2004",
    traits=frozenset({"shoe", "shuffler", "bets_first", "fault_continues"}),
    articles={
        "reshuffle": "3.º",
        "missed_cut_card": "3.º-1",
        "cut_card_bound": "3.º-1",
        "equipment_change": "G15",
        "decks": "1.º-1|Q6",
        "equipment": "1.º-2",
        "seats": "2.º-1",
        "prepare": "3.º-1",
        "after_load": "5.º-1",
        "direct": "3.º-2",
        "cut_card_depth": "3.º-1",
        "house_end": "G15",
        "cards_returned": "1.º-2",
        "undue_card": "G7",
        "overdrawn": "G7",
        "limits": "G15",
        "misdeal": "11.º-1",
        "void": "11.º-1",
        "bets": "6.º-2",
        "stack": "G12",
        "malfunction": "G12",
        "cut_card": "Q6",
        "deal": "7.º-1",
        "round_begins": "5.º-1",
        "decided": "9.º",
    },
    wager=WAGER,
    cut_card_behind=(0, 0),
    preludes={**WAYS.preludes(), "few_left": _few_left},
)
