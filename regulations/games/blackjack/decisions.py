"""Decisions about a hand, and the objections (56/2004 arts. 6.º, 10.º, 12.º, 16.º–19.º).

``next`` offers the actions without objection.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from regulations.events.cards import Card
from regulations.events.vocabulary import DecisionAction, RefusalCode
from regulations.games.blackjack.law import art
from regulations.games.blackjack.ranking import (
    DOUBLE_ON,
    FIVE_CARDS,
    INITIAL_CARDS,
    TWENTY_ONE,
    is_ace,
    is_blackjack,
    is_pair,
    is_ten,
    points_of,
)
from regulations.law.stakes import BEYOND, OURS, are_recorded, beyond_limit

ACTIONS: Final[tuple[DecisionAction, ...]] = (
    "hit",
    "stand",
    "double",
    "split",
    "surrender",
    "insurance",
    "even_money",
    "half_pay",
)


class HandView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A hand that decides.

    Attributes:
        cards: ``None``: not known or not to be disclosed.
        may_insure: by reading J28.
        declined: it has played on such a pair (art. 16.º-5).
    """

    size: int
    is_hidden: bool
    cards: Sequence[Card] | None
    least: int
    is_split: bool
    of_aces: bool
    hands: int
    may_insure: bool
    is_insured: bool
    declined: bool
    bank: Card
    more_cards: bool
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionStakes:
    amount: int | None
    any_pair: int | None
    main: int


@dataclass(frozen=True, slots=True)
class Objection:
    action: DecisionAction
    asks: Callable[..., bool]
    code: RefusalCode
    article: str
    says: str
    also: tuple[str, ...] = ()
    of_money: bool = False

    @property
    def name(self) -> str:
        return f"{self.action}{self.asks.__name__}"


# --- questions about the hand ---------------------------------------------------------------------------------------


def _with_21(view: HandView) -> bool:
    return view.least >= TWENTY_ONE or (view.cards is not None and points_of(view.cards) >= TWENTY_ONE)


def _of_split_aces(view: HandView) -> bool:
    return view.of_aces


def _without_two_cards(view: HandView) -> bool:
    return view.size != INITIAL_CARDS


def _unseen(view: HandView) -> bool:
    return view.is_hidden


def _unseen_for_11(view: HandView) -> bool:
    return view.is_hidden and view.options["double"] == "eleven_only"


def _without_11(view: HandView) -> bool:
    return view.options["double"] == "eleven_only" and view.cards is not None and points_of(view.cards) != DOUBLE_ON


def _without_pair(view: HandView) -> bool:
    return view.cards is not None and not is_pair(view.cards)


def _aces_stay(view: HandView) -> bool:
    return view.of_aces and not view.options["resplit_aces"]


def _no_second_split(view: HandView) -> bool:
    return view.is_split and not view.of_aces and not view.options["resplit"]


def _played_on(view: HandView) -> bool:
    return view.declined


def _into_too_many_hands(view: HandView) -> bool:
    return bool(view.hands >= view.options["max_split_hands"])


def _against_ace(view: HandView) -> bool:
    return is_ace(view.bank)


def _after_own_card(view: HandView) -> bool:
    return view.options["surrender_before"] == "own_card" and view.size > INITIAL_CARDS


def _after_any_card(view: HandView) -> bool:
    return view.options["surrender_before"] == "any_card" and view.more_cards


def _without_blackjack(view: HandView) -> bool:
    lacks = view.cards is not None and not is_blackjack(view.cards)
    return view.is_split or view.size != INITIAL_CARDS or lacks


def _without_ace(view: HandView) -> bool:
    return not is_ace(view.bank)


def _after_a_decision(view: HandView) -> bool:
    return not view.may_insure


def _twice(view: HandView) -> bool:
    return view.is_insured


def _against_low_card(view: HandView) -> bool:
    return not is_ace(view.bank) and not is_ten(view.bank)


def _without_five_cards(view: HandView) -> bool:
    return view.size != FIVE_CARDS


# --- questions about the money --------------------------------------------------------------------------------------


def insurance_of(main: int, option: str) -> tuple[int, int]:
    """Least and most that may insure a wager (art. 12.º-1); half is rounded up (reading J27)."""
    half = (main + 1) // 2
    if option == "half":
        return half, half
    return (main if option == "full" else half), main


def _without_amount(view: HandView, stakes: DecisionStakes) -> bool:
    return are_recorded(view.options) and (stakes.amount is None or stakes.amount < 1)


def _outside(view: HandView, stakes: DecisionStakes) -> bool:
    least, most = insurance_of(stakes.main, view.options["insurance"])
    return stakes.amount is not None and not least <= stakes.amount <= most


def _with_pair_wager_of_nothing(view: HandView, stakes: DecisionStakes) -> bool:  # noqa: ARG001  # the same form for all
    return stakes.any_pair == 0


def _with_pair_wager_beyond_limits(view: HandView, stakes: DecisionStakes) -> bool:
    pair = stakes.any_pair
    return pair is not None and beyond_limit(view.options["limits"], "any_pair", pair) is not None


# --- the objections -------------------------------------------------------------------------------------------------

