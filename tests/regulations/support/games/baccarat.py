"""Baccarat, 55/2004, for the tests: ways to a state that a case begins in, articles of the shared cases."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from tests.regulations.support.games.kit import GameKit, card, cards, stack_of
from tests.regulations.support.games.ways import BURN_CARDS, CLOSE, Ways
from tests.regulations.support.profiles import Json

ROUND: Final = ("9H", "3D", "KS", "4C")
"""Player 9, banker 7: a natural, the example of the table log."""
KEPT: Final = (
    ("KS", "9S"),
    ("KH", "9H"),
    ("KD", "9D"),
    ("KC", "9C"),
    ("QS", "8S"),
    ("QH", "8H"),
    ("2S", "4S"),
    ("2H", "4H"),
    ("AS", "5S"),
    ("AH", "5H"),
    ("3S", "3H"),
    ("TS", "7S"),
    ("TH", "6H"),
)
"""The cards that :func:`to_the_cut_card` leaves in six decks: one copy of each of these 26."""
SUITS: Final = "SHDC"
LEFT: Final = {"eight": 8, "nine": 9, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "thirty_one": 31}
"""Preludes ``NAME_left``: between rounds, so many cards of six decks are left."""


def stack(table: Json) -> list[Json]:
    """Everything before the initial burn."""
    return stack_of(table, table["options"].get("cut_card_behind", 14))


def ready(table: Json) -> list[Json]:
    """A table whose first round may begin: eight burned cards from eight decks; an ace and one card by value."""
    if table["equipment"] == "shuffler_dealer":
        return stack(table)
    if table["options"].get("initial_burn") == "first_card_value":
        return [*stack(table), *cards("AC", "2C")]
    return [*stack(table), *cards(*BURN_CARDS[: table["decks"]])]


def blocked_and_empty(table: Json) -> list[Json]:
    """Every card of the stack that is still to come, while a fault is open, and each of them burned."""
    fault = {"device": "shoe", "code": 7}
    out = 2
    names = [f"{rank}{suit}" for suit in SUITS for rank in "A23456789TJQK" for _ in range(table["decks"])][out:]
    return [
        {"event": "fault", **fault},
        *cards(*names),
        {"event": "fault_cleared", **fault},
        {"event": "resolve", "irregularity": 1, "action": "continue", "by": ["croupier"]},
        *(
            {"event": "resolve", "irregularity": number, "action": "burn", "by": ["croupier"]}
            for number in range(2, 1 + len(names))
        ),
    ]


def dull_round(table: Json) -> list[Json]:
    """A round without wagers that player wins with a natural; ``face_down``: with its reveals."""
    return [*_dealt(table, ROUND), CLOSE]


def _dealt(table: Json, names: tuple[str, ...]) -> list[Json]:
    shows: list[Json] = []
    if table["options"].get("deal") == "face_down":
        shows = [{"event": "revealed", "who": who} for who in ("player", "banker")]
    return [*cards(*names), *shows]


def _standing_pairs() -> Iterator[tuple[str, str]]:
    for _ in range(6):
        for suit in SUITS:
            for ten, pip in (("K", "9"), ("Q", "8"), ("J", "7"), ("T", "6"), ("A", "5"), ("2", "4")):
                yield f"{ten}{suit}", f"{pip}{suit}"
    for _ in range(6):
        yield "3S", "3H"
        yield "3D", "3C"


def to_the_cut_card(table: Json) -> list[Json]:
    """A six-deck shoe in which 286 cards are out: six burned, 70 rounds of four. Those of :data:`KEPT` are left."""
    left = [name for pair in KEPT for name in pair]
    pool: list[str] = []
    for one, other in _standing_pairs():
        for name in (one, other):
            if name in left:
                left.remove(name)
            else:
                pool.append(name)
    inputs = [*stack_of(table, table["options"].get("cut_card_behind", 26)), *cards(*(pool.pop() for _ in range(6)))]
    tens = [name for name in pool if name[0] in "TJQK"]
    pips = {rank: [name for name in pool if name[0] == rank] for rank in "A23456789"}
    pairs = _pair_off(tens, pips)
    burns = table["options"].get("round_burn", False)
    for number in range(56 if burns else 70):
        if burns and number:
            inputs.append(card(pairs[111 + (number + 1) // 2][number % 2]))
        (p1, p2), (b1, b2) = pairs[2 * number : 2 * number + 2]
        inputs += [*_dealt(table, (p1, b1, p2, b2)), CLOSE]
    return inputs


def _pair_off(tens: list[str], pips: dict[str, list[str]]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for ranks in (("A", "5"), ("2", "4"), ("3", "3")):
        one, other = pips[ranks[0]], pips[ranks[1]]
        while one and other and len(one) + len(other) > 1 + (one is other):
            pairs.append((one.pop(), other.pop()))
    for rank in "6789":
        while tens and pips[rank]:
            pairs.append((tens.pop(), pips[rank].pop()))
    return pairs


def near_the_cut_card(table: Json, less: int = 0) -> list[Json]:
    """As many cards are out as by :func:`to_the_cut_card`, or some less; most of them in a gap that voided a round."""
    out = (285 if table["options"].get("round_burn") else 286) - less
    burned = [{**card(name), "count": count} for count, name in enumerate(BURN_CARDS[:6], start=1)]
    void = {"event": "resolve", "irregularity": 1, "action": "void", "by": ["croupier", "pit"]}
    return [
        *stack_of(table, table["options"].get("cut_card_behind", 26)),
        *burned,
        {**card("9H"), "count": out},
        void,
        CLOSE,
    ]


def left_over(table: Json, left: int) -> list[Json]:
    """Between rounds, so many cards are left."""
    return near_the_cut_card(table, less=left - (27 if table["options"].get("round_burn") else 26))


def one_before_the_cut_card(table: Json) -> list[Json]:
    """As :func:`near_the_cut_card`, but one card less is out: a round waits for its fourth card."""
    return [*near_the_cut_card(table, less=4), *cards("KC", "QC", "9C")]


def _burned(table: Json) -> int:
    return 0 if table["equipment"] == "shuffler_dealer" else int(table["decks"])


WAGER: Final[Json] = {"seat": 1, "bet": "player", "stake": 100}
BACCARAT: Final = GameKit(
    game="baccarat",
    law="55/2004",
    traits=frozenset(
        {
            *("shoe", "shuffler_dealer", "authorised_equipment", "cut_card", "initial_burn", "many_rounds"),
            *("reassign", "exclusions", "demonstrations", "fault_continues"),
        }
    ),
    articles={
        "reshuffle": "3.º-1",
        "missed_cut_card": "B6",
        "cut_card_bound": "B3",
        "equipment_change": "3.º-2",
        "decks": "1.º-1",
        "equipment": "1.º",
        "seats": "1.º-5",
        "authorisation": "19.º|7.º-2|G4a|G4b",
        "prepare": "2.º-1",
        "after_load": "2.º-1",
        "direct": "2.º-3",
        "direct_cut_card": "B16",
        "cut_card_depth": "B3",
        "initial_burn": "2.º-1",
        "cut_card": "3.º-1",
        "house_end": "G15",
        "cards_returned": "7.º-2",
        "undue_card": "B11",
        "overdrawn": "9.º-4(6)",
        "limits": "14.º",
        "misdeal": "10.º",
        "void": "10.º",
        "bets": "G15",
        "stack": "G12",
        "malfunction": "G12",
        "deal": "7.º-1",
        "round_begins": "7.º-1",
        "decided": "7.º-1",
    },
    wager=WAGER,
    cut_card_behind=(12, 26),
    preludes={
        **Ways(
            fewest_found=8,
            most_found=30,
            stack=stack,
            burned=_burned,
            wager=WAGER,
            rest=lambda table: _dealt(table, ROUND)[1:],
        ).preludes(),
        "stack_for_a_shoe": lambda table: stack({**table, "equipment": "shoe"}),
        "ready": ready,
        "round": dull_round,
        "further_round": dull_round,
        "blocked_and_empty": blocked_and_empty,
        "to_the_cut_card": to_the_cut_card,
        "near_the_cut_card": near_the_cut_card,
        "one_before_the_cut_card": one_before_the_cut_card,
        **{f"{name}_left": partial(left_over, left=left) for name, left in LEFT.items()},
    },
)
PRELUDES: Final = BACCARAT.preludes
"""The preludes of a case of baccarat, by their names in the notation."""
