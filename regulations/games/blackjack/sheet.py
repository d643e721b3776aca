"""The sheet of blackjack."""

from typing import Final

from regulations.events.vocabulary import EquipmentKind, Holder
from regulations.games.blackjack.law import LAW, SIDE_BETS
from regulations.games.blackjack.ranking import points_of
from regulations.games.blackjack.result import BlackjackResult
from regulations.games.blackjack.settlement import PAYOUTS
from regulations.law.sheet import BetLaw, Choice, GameWords, Layout, Options, Sheet

HIDDEN: Final = 2
"""Cards of a hand in the first procedure; of the croupier's, from a box, the second."""


def _lies_open(owner: Holder, at: int, options: Options, kind: EquipmentKind, split: bool) -> bool:  # noqa: FBT001  a layout's form
    """56/2004 art. 5.º-2."""
    if owner == "croupier":
        return kind != "box" or at != HIDDEN
    return split or options.get("procedure") == "second" or at > HIDDEN


def _insurance(main: int, options: Options) -> tuple[int, int]:
    half = (main + 1) // 2
    return {"half": (half, half), "full": (main, main)}.get(options.get("insurance", ""), (half, main))


SHEET: Final = Sheet(
    law=LAW,
    result=BlackjackResult,
    bets=BetLaw(
        main="main",
        first=("main",),
        side=SIDE_BETS,
        needs=dict.fromkeys(SIDE_BETS, "main"),
        usual="main",
        payouts=PAYOUTS,
        own_ends=(frozenset({"over_13"}), frozenset({"under_13"})),
    ),
    choices=(
        Choice(name="hit", says="hit"),
        Choice(name="stand", says="stand", decided="Hand stood"),
        Choice(name="double", says="double", decided="Hand doubled", raises="all"),
        Choice(
            name="split",
            says="split",
            decided="Hand split",
            splits=True,
            beside="any_pair",
            beside_says="split, with a wager on the pair",
        ),
        Choice(name="surrender", says="surrender", aside="Seat %(seat)s: surrender"),
        Choice(
            name="insurance",
            says="take insurance",
            aside="Seat %(seat)s: insurance",
            adds="insurance",
            amounts=_insurance,
            amount_says="insurance of %(amount)s",
        ),
        Choice(name="even_money", says="even money", aside="Seat %(seat)s: even money"),
        Choice(name="half_pay", says="half pay", aside="Seat %(seat)s: half pay"),
    ),
    layout=Layout(
        tops=("croupier",),
        cards=2,
        bands=(("under_13",), ("over_13",), ("sevens",), ("any_pair",), ("main",)),
        lies_open=_lies_open,
        points=points_of,
    ),
    words=GameWords(
        title="Blackjack",
        short="BJ",
        bets={
            "main": "Main wager",
            "insurance": "Insurance",
            "any_pair": "Any pair",
            "sevens": "Sevens",
            "over_13": "Over 13",
            "under_13": "Under 13",
        },
        outcomes={
            "win": ("wins", "+"),
            "lose": ("loses", "−"),
            "stand": ("stand-off", "="),
            "blackjack": ("blackjack", "+"),
            "bust": ("bust", "−"),
            "surrendered": ("surrendered", "−"),
            "half_paid": ("half paid", "+"),
            "even_money": ("even money", "+"),
            "special": ("special", "+"),
        },
    ),
)
