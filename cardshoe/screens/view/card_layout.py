"""Places of a round's cards, from the log's lines."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Final

from msgspec import UNSET, UnsetType

from cardshoe.screens.view.parts import LyingCard
from regulations.events.cards import Card
from regulations.events.inputs import Amendment, AnyInput, CardDrawn, Resolve
from regulations.events.outputs import AnyOutput, Dealt, Emptied, Reveal
from regulations.events.results import Result
from regulations.events.vocabulary import Holder

_POSITION: Final = attrgetter("position")

Owner = tuple[Holder, int, int]


def owner_of(to: Holder, seat: int | UnsetType, hand: int | UnsetType) -> Owner:
    if to != "seat" or seat is UNSET:
        return (to, 0, 0)
    return (to, seat, 1 if hand is UNSET else hand)


def of_owner(cards: Sequence[LyingCard], owner: Owner) -> list[LyingCard]:
    if owner[0] == "seat":
        found = [one for one in cards if one.to == "seat" and owner_of(one.to, one.seat, one.hand) == owner]
    else:
        found = [one for one in cards if one.to == owner[0]]
    found.sort(key=_POSITION)
    return found


def at_place(cards: Sequence[LyingCard], dealt: Dealt | Emptied) -> LyingCard | None:
    owner = owner_of(dealt.to, dealt.seat, dealt.hand)
    for one in cards:
        if one.position == dealt.position and one.to == dealt.to and owner_of(one.to, one.seat, one.hand) == owner:
            return one
    return None


def empty(cards: list[LyingCard], emptied: Emptied) -> None:
    if (gone := at_place(cards, emptied)) is not None:
        cards.remove(gone)


def lay(cards: list[LyingCard], dealt: Dealt) -> None:
    same = at_place(cards, dealt)
    if same is not None:
        same.card = dealt.card
        return
    cards.append(LyingCard(to=dealt.to, position=dealt.position, card=dealt.card, seat=dealt.seat, hand=dealt.hand))


def mark_entered(cards: Sequence[LyingCard], event: AnyInput, answer: Sequence[AnyOutput]) -> None:
    if not isinstance(event, CardDrawn):
        return
    for output in answer:
        if isinstance(output, Dealt) and (one := at_place(cards, output)) is not None:
            one.unseen, one.by_hand = event.unseen, event.device is UNSET


def corrected_order(left: list[Card | None], event: Resolve) -> None:
    """The round's cards in the order named by two people."""
    entries = [one for one in event.cards or () if isinstance(one, Amendment)]
    for one in sorted(entries, key=lambda one: one.index or one.after or 0, reverse=True):
        if one.after is not UNSET:
            left.insert(one.after, None if one.card is UNSET else one.card)
        elif one.index is not UNSET and one.index <= len(left):
            if one.to == "none":
                del left[one.index - 1]
            elif one.card is not UNSET:
                left[one.index - 1] = one.card


def open_at(cards: Sequence[LyingCard]) -> dict[tuple[Owner, int], Card | None]:
    return {(owner_of(one.to, one.seat, one.hand), one.position): one.card for one in cards}


def mark_changed(cards: Sequence[LyingCard], before: Mapping[tuple[Owner, int], Card | None], event: Resolve) -> None:
    entries = [one for one in event.cards or () if isinstance(one, Amendment)]
    moves = any(one.index is UNSET or one.card is UNSET for one in entries)
    for one in cards:
        was = before.get((owner_of(one.to, one.seat, one.hand), one.position))
        one.was = UNSET if was == one.card else was
        if moves:
            one.number = UNSET


def number(cards: Sequence[LyingCard], answer: Sequence[AnyOutput], which: int) -> None:
    laid = [output for output in answer if isinstance(output, Dealt)]
    if which and len(laid) == 1 and (one := at_place(cards, laid[0])) is not None:
        one.number = which


def turn(cards: Sequence[LyingCard], reveal: Reveal) -> None:
    hand = of_owner(cards, owner_of(reveal.who, reveal.seat, reveal.hand))
    hidden = [one for one in hand if one.card is None]
    for one, card in zip(hidden if len(hidden) == len(reveal.cards) else hand, reveal.cards, strict=False):
        one.card = card


def split(cards: Sequence[LyingCard], seat: int, hand: int) -> None:
    """The second card becomes the first of the seat's next hand (56/2004 art. 16.º)."""
    numbers = [1 if one.hand is UNSET else one.hand for one in cards if one.seat == seat]
    for one in of_owner(cards, ("seat", seat, hand))[1:2]:
        one.hand, one.position = 1 + max(numbers), 1


def show_result(cards: list[LyingCard], result: Result) -> None:
    """A result names every card, and overrides earlier lines."""
    for to, held, seat, hand, *_ in result.shown():
        there = of_owner(cards, (to, seat, hand))
        for one, card in zip(there, held, strict=False):
            one.card = card
        take_away(cards, there[len(held) :])
        for position, card in enumerate(held[len(there) :], start=len(there) + 1):
            cards.append(LyingCard(to=to, position=position, card=card, seat=seat or UNSET, hand=hand or UNSET))


def take_away(cards: list[LyingCard], gone: Sequence[LyingCard]) -> None:
    if gone:
        cards[:] = [one for one in cards if not any(one is other for other in gone)]
