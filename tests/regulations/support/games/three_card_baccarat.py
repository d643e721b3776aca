"""Three-card baccarat, 22/96/M with 219/96/M, for the tests: where cases begin, articles of the shared cases."""

from typing import Final

from tests.regulations.support.games.kit import GameKit, bets, card, cards, stack_of
from tests.regulations.support.games.ways import CLOSE, Ways
from tests.regulations.support.profiles import Json

WAGER: Final[Json] = {"seat": 1, "bet": "main", "stake": 100}


def _rest(_table: Json) -> list[Json]:
    return [
        *cards("8S", "KS", "QH", "4H", "3H"),
        {"event": "revealed", "who": "seat", "seat": 1},
        {"event": "revealed", "who": "banker"},
    ]


def _further_round(table: Json) -> list[Json]:
    return [bets(WAGER), card("2S"), card("9H"), *_rest(table), CLOSE]


THREE_CARD_BACCARAT: Final = GameKit(
    game="three_card_baccarat",
    law="22/96/M",
    traits=frozenset(
        {"box", "shoe", "cut_card", "initial_burn", "many_rounds", "bets_first", "reassign", "fault_continues"}
    ),
    articles={
        "reshuffle": "3.º-1",
        "missed_cut_card": "3.º-1",
        "cut_card_bound": "T12",
        "equipment_change": "G15",
        "decks": "1.º-1|1.º-2",
        "one_deck": "1.º-2",
        "equipment": "1.º-2",
        "seats": "4.º-1",
        "prepare": "2.º-1",
        "after_load": "2.º-2",
        "cut_card_depth": "2.º-1",
        "initial_burn": "2.º-2",
        "cut_card": "3.º-1",
        "house_end": "3.º-1",
        "cards_returned": "1.º-2",
        "undue_card": "2.º-4",
        "overdrawn": "2.º-4",
        "limits": "G15",
        "misdeal": "2.º-4",
        "void": "2.º-4",
        "bets": "G15",
        "stack": "G12",
        "malfunction": "G12",
        "deal": "2.º-2",
        "round_begins": "T14",
        "decided": "9.º",
    },
    wager=WAGER,
    cut_card_behind=(30, 40),
    preludes=Ways(
        fewest_found=26,
        most_found=44,
        stack=lambda table: stack_of(table, table["options"].get("cut_card_behind", 40)),
        burned=lambda table: int(table["decks"]),
        wager=WAGER,
        rest=_rest,
        further=_further_round,
    ).preludes(),
)
