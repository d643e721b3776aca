"""Examples of typed inputs for this table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from cardshoe.table.terminal.input_context import Situation

Example = Callable[[Situation], str]
OTHER: Final = 3


def bets_example(now: Situation, verb: str = "bets") -> str:
    main = now.main_bet
    side = next(bet for bet in now.bets if bet != main)
    more = [OTHER] if now.table.seats >= OTHER else []
    if not now.stakes_known:
        return " ".join([verb, f"1:{main}", f"1:{side}", *map(str, more)])
    first = [verb, f"1:{main}:100", f"1:{side}:{now.currency.example}"]
    return " ".join(first + [f"{seat}:{main}:200" for seat in more])


def _decision(now: Situation) -> str:
    return f"decision 2 {now.decisions[0] if now.decisions else 'hit'}"


def _corrected(now: Situation) -> str:
    stake = ":10" if now.stakes_known else ""
    return f'bets_corrected 1:{now.main_bet}{stake} "a zero too many" by 7 8'


def _device(now: Situation) -> str:
    return now.devices[0] if now.devices else "shoe"


EXAMPLES: Final[Mapping[str, Example]] = {
    "bets_closed": bets_example,
    "bets_corrected": _corrected,
    "bettor_left": lambda _: "bettor_left 2 by 7 8",
    "card": lambda _: "card 9h",
    "cards_returned": lambda _: "cards_returned 6",
    "closed": lambda _: "closed",
    "cut": lambda _: "cut player",
    "cut_card": lambda _: "cut_card",
    "cut_card_placed": lambda now: f"cut_card_placed {max(now.game.law.cut_card_behind[0], 0)}",
    "decision": _decision,
    "demonstration": lambda _: "demonstration",
    "device_readmitted": lambda now: f"device_readmitted {_device(now)} by 7 8",
    "equipment": lambda now: f"equipment {now.table.equipment}",
    "dispute": lambda _: 'dispute "seat 3 claims to have stood"',
    "exposed": lambda _: "exposed seat 2 cards=9h",
    "loaded": lambda now: f"loaded {52 * now.table.decks}",
    "misdeal": lambda _: 'misdeal "two cards for the banker"',
    "resolve": lambda _: "resolve 1 continue by 7",
    "revealed": lambda _: "revealed seat 2 cards=9h,2c,kd",
    "round_closed": lambda _: "round_closed",
    "shoe_ended": lambda _: "shoe_ended house",
    "shuffled": lambda _: "shuffled croupier",
    "stack_counted": lambda _: "stack_counted 30",
    "supervisor_called": lambda _: 'supervisor_called "a bet came late"',
    "void": lambda _: 'void malfunction by 7 8 "power cut"',
}
"""Other events are refused here (``regulations.events.origins``)."""
FURTHER: Final[Mapping[str, Sequence[str]]] = {
    "bets_closed": ('bets_closed 1 [{"seat":1,"bet":"tie","stake":5000}]    a stake here is of minor units',),
    "card": ("card null unseen=true    a card that is not read",),
    "shoe_ended": ('shoe_ended other "water on the layout"    another reason, in words',),
    "resolve": (
        "continue 2 by 7",
        "burn by 7    the irregularity that comes first",
        "enter_bets 2 1:player:50.00 by 7 8    the wagers that lay there when the card left",
        "identify 2 9h by 7 8    the card is what two persons say",
        "identify 2 3=9h misread by 7 8    in a misdeal: the device read it wrongly",
        "identify 2 3=9h after3=kd 5=none by 7 8    in a misdeal: renamed, never reported, never left",
        "reassign 2 3 4 foreign by 7 8    in a misdeal: these cards of the round do not count",
        "reassign 2 by 7 8    in a misdeal: all is right",
        "end_shoe 2 by 7 8",
        "settle 2 by 7 8    the dispute is settled, and play continues",
        "void 2 by 7 8",
    ),
    "void": ('void misdeal by 7 8 "two cards fell"',),
}


def example_of(name: str, now: Situation) -> str:
    return EXAMPLES[name](now) if name in EXAMPLES else ""


def typed(example: str) -> str:
    return example.partition("    ")[0]
