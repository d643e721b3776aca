"""Breaches of the regulation in a finished round of blackjack: decisions nobody had, cards nobody could draw."""

from collections.abc import Iterator
from math import ceil
from typing import Final

from tests.regulations.support.evaluators.blackjack import (
    CROUPIER_STANDS,
    LIMIT,
    TENS,
    Hand,
    Options,
    Round,
    Seat,
    hand_of,
    hand_waits,
    is_natural,
    lacks_card,
    second_cards,
    total,
)

FIVE: Final = 5


def _croupier_objections(played: Round) -> Iterator[str]:
    cards = played.croupier
    if lacks_card(played):
        yield "6.º-1: the croupier lacks a card"
    if not hand_waits(played) and len(cards) > 2:
        yield "reading J11: the croupier took cards though nothing waited for them"
    undue = any(total(cards[:taken]) >= CROUPIER_STANDS for taken in range(2, len(cards)))
    if undue and not played.options.unshown_extra_croupier_card_valid:
        yield "6.º-1: the croupier took a card on 17 or more"


def _split_objections(seat: Seat, options: Options) -> Iterator[str]:
    numbers = [hand.number for hand in seat.hands]
    if sorted(numbers) != list(range(1, len(numbers) + 1)):
        yield "hands are numbered from 1 without a gap"
        return
    if len(numbers) > options.max_split_hands:
        yield "16.º-1: too many hands"
    for hand in seat.hands:
        if (hand.split_from is None) != (hand.number == 1) or (hand.split_from or 0) >= hand.number:
            yield f"hand {hand.number} comes from nowhere"
        elif hand.cards[0][0] != hand_of(seat, 1).cards[0][0]:
            yield f"16.º-1: hand {hand.number} does not come from a pair"
    aces = hand_of(seat, 1).cards[0][0] == "A"
    if len(numbers) > 2 and not aces and not options.resplit:
        yield "16.º-5: this house splits a pair once"
    if len(numbers) > 1 and aces:
        if len(numbers) > 2 and not options.resplit_aces:
            yield "16.º-3: aces are split once"
        if any(len(hand.cards) > 2 for hand in seat.hands):
            yield "6.º-4(3): a split ace takes one card"


def _hand_objections(seat: Seat, hand: Hand, up_card: str, options: Options) -> Iterator[str]:
    cards, split = hand.cards, len(seat.hands) > 1
    if len(cards) < 2:
        yield "a hand has two cards"
    if any(total(cards[:taken]) >= LIMIT for taken in range(2, len(cards))):
        yield "6.º-4: a card on 21 or more"  # which every hand with a special prize is
    if hand.doubled and len(cards) != 3:
        yield "6.º-4(2): one card on a doubled wager"
    if hand.doubled and options.double == "eleven_only" and total(cards[:2]) != 11:
        yield "17.º-2: doubled on other than eleven"
    if sum((hand.doubled, hand.surrendered, hand.even_money, hand.half_pay)) > 1:
        yield "decisions that exclude each other"
    if up_card[0] == "A" and (hand.surrendered or hand.half_pay):
        yield "18.º-1, 19.º-1: not against an ace"
    if hand.surrendered and (len(cards) != 2 or total(cards) == LIMIT):
        yield "18.º-2: surrendered after the hand's own third card, or with 21"
    if hand.even_money and (split or not is_natural(cards) or up_card[0] not in {"A", *TENS}):
        yield "10.º-3: no even money here"
    if hand.half_pay and (len(cards) != FIVE or total(cards) > LIMIT):
        yield "19.º-1: half is paid on five cards"


def _wager_objections(seat: Seat, up_card: str, options: Options) -> Iterator[str]:
    mains = {wager.id: wager.stake for wager in seat.wagers if wager.bet == "main"}
    if not mains:
        yield "reading J4: no main wager on the seat"
    for wager in seat.wagers:
        if wager.stake <= 0:
            yield "a wager has a stake"
        if wager.bet == "insurance":
            if up_card[0] != "A":
                yield "12.º-1: insurance only against an ace"
            full = mains.get(wager.id, 0)
            # The least is half, so half of an odd stake is the whole unit above it (reading J27).
            half = ceil(full / 2)
            least = full if options.insurance == "full" else half
            most = half if options.insurance == "half" else full
            if not least <= wager.stake <= most:
                yield "12.º-1: the amount of an insurance"
        if wager.bet == "any_pair" and not (
            wager.hand <= len(seat.hands) and 1 <= wager.nth <= len(second_cards(seat, wager.hand))
        ):
            yield "13.º-1: no such pair"


def objections(played: Round) -> list[str]:
    """List the breaches of the regulation in a round, one line each; empty for a regular one."""
    found = list(_croupier_objections(played))
    for seat in played.seats:
        lines = list(_split_objections(seat, played.options))
        lines += [
            f"hand {hand.number}: {line}"
            for hand in seat.hands
            for line in _hand_objections(seat, hand, played.croupier[0], played.options)
        ]
        lines += _wager_objections(seat, played.croupier[0], played.options)
        found += [f"seat {seat.seat}: {line}" for line in lines]
    return found
