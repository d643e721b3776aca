"""Inputs and outputs of the open round, to run it again (reading G11)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from msgspec import UNSET

from regulations.events.inputs import AnyInput, BetsClosed, Decision, Exposed, Revealed
from regulations.events.outputs import Reversed, Settled, SettledWager
from regulations.events.results import Result
from regulations.play.context.drawn_card import CardOwner, DrawnCard
from regulations.play.context.hands import Hands
from regulations.play.context.snapshot import RoundSnapshot

CROUPIER: Final = CardOwner("croupier")
Stage = Literal["bets", "deal", "result"]


def owner_of(event: Decision | Revealed | Exposed) -> CardOwner:
    if isinstance(event, Decision):
        return CardOwner("seat", event.seat, event.hand)
    if event.who != "seat":
        return CardOwner(event.who)
    return CardOwner("seat", event.seat if event.seat is not UNSET else 0, event.hand if event.hand is not UNSET else 1)


def same_cards(some: Sequence[DrawnCard], others: Sequence[DrawnCard]) -> bool:
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAction:
    event: Decision | Revealed
    after: int
    hand: Sequence[DrawnCard]
    bank: Sequence[DrawnCard]

    @property
    def turns(self) -> bool:
        return isinstance(self.event, Revealed)

    @property
    def turns_seat(self) -> bool:
        return isinstance(self.event, Revealed) and self.event.who == "seat"

    def meets(self, laid: Hands) -> bool:
        """True if these hands are as they were when it was done."""
        hand, bank = faced(self.event, laid)
        return same_cards(hand, self.hand) and same_cards(bank, self.bank)


def faced(event: Decision | Revealed, laid: Hands) -> tuple[Sequence[DrawnCard], Sequence[DrawnCard]]:
    owner = owner_of(event)
    hand = laid.hidden(owner) if isinstance(event, Revealed) else laid.of(owner)
    return tuple(hand), tuple(drawn for drawn in laid.of(CROUPIER) if drawn.is_open)


TRACKED: Final = (Settled, Reversed, Result)


class RoundOutputs:
    def __init__(self) -> None:
        self.result: Result | None = None
        self.settled: list[SettledWager] = []

    def apply(self, output: Settled | Reversed | Result) -> None:
        """Apply an output of the round, one of :data:`TRACKED`."""
        if isinstance(output, Settled):
            self.settled += output.wagers
        elif isinstance(output, Reversed):
            self.settled = without(self.settled, output.wagers)
            self.result = None
        else:
            self.result = output


def without(wagers: Iterable[SettledWager], others: Collection[SettledWager]) -> list[SettledWager]:
    return [one for one in wagers if one not in others]


class RoundRecord:
    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.began: RoundSnapshot | None = None
        self.opening: BetsClosed | None = None
        self.came_out: list[DrawnCard] = []
        self.acts: list[RoundAction] = []
        self.cut_card: tuple[int, int] | None = None
        self.cut_card_at: Stage = "bets"
        self.device_reported = False
        self.told = RoundOutputs()

    def begin(self, began: RoundSnapshot | None, opening: AnyInput | None) -> None:
        self.began = began
        self.opening = opening if isinstance(opening, BetsClosed) else None

    def find(self, found: Sequence[DrawnCard], before: DrawnCard) -> None:
        at = next((number for number, one in enumerate(self.came_out) if one is before), None)
        if at is not None:
            self.insert(at, found)

    def insert(self, at: int, found: Sequence[DrawnCard]) -> None:
        """Cards come in behind so many of the round's; the cut card keeps its place among the others."""
        self.came_out[at:at] = found
        if self.cut_card is not None and at < self.cut_card[0]:
            self.cut_card = self.cut_card[0] + len(found), self.cut_card[1]

    def forget(self, drawn: DrawnCard) -> None:
        """A card never left; the cut card keeps its place among the others."""
        at = next((number for number, one in enumerate(self.came_out) if one is drawn), None)
        if at is not None:
            del self.came_out[at]
            if self.cut_card is not None and at < self.cut_card[0]:
                self.cut_card = self.cut_card[0] - 1, self.cut_card[1]

    def left_before_cut_card(self, drawn: DrawnCard) -> bool:
        if self.cut_card is None or drawn.place is None:
            return False
        return any(one is drawn for one in self.came_out[: self.cut_card[0]])

    def record_cut_card(self, stage: Stage) -> None:
        self.cut_card = len(self.came_out), len(self.acts)
        self.cut_card_at = stage
