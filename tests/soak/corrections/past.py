"""A round's past as it is known to have been, and the books of what a table told of it."""

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

from msgspec import UNSET, structs

from regulations.events.inputs import AnyInput, CardDrawn, Decision, Revealed, RoundClosed, Table
from regulations.events.outputs import (
    AnyOutput,
    Burned,
    LastRound,
    Next,
    Refused,
    Reversed,
    Settled,
    SettledWager,
    Voided,
)
from regulations.events.results import Result
from regulations.play.context.drawn_card import CardOwner, DrawnCard
from regulations.procedure.procedure import Procedure
from tests.regulations.support.again import check_again

Fate = Literal["counts", "burned", "held", "accepted", "waits"]


@dataclass(slots=True, eq=False, repr=False, kw_only=True)
class Left:
    """A card that left the equipment.

    Attributes:
        was_blocked: whether it left while an irregularity was open: it is no hit then (reading J30).
    """

    card: str
    face_up: bool = False
    fate: Fate = "counts"
    by_rule: bool = False
    from_before: bool = False
    was_irregular: bool = False
    was_blocked: bool = False
    is_known: bool = True
    was_due: bool = False

    def __repr__(self) -> str:
        return self.card


@dataclass(slots=True, eq=False, kw_only=True)
class Done:
    """A decision or a reveal, with the cards that it met."""

    event: Decision | Revealed
    hand: tuple[Left, ...]
    bank: tuple[Left, ...] = ()


class CutCardOut:
    """The cut card, where it came."""


Item = Left | Done | CutCardOut


def owner_of(event: Decision | Revealed) -> CardOwner:
    """Whose cards an act is about."""
    if isinstance(event, Decision):
        return CardOwner("seat", event.seat, event.hand)
    if event.who != "seat":
        return CardOwner(event.who)
    return CardOwner("seat", event.seat or 0, event.hand or 1)


class Books:
    """The table's words about the open round, net of what it took back."""

    def __init__(self) -> None:
        self.last_round = False
        self.clear()

    def clear(self) -> None:
        """The round is closed."""
        self.result: Result | None = None
        self.settled: list[SettledWager] = []
        self.returned: Counter[tuple[int, str, int]] = Counter()
        self.burned = 0

    def hear(self, output: AnyOutput) -> None:
        if isinstance(output, Reversed):
            self.result = None
            for wager in output.wagers:
                self.settled.remove(wager)
        elif isinstance(output, Settled):
            self.settled += output.wagers
            keys = [(one.seat, one.bet, one.id, one.hand, one.pair) for one in self.settled]
            assert len(set(keys)) == len(keys), f"a wager is settled twice: {self.settled}"
        elif isinstance(output, Voided):
            self.returned.update((one.seat or 0, one.bet, one.id) for one in output.wagers)
        elif isinstance(output, Burned):
            self.burned += 1
        elif isinstance(output, LastRound):
            self.last_round = True
        elif isinstance(output, Result):
            self.result = structs.replace(output, seq=UNSET, at=UNSET, round=UNSET)


class Heard:
    """A table, all that it was given, and the books of what it answered."""

    def __init__(self, table: Table, tally: Counter[str] | None = None) -> None:
        self._tally: Final = tally
        self.procedure: Final = Procedure(table)
        self.given: Final[list[AnyInput]] = []
        self.books: Final = Books()
        self.answer = self.procedure.opening
        self._cards: dict[int, tuple[object, Left]] = {}

    @property
    def prompt(self) -> Next:
        """The prompt in the last answer."""
        last = self.answer[-1]
        assert isinstance(last, Next)
        return last

    @property
    def refusal(self) -> str | None:
        """Why it refused the last input, if it did."""
        first = self.answer[0]
        return f"{first.code}: {first.detail}" if isinstance(first, Refused) else None

    def give(self, event: AnyInput) -> None:
        """One input."""
        self.given.append(event)
        self.answer = self.procedure.apply(event)
        for output in self.answer:
            self.books.hear(output)
        if self._tally is not None and check_again(self.procedure):
            self._tally["run_again"] += 1
            self._tally["run_again_blocked"] += self.prompt.do == "resolve"
        if isinstance(event, RoundClosed) and self.refusal is None:
            self.books.clear()

    def deal(self, left: Left, event: CardDrawn | None = None) -> None:
        """One card, as it is or as a device tells of it."""
        self.give(event or CardDrawn(card=left.card if left.is_known else None, face="up" if left.face_up else "down"))  # type: ignore[arg-type]  # words of the table log
        drawn = self.procedure._context.scope.turn.told[0]  # noqa: SLF001  compared from within
        self._cards[id(drawn)] = (drawn, left)

    def know(self, cards: list[Left]) -> None:
        """Which card is which, in the order in which the round has them."""
        came_out = self.procedure._context.scope.record.came_out  # noqa: SLF001  compared from within
        assert len(came_out) == len(cards), f"the round has {len(came_out)} cards, {len(cards)} left"
        self._cards = {id(drawn): (drawn, left) for drawn, left in zip(came_out, cards, strict=True)}

    def know_held(self, held: list[Left]) -> None:
        """The round begins with the cards that waited for it."""
        laid = [one for one in self.procedure._context.scope.record.came_out if one.was_held]  # noqa: SLF001  compared from within
        for drawn, left in zip(laid, held, strict=False):
            self._cards[id(drawn)] = (drawn, left)

    def left_of(self, drawn: DrawnCard) -> Left:
        """Which card it is."""
        return self._cards[id(drawn)][1]

    # --- what lies on it ---------------------------------------------------------------------------------------------

    def hand(self, owner: CardOwner) -> tuple[Left, ...]:
        """Somebody's cards."""
        return tuple(self._cards[id(one)][1] for one in self.procedure._round.laid.of(owner))  # noqa: SLF001  compared from within

    def hidden(self, owner: CardOwner) -> tuple[Left, ...]:
        """Those of them that lie face down."""
        return tuple(self._cards[id(one)][1] for one in self.procedure._round.laid.hidden(owner))  # noqa: SLF001  compared from within

    def bank(self) -> tuple[Left, ...]:
        """The croupier's open cards."""
        laid = self.procedure._round.laid.of(CardOwner("croupier"))  # noqa: SLF001  compared from within
        return tuple(self._cards[id(one)][1] for one in laid if one.is_open)

    def layout(self) -> dict[CardOwner, list[tuple[Left, bool]]]:
        """All hands, and whether each card lies open."""
        hands = self.procedure._round.laid._hands  # noqa: SLF001  compared from within
        return {
            owner: [(self._cards[id(one)][1], one.is_open) for one in cards] for owner, cards in hands.items() if cards
        }

    def out(self) -> Counter[str]:
        """The cards that are out by its count."""
        copies = self.procedure._context.scope.stack._copies  # noqa: SLF001  compared from within
        return Counter({card: len(some) for card, some in copies.items() if card is not None and some})

    @property
    def out_total(self) -> int:
        """How many."""
        return self.procedure._context.scope.stack.out  # noqa: SLF001  compared from within

    @property
    def size(self) -> int:
        """How many cards its stack has."""
        return self.procedure._context.scope.stack.size  # noqa: SLF001  compared from within
