"""Correcting a misdeal: the cards where they should have lain, and the round played once more (5.º-1(2), J23).

The same decisions and reveals are done again, each after the same card as before. If one of them would not have been
allowed with the cards so laid, or a place that is due would get no card, the misdeal cannot be repaired this way.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from msgspec import UNSET, structs

from regulations.drawn import BURN_PLACE, Drawn, Place
from regulations.events.inputs import Decision, Reassignment, Revealed
from regulations.events.outputs import AnyOutput, Reversed, Settled, SettledWager
from regulations.events.results import Result

Turn = tuple[int, int]
"""When a card was laid: after how many of the round's cards it came out, and as which of those laid then, from 0."""
Laid = tuple[Drawn, Turn]
Turns = list[tuple[Place | None, Turn | None]]
"""For each card of the round where it should lie, ``None`` if it is burned; and when it is dealt: in the turn of the
card that lies there now, ``None`` if none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What a person did in the round, after how many of its cards, and which cards it turned."""

    after: int
    event: Decision | Revealed
    turned: Sequence[Drawn] = field(default=())

    @property
    def again(self) -> Decision | Revealed:
        """The act to be done once more: cards that were named are known by now."""
        return structs.replace(self.event, cards=UNSET) if isinstance(self.event, Revealed) else self.event


@dataclass(slots=True, kw_only=True)
class Settlements:
    """The settlements of a round: those on the way, and those that its result decided."""

    on_the_way: list[SettledWager] = field(default_factory=list)
    by_result: list[SettledWager] = field(default_factory=list)

    def without(self, others: "Settlements") -> list[SettledWager]:
        """Those on the way that the others have not."""
        return [one for one in self.on_the_way if one not in others.on_the_way]


def settlements_in(said: Sequence[AnyOutput]) -> Settlements:
    """The settlements that were said and still hold."""
    found, has_result = Settlements(), False
    for output in said:
        if isinstance(output, Settled):
            (found.by_result if has_result else found.on_the_way).extend(output.wagers)
        elif isinstance(output, Reversed):
            # A first result, before an additional card of the croupier was taken as valid.
            found.by_result.clear()
        has_result = has_result or isinstance(output, Result)
    return found


def reversed_in(said: Sequence[AnyOutput]) -> list[SettledWager]:
    """The settlements that were reversed."""
    return [wager for output in said if isinstance(output, Reversed) for wager in output.wagers]


class Replayed(Protocol):
    """A round on which cards and acts are repeated."""

    def due(self) -> Place | None:
        """The place that gets the next card."""

    def shows(self, place: Place) -> bool:
        """Whether a card at this place lies face up at once."""

    def lay_again(self, drawn: Drawn) -> None:
        """Gives it a card once more."""

    def act_again(self, act: Act) -> None:
        """Gives it a decision or a reveal once more."""

    def place_of_extra(self) -> Place | None:
        """Where an additional card of the croupier lies that the table takes as valid, if it takes one now."""


def turns_of(came_out: Sequence[Drawn], wanted: Sequence[Reassignment], laid_in: Sequence[Laid]) -> Turns | str:
    """Where each card should have lain, and in whose turn it is to be dealt.

    Args:
        came_out: the round's cards in the order in which they left the device.
        wanted: new places; cards that are not named stay where they are.
        laid_in: when each card was laid.

    Returns:
        For each card its place and its turn, or what is wrong with them.
    """
    places = [drawn.place if drawn.place != BURN_PLACE else None for drawn in came_out]
    turn = {drawn.place: turn for drawn, turn in laid_in}
    named: set[int] = set()
    for new in wanted:
        if not 1 <= new.index <= len(came_out):
            return f"index {new.index}: the round has cards 1 to {len(came_out)}"
        if new.index in named:
            return f"index {new.index} stands twice"
        named.add(new.index)
        place = _place(new)
        if isinstance(place, str):
            return place
        places[new.index - 1] = place
    laid = [place for place in places if place is not None]
    double = next((place for place in laid if laid.count(place) > 1), None)
    if double is not None:
        return f"{double} would get two cards"
    return [(place, turn.get(place) if place is not None else None) for place in places]


def _place(new: Reassignment) -> Place | str | None:
    if new.to == "burn":
        return None
    if new.position is not UNSET and new.to == "croupier":
        return Place("croupier", new.position)
    if new.position is not UNSET and new.to == "seat" and new.seat is not UNSET:
        return Place("seat", new.position, new.seat, new.hand if new.hand is not UNSET else 1)
    return f"index {new.index}: a card goes to a seat or to the croupier, with a position, or is burned"


class Replay:
    """A round played once more with its cards at other places.

    Args:
        game_round: whose bets are closed and of which no card is laid.
        came_out: its cards.
        turns: where each should lie, and in whose turn it is dealt.
        acts: what was done in it.
        fault: what the round objects to, if it does.
    """

    def __init__(
        self,
        game_round: Replayed,
        came_out: Sequence[Drawn],
        turns: Turns,
        acts: Sequence[Act],
        fault: Callable[[], str | None],
    ) -> None:
        self._round: Final = game_round
        self._came_out: Final = came_out
        self._acts: Final = acts
        self._fault: Final = fault
        each = list(zip(came_out, turns, strict=True))
        self._wanted: Final = [(drawn, place) for drawn, (place, _) in each]
        self._in_turn: Final = {turn: drawn for drawn, (_, turn) in each if turn is not None}
        self.laid_in: Final[list[Laid]] = []
        """When each card was laid this time."""
        self._new: Final = {place: drawn for drawn, (place, turn) in each if place is not None and turn is None}

    def run(self) -> str | None:
        """Deals the cards and repeats the acts; returns why it cannot have been so, or ``None``."""
        for index, (drawn, place) in enumerate(self._wanted):
            self._act(index)
            if self._round.due() == BURN_PLACE:
                if place is not None:
                    return f"the card for {place} is to be burned"
                self._round.lay_again(drawn)
            else:
                self._deal(index)
                if place is None:
                    drawn.place = BURN_PLACE
            if reason := self._fault():
                return reason
        self._act(len(self._came_out))
        return self._fault() or next((fault for drawn, place in self._wanted if (fault := _misses(drawn, place))), None)

    def _due(self) -> Place | None:
        return self._round.due() or self._round.place_of_extra()

    def _deal(self, index: int) -> None:
        """Deals the cards that were dealt after so many, and those whose places had none before, as they fall due."""
        waiting = [self._in_turn[turn] for turn in sorted(self._in_turn) if turn[0] == index]
        laid = 0
        while (place := self._due()) is not None and place != BURN_PLACE and (waiting or place in self._new):
            drawn = self._new.pop(place) if place in self._new else waiting.pop(0)
            if drawn.card is None and self._round.shows(place):
                # A card that nobody knows cannot lie open.
                return
            self.laid_in.append((drawn, (index, laid)))
            laid += 1
            self._round.lay_again(drawn)

    def _act(self, after: int) -> None:
        for act in self._acts:
            if act.after == after:
                self._round.act_again(act)


def _misses(drawn: Drawn, place: Place | None) -> str | None:
    """Whether a card does not lie where it should."""
    if drawn.place == (place or BURN_PLACE):
        return None
    return f"no card is due at {place}" if place is not None else "a card that is burned is due"
