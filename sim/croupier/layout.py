"""The cards on the felt as a croupier sees them."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET, UnsetType

from regulations.events.cards import Card
from regulations.events.outputs import AnyOutput, Burned, Dealt, Resolved, Reveal, Voided
from regulations.events.vocabulary import Holder


@dataclass(frozen=True, slots=True)
class HandSpot:
    """Seat 0: the croupier, the banker and baccarat's player."""

    who: Holder
    seat: int = 0
    hand: int = 1


def spot_of(who: Holder, seat: int | UnsetType, hand: int | UnsetType) -> HandSpot:
    return HandSpot(who, 0 if seat is UNSET else seat, 1 if hand is UNSET else hand)


@dataclass(slots=True)
class LaidCard:
    """``card`` ``None``: only the table has it."""

    card: Card | None
    is_open: bool
    is_known: bool


@dataclass(slots=True, eq=False)
class _Waiting:
    card: Card
    is_told: bool
    is_held: bool = False


class LaidCards:
    def __init__(self) -> None:
        self.hands: dict[HandSpot, list[LaidCard]] = {}
        self._waiting: deque[_Waiting] = deque()
        self._owed: deque[LaidCard | None] = deque()
        """Reported before a hand had them; ``None``: of no hand."""
        self._split: Final[set[int]] = set()

    @property
    def waiting(self) -> Sequence[Card]:
        """Cards that were drawn and lie nowhere yet."""
        return [one.card for one in self._waiting]

    @property
    def held(self) -> Sequence[Card]:
        """Those that wait for the next round (reading B11)."""
        return [one.card for one in self._waiting if one.is_held]

    @property
    def untold(self) -> Sequence[Card]:
        """Waiting cards that are not reported to the table."""
        return [one.card for one in self._waiting if not one.is_told]

    @property
    def owed(self) -> int:
        """Cards reported by the machine and not yet drawn by a hand."""
        return len(self._owed)

    def drew(self, card: Card, *, is_told: bool) -> None:
        """``is_told``: the table knows which."""
        if not self._owed:
            self._waiting.append(_Waiting(card, is_told))
            return
        laid = self._owed.popleft()
        if laid is not None:
            laid.card = card
            laid.is_known = laid.is_known or is_told

    def put_untold_first(self) -> None:
        """The table places them before the others."""
        self._waiting = deque(sorted(self._waiting, key=lambda one: one.is_told))

    def forgive(self) -> None:
        """Stop waiting for the cards that are owed."""
        self._owed.clear()

    def clear(self) -> None:
        self.hands.clear()
        self._split.clear()
        self._owed = deque(None for _ in self._owed)
        self._drop()

    def new_stack(self) -> None:
        self.clear()
        self.forgive()
        self._waiting.clear()

    def is_split(self, seat: int) -> bool:
        return seat in self._split

    def split(self, seat: int, hand: int) -> None:
        cards = self.hands.get(HandSpot("seat", seat, hand), [])
        number = 1 + max((spot.hand for spot in self.hands if spot.seat == seat), default=hand)
        self.hands[HandSpot("seat", seat, number)] = [cards.pop()] if cards else []
        self._split.add(seat)

    def lying(self, spot: HandSpot) -> Sequence[LaidCard]:
        """The cards of a hand, in dealing order."""
        return self.hands.get(spot, [])

    def open_cards(self, spot: HandSpot) -> list[Card]:
        return [laid.card for laid in self.lying(spot) if laid.is_open and laid.card is not None]

    def hidden(self) -> list[HandSpot]:
        """The hands of which a card lies face down."""
        return [spot for spot, cards in self.hands.items() if any(not laid.is_open for laid in cards)]

    def notice(self, outputs: Iterable[AnyOutput]) -> None:
        """Take the outputs of one input."""
        for output in outputs:
            match output:
                case Dealt():
                    self._place(output)
                case Burned():
                    if self._pop_waiting(held=False, card=output.card) is None:
                        self._owed.append(None)
                case Resolved(action="next_round"):
                    self._hold()
                case Reveal():
                    self._turn(output)
                case Voided():
                    self._drop()
                case _:
                    continue

    def _place(self, dealt: Dealt) -> None:
        drawn = self._pop_waiting(held=True, card=dealt.card)
        is_open = dealt.card is not None
        cards = self.hands.setdefault(spot_of(dealt.to, dealt.seat, dealt.hand), [])
        if drawn is None:
            laid = LaidCard(dealt.card, is_open, is_open)
            cards.append(laid)
            self._owed.append(laid)
        else:
            cards.append(LaidCard(drawn.card, is_open, is_open or drawn.is_told))

    def _turn(self, reveal: Reveal) -> None:
        for laid in self.lying(spot_of(reveal.who, reveal.seat, reveal.hand)):
            laid.is_open = laid.is_known = True

    def _hold(self) -> None:
        for one in self._waiting:
            if not one.is_held:
                one.is_held = True
                return

    def _pop_waiting(self, *, held: bool, card: Card | None) -> _Waiting | None:
        may = sorted(self._waiting, key=lambda one: one.is_held is not held)
        wanted = next((one for one in may if card in (None, one.card)), None)
        wanted = wanted or next(iter(may), None)
        if wanted is not None:
            self._waiting.remove(wanted)
        return wanted

    def _drop(self) -> None:
        self._waiting = deque(one for one in self._waiting if one.is_held)