TWO_CARDS: Final = "it is done on the first two cards of a hand"
NO_CARD_ON_21: Final = "no card is taken on 21 points"
ONE_CARD: Final = "a split ace gets one card only"
NO_ACE: Final = "the croupier's open card is no ace"
LOW: Final = "the croupier's open card is neither an ace nor a ten nor a court card"
J25: Final = "reading J25"
ONLY: Final = "a blackjack may only be paid even money or stand, and 21 points stand"
FRACTION: Final = "the bank takes half to the whole of the wager, as the table says"


def _never(
    action: DecisionAction, of_hand: Callable[[HandView], bool], article: str, says: str, *also: str
) -> Objection:
    return Objection(action, of_hand, "not_allowed", article, says, also)


def _not_yet(action: DecisionAction, of_hand: Callable[[HandView], bool], article: str) -> Objection:
    return Objection(action, of_hand, "not_now", "reading J29", "the hand is to be shown first", (article,))


def _money(
    action: DecisionAction,
    of_stakes: Callable[[HandView, DecisionStakes], bool],
    code: RefusalCode,
    article: str,
    says: str,
) -> Objection:
    return Objection(action, of_stakes, code, article, says, of_money=True)


OBJECTIONS: Final = (
    _never("hit", _with_21, art("6.º-4(1)"), NO_CARD_ON_21),
    _never("hit", _of_split_aces, art("6.º-4(3)"), ONE_CARD, art("16.º-3")),
    _never("double", _without_two_cards, art("17.º"), TWO_CARDS),
    _never("double", _of_split_aces, art("6.º-4(3)"), ONE_CARD),
    _not_yet("double", _unseen_for_11, art("17.º-2")),
    _never("double", _with_21, art("6.º-4(1)"), NO_CARD_ON_21),
    _never("double", _without_11, art("17.º-2"), "this table doubles on 11 points only"),
    _never("split", _without_two_cards, art("16.º-1"), TWO_CARDS),
    _not_yet("split", _unseen, art("16.º-1")),
    _never("split", _without_pair, "reading J13", "only a pair of one rank is split", art("16.º-1")),
    _never("split", _no_second_split, art("16.º-5"), "this table splits a pair once only"),
    _never("split", _played_on, art("16.º-5"), "the seat has played on a pair of this rank", "reading J16"),
    _never("split", _into_too_many_hands, art("16.º-1"), "the seat has as many hands as this table allows"),
    _money("split", _with_pair_wager_of_nothing, "no_wager", "reading J2", "a wager on the new pair needs a stake"),
    _money("split", _with_pair_wager_beyond_limits, "not_allowed", OURS, BEYOND),
    _never("surrender", _against_ace, art("18.º-1"), "no surrender against an ace"),
    _never("surrender", _after_own_card, "reading J16", "the hand has an additional card", art("18.º-2")),
    _never("surrender", _after_any_card, art("18.º-2"), "an additional card of the round is dealt", "reading J16"),
    _not_yet("surrender", _unseen, art("18.º-1")),
    _never("surrender", _with_21, J25, ONLY),
    _never("surrender", _of_split_aces, J25, "a split ace stands, or is split again"),
    _never("insurance", _without_ace, art("12.º-1"), NO_ACE),
    _never("insurance", _after_a_decision, "reading J28", "it is too late for an insurance", art("12.º-1")),
    _never("insurance", _twice, art("12.º-1"), "the wager is insured already"),
    _money("insurance", _without_amount, "no_wager", art("12.º-1"), "an insurance needs its `amount`"),
    _money("insurance", _outside, "not_allowed", art("12.º-1"), FRACTION),
    _never("even_money", _against_low_card, art("10.º-3"), LOW),
    _not_yet("even_money", _unseen, art("10.º-3")),
    _never("even_money", _without_blackjack, art("10.º-3"), "the hand is no blackjack", art("10.º-1")),
    _never("half_pay", _against_ace, art("19.º-1"), "the croupier's open card is an ace", art("19.º-2")),
    _never("half_pay", _without_five_cards, art("19.º-1"), "the hand has not five cards", "reading J17"),
    _not_yet("half_pay", _unseen, art("19.º-1")),
)


_OBJECTIONS_TO: Final = {
    action: tuple(one.asks for one in OBJECTIONS if one.action == action and one.code != "not_now" and not one.of_money)
    for action in ACTIONS
}


OWN: Final = ("surrender", "insurance", "even_money", "half_pay")
EARLY: Final[tuple[DecisionAction, ...]] = ("surrender", "insurance")


def choices_of(view: HandView, of: Sequence[DecisionAction] = ACTIONS) -> list[str]:
    """With hidden cards, all that some such cards allow (reading J29)."""
    return [action for action in of if is_free(action, view)]


def has_choice(view: HandView) -> bool:
    return any(action != "stand" and is_free(action, view) for action in ACTIONS)


def is_free(action: DecisionAction, view: HandView) -> bool:
    if _aces_stay(view):
        return False
    for forbids in _OBJECTIONS_TO[action]:  # noqa: SIM110  asked at each prompt: a generator costs twice as much
        if forbids(view):
            return False
    return True
