"""What a hand may do and why not: the objections to each decision (56/2004 arts. 6.º, 10.º, 12.º, 16.º to 19.º).

The rule table has a row for each objection, in this order; what ``next`` offers is what none of them forbids.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from regulations.blackjack.law import art
from regulations.blackjack.ranking import (
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
from regulations.cards import Card
from regulations.events.vocabulary import DecisionAction, RefusalCode
from regulations.stakes import BEYOND, OURS, are_told, beyond_limit

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
"""The decisions of this game, in the order in which they are offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is known of a hand that decides.

    Attributes:
        size: how many cards it has.
        is_hidden: whether one of them lies face down.
        cards: which they are; ``None``: nobody knows, or may not be told by what is offered.
        is_split: whether it is a hand of a split.
        of_aces: whether it is a hand of split aces.
        hands: how many hands its seat has.
        seat_has_decided: whether the seat has decided anything but an insurance.
        is_insured: whether the seat has taken an insurance.
        bank: the croupier's open card.
        more_cards: whether any additional card of the round is dealt.
        options: in force.
    """

    size: int
    is_hidden: bool
    cards: Sequence[Card] | None
    is_split: bool
    of_aces: bool
    hands: int
    seat_has_decided: bool
    is_insured: bool
    bank: Card
    more_cards: bool
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """The money of a decision: what is asked to be put down, and the decider's wager on the hand.

    ``amount`` and ``any_pair`` are ``None`` where the decision names none.
    """

    amount: int | None
    any_pair: int | None
    main: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """Why a hand may not do something; ``name`` is the guard of its row, ``about`` the cards or the stakes."""

    action: DecisionAction
    name: str
    code: RefusalCode
    article: str
    says: str
    of_hand: Callable[[View], bool] = lambda _view: False
    of_stakes: Callable[[View, Stakes], bool] | None = None
    also: tuple[str, ...] = ()


# --- questions about the hand ---------------------------------------------------------------------------------------


def _has_21(view: View) -> bool:
    return view.cards is not None and points_of(view.cards) >= TWENTY_ONE


def _of_aces(view: View) -> bool:
    return view.of_aces


def _not_two_cards(view: View) -> bool:
    return view.size != INITIAL_CARDS


def _hidden(view: View) -> bool:
    return view.is_hidden


def _hidden_for_eleven(view: View) -> bool:
    return view.is_hidden and view.options["double"] == "eleven_only"


def _not_eleven(view: View) -> bool:
    return view.options["double"] == "eleven_only" and view.cards is not None and points_of(view.cards) != DOUBLE_ON


def _no_pair(view: View) -> bool:
    return view.cards is not None and not is_pair(view.cards)


def _aces_stay(view: View) -> bool:
    return view.of_aces and not view.options["resplit_aces"]


def _enough_hands(view: View) -> bool:
    return bool(view.hands >= view.options["max_split_hands"])


def _against_ace(view: View) -> bool:
    return is_ace(view.bank)


def _after_own_card(view: View) -> bool:
    return view.options["surrender_before"] == "own_card" and view.size > INITIAL_CARDS


def _after_any_card(view: View) -> bool:
    return view.options["surrender_before"] == "any_card" and view.more_cards


def _without_blackjack(view: View) -> bool:
    return view.cards is not None and (view.is_split or not is_blackjack(view.cards))


def _not_against_ace(view: View) -> bool:
    return not is_ace(view.bank)


def _seat_has_decided(view: View) -> bool:
    return view.seat_has_decided


def _insured(view: View) -> bool:
    return view.is_insured


def _against_low_card(view: View) -> bool:
    return not is_ace(view.bank) and not is_ten(view.bank)


def _not_five_cards(view: View) -> bool:
    return view.size != FIVE_CARDS


# --- questions about the money --------------------------------------------------------------------------------------


def insurance_of(main: int, option: str) -> tuple[int, int]:
    """The least and the most that may insure a wager (art. 12.º-1): a half or the whole, or between.

    Half of an odd number of minor units is rounded up, for half is the least (reading J27).
    """
    half = (main + 1) // 2
    if option == "half":
        return half, half
    return (main if option == "full" else half), main


def _no_amount(view: View, stakes: Stakes) -> bool:
    return are_told(view.options) and (stakes.amount is None or stakes.amount < 1)


def _amount_outside(view: View, stakes: Stakes) -> bool:
    least, most = insurance_of(stakes.main, view.options["insurance"])
    return stakes.amount is not None and not least <= stakes.amount <= most


def _no_pair_stake(view: View, stakes: Stakes) -> bool:  # noqa: ARG001  # the same form for all
    return stakes.any_pair is not None and stakes.any_pair < 1


def _pair_stake_beyond(view: View, stakes: Stakes) -> bool:
    pair = stakes.any_pair
    return pair is not None and beyond_limit(view.options["limits"], "any_pair", pair) is not None


# --- the objections -------------------------------------------------------------------------------------------------

SHOW_FIRST: Final = "the hand is to be shown first"
TWO_CARDS: Final = "it is done on the first two cards of a hand"
OBJECTIONS: Final = (
    Objection(
        action="hit",
        name="hit_on_21",
        code="not_allowed",
        article=art("6.º-4(1)"),
        says="no card is taken on 21 points",
        of_hand=_has_21,
    ),
    Objection(
        action="hit",
        name="hit_on_split_ace",
        code="not_allowed",
        article=art("6.º-4(3)"),
        says="a split ace gets one card only",
        of_hand=_of_aces,
        also=(art("16.º-3"),),
    ),
    Objection(
        action="double",
        name="double_after_third_card",
        code="not_allowed",
        article=art("17.º"),
        says=TWO_CARDS,
        of_hand=_not_two_cards,
    ),
    Objection(
        action="double",
        name="double_on_split_ace",
        code="not_allowed",
        article=art("6.º-4(3)"),
        says="a split ace gets one card only",
        of_hand=_of_aces,
    ),
    Objection(
        action="double",
        name="double_unseen",
        code="not_now",
        article=art("17.º-2"),
        says=SHOW_FIRST,
        of_hand=_hidden_for_eleven,
    ),
    Objection(
        action="double",
        name="double_on_21",
        code="not_allowed",
        article=art("6.º-4(1)"),
        says="no card is taken on 21 points",
        of_hand=_has_21,
    ),
    Objection(
        action="double",
        name="double_without_11",
        code="not_allowed",
        article=art("17.º-2"),
        says="this table doubles on 11 points only",
        of_hand=_not_eleven,
    ),
    Objection(
        action="split",
        name="split_after_third_card",
        code="not_allowed",
        article=art("16.º-1"),
        says=TWO_CARDS,
        of_hand=_not_two_cards,
    ),
    Objection(
        action="split",
        name="split_unseen",
        code="not_now",
        article=art("16.º-1"),
        says=SHOW_FIRST,
        of_hand=_hidden,
    ),
    Objection(
        action="split",
        name="split_without_pair",
        code="not_allowed",
        article="reading J13",
        says="only a pair of one rank is split",
        of_hand=_no_pair,
        also=(art("16.º-1"),),
    ),
    Objection(
        action="split",
        name="split_into_too_many",
        code="not_allowed",
        article=art("16.º-1"),
        says="the seat has as many hands as this table allows",
        of_hand=_enough_hands,
    ),
    Objection(
        action="split",
        name="split_with_pair_wager_of_nothing",
        code="no_wager",
        article="reading J2",
        says="a wager on the new pair needs a stake",
        of_stakes=_no_pair_stake,
    ),
    Objection(
        action="split",
        name="split_with_pair_wager_beyond_limits",
        code="not_allowed",
        article=OURS,
        says=BEYOND,
        of_stakes=_pair_stake_beyond,
    ),
    Objection(
        action="surrender",
        name="surrender_against_ace",
        code="not_allowed",
        article=art("18.º-1"),
        says="nobody surrenders against an ace",
        of_hand=_against_ace,
    ),
    Objection(
        action="surrender",
        name="surrender_after_own_card",
        code="not_allowed",
        article="reading J16",
        says="the hand has an additional card",
        of_hand=_after_own_card,
        also=(art("18.º-2"),),
    ),
    Objection(
        action="surrender",
        name="surrender_after_any_card",
        code="not_allowed",
        article=art("18.º-2"),
        says="an additional card of the round is dealt",
        of_hand=_after_any_card,
    ),
    Objection(
        action="surrender",
        name="surrender_unseen",
        code="not_now",
        article=art("18.º-1"),
        says=SHOW_FIRST,
        of_hand=_hidden,
    ),
    Objection(
        action="surrender",
        name="surrender_on_21",
        code="not_allowed",
        article="reading J25",
        says="a blackjack may only be paid even money or stand, and 21 points stand",
        of_hand=_has_21,
    ),
    Objection(
        action="surrender",
        name="surrender_of_split_ace",
        code="not_allowed",
        article="reading J25",
        says="a split ace stands, or is split again",
        of_hand=_of_aces,
    ),
    Objection(
        action="insurance",
        name="insurance_without_ace",
        code="not_allowed",
        article=art("12.º-1"),
        says="the croupier's open card is no ace",
        of_hand=_not_against_ace,
    ),
    Objection(
        action="insurance",
        name="insurance_after_decision",
        code="not_allowed",
        article=art("12.º-1"),
        says="the seat has decided already",
        of_hand=_seat_has_decided,
    ),
    Objection(
        action="insurance",
        name="insured_already",
        code="not_allowed",
        article=art("12.º-1"),
        says="the wager is insured already",
        of_hand=_insured,
    ),
    Objection(
        action="insurance",
        name="insurance_of_nothing",
        code="no_wager",
        article=art("12.º-1"),
        says="an insurance needs its `amount`",
        of_stakes=_no_amount,
    ),
    Objection(
        action="insurance",
        name="insurance_outside",
        code="not_allowed",
        article=art("12.º-1"),
        says="the bank takes half to the whole of the wager, as the table says",
        of_stakes=_amount_outside,
    ),
    Objection(
        action="even_money",
        name="even_money_against_low_card",
        code="not_allowed",
        article=art("10.º-3"),
        says="the croupier's open card is neither an ace nor a ten nor a court card",
        of_hand=_against_low_card,
    ),
    Objection(
        action="even_money",
        name="even_money_unseen",
        code="not_now",
        article=art("10.º-3"),
        says=SHOW_FIRST,
        of_hand=_hidden,
    ),
    Objection(
        action="even_money",
        name="even_money_without_blackjack",
        code="not_allowed",
        article=art("10.º-3"),
        says="the hand is no blackjack",
        of_hand=_without_blackjack,
        also=(art("10.º-1"),),
    ),
    Objection(
        action="half_pay",
        name="half_pay_against_ace",
        code="not_allowed",
        article=art("19.º-1"),
        says="the croupier's open card is an ace",
        of_hand=_against_ace,
        also=(art("19.º-2"),),
    ),
    Objection(
        action="half_pay",
        name="half_pay_without_five_cards",
        code="not_allowed",
        article=art("19.º-1"),
        says="the hand has not five cards",
        of_hand=_not_five_cards,
        also=("reading J17",),
    ),
    Objection(
        action="half_pay",
        name="half_pay_unseen",
        code="not_now",
        article=art("19.º-1"),
        says=SHOW_FIRST,
        of_hand=_hidden,
    ),
)
"""In the order in which they are tried."""


def choices_of(view: View) -> list[str]:
    """What a hand may decide, by what may be told of it.

    Split aces that the house does not split again are not among the objections: they are never asked (art. 16.º-3).
    """
    forbidden = {one.action for one in OBJECTIONS if one.of_hand(view)}
    forbidden |= {"split"} if _aces_stay(view) else set()
    return [action for action in ACTIONS if action not in forbidden]


# --- what persons see to, where the table is not told the stakes ------------------------------------------------------
