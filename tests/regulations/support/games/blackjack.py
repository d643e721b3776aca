"""Blackjack, 56/2004, for the tests: ways to a state that a case begins in, articles of the shared cases."""

from typing import Final

from tests.regulations.support.games.kit import GameKit, cards, stack_of
from tests.regulations.support.games.ways import Ways
from tests.regulations.support.profiles import Json

WAGER: Final[Json] = {"seat": 1, "bet": "main", "stake": 100}


def _stack(table: Json) -> list[Json]:
    behind = table["options"].get("cut_card_behind", 30)
    return stack_of(table, behind if table["decks"] > 1 else None)


def _burned(table: Json) -> int:
    return 1 if table["options"].get("initial_burn") == "one" else int(table["decks"])


def _rest(table: Json) -> list[Json]:
    seat: Json = {"event": "revealed", "who": "seat", "seat": 1}
    shows = [seat] if table["options"].get("procedure", "first") == "first" else []
    stands: Json = {"event": "decision", "seat": 1, "action": "stand"}
    if table["equipment"] == "box":
        return [*cards("TS", "KS", "8S"), stands, *shows, {"event": "revealed", "who": "croupier"}]
    return [*cards("TS", "KS"), stands, *shows, *cards("8S")]


BLACKJACK: Final = GameKit(
    game="blackjack",
    law="56/2004",
    traits=frozenset(
        {
            *("box", "shoe", "shuffler_dealer", "cut_card", "initial_burn", "many_rounds", "bets_first"),
            *("reassign", "fault_continues"),
        }
    ),
    articles={
        "reshuffle": "2.º-2(1)",
        "missed_cut_card": "2.º-2(1)",
        "cut_card_bound": "J19",
        "equipment_change": "G15",
        "decks": "1.º-2",
        "one_deck": "1.º-3",
        "equipment": "1.º-3",
        "seats": "3.º-1",
        "prepare": "2.º-1(1)",
        "after_load": "4.º-1",
        "direct": "2.º-1(2)",
        "direct_cut_card": "2.º-1(2)",
        "cut_card_depth": "J19",
        "initial_burn": "4.º-1",
        "cut_card": "2.º-2(1)",
        "house_end": "2.º-2(2)",
        "cards_returned": "2.º-2(4)",
        "undue_card": "5.º-1(2)",
        "overdrawn": "6.º-1",
        "limits": "G15",
        "misdeal": "5.º-1(2)",
        "void": "5.º-1(2)",
        "bets": "13.º-2",
        "stack": "J20",
        "malfunction": "G12",
        "deal": "5.º-1",
        "round_begins": "5.º-1",
        "decided": "7.º-1",
    },
    wager=WAGER,
    cut_card_behind=(30, 104),
    preludes=Ways(fewest_found=26, most_found=108, stack=_stack, burned=_burned, wager=WAGER, rest=_rest).preludes(),
)
