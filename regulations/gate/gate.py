"""The gate of one table: what is open blocks what a person asks for, until a person takes a way out."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import UNSET

from regulations.cards import Card
from regulations.desk import Desk
from regulations.drawn import BURN_PLACE
from regulations.events.inputs import Reassignment, Resolve
from regulations.events.outputs import Burned, Next
from regulations.events.vocabulary import WayOut
from regulations.game import Round
from regulations.gate.rows import GateState
from regulations.intake import Intake
from regulations.irregularities import TWO_PERSONS, OpenIrregularity
from regulations.machine import RuleMachine
from regulations.persons import two_persons
from regulations.rows import Row
from regulations.shoe.game import ShoeGame


class Gate:
    """The actor behind the rows of :mod:`regulations.gate.rows`.

    Args:
        desk: what the machines of the table share.
        shoe: the shoe game.
        game_round: the game's round.
        intake: takes the cards that a way out names.
        rows: the rule table.
    """

    def __init__(
        self,
        desk: Desk,
        shoe: ShoeGame,
        game_round: Round,
        intake: Intake,
        rows: Sequence[Row],
    ) -> None:
        self._desk: Final = desk
        self._shoe: Final = shoe
        self._round: Final = game_round
        self._intake: Final = intake
        self._take: Final[dict[WayOut, Callable[[], None]]] = {
            "burn": self._burn,
            "next_round": self._hold_for_next_round,
            "accept": self._accept,
            "identify": self._identify,
            "reassign": self._reassign,
            "continue": self._go_on,
            "void": self._void,
            "end_shoe": self._end_shoe,
        }
        self._resolving: OpenIrregularity
        self._cards: list[Card] = []
        self.machine: Final[RuleMachine[GateState]] = RuleMachine(GateState, rows, desk, (self,), GateState.CLEAR)

    @property
    def is_blocked(self) -> bool:
        """Whether an irregularity is open."""
        return self.machine.state is GateState.BLOCKED

    def fire(self, trigger: str) -> None:
        """Gives the machine a trigger."""
        self.machine.fire(trigger)

    def keep_step(self) -> None:
        """Brings the gate to where the open irregularities have it."""
        if self.is_blocked != bool(len(self._desk.irregularities)):
            self.fire("regular" if self.is_blocked else "irregular")

    def say_next(self) -> None:
        """Says that the first open irregularity is to be resolved, and how it can be now."""
        first = self._first()
        self._desk.say(
            Next(
                article=first.article,
                do="resolve",
                irregularity=first.number,
                actions=list(self._desk.ways_out_now(first)),
            )
        )

    # --- guards ------------------------------------------------------------------------------------------------------

    def _first(self) -> OpenIrregularity:
        return self._desk.irregularities.first_open()

    def _resolve(self) -> Resolve:
        return self._desk.event_as(Resolve)

    def not_the_first(self) -> bool:
        """Whether another irregularity comes first."""
        number = self._first().number
        return self._desk.finds(f"number {number}" if self._resolve().irregularity != number else None)

    def not_a_way_out(self) -> bool:
        """Whether the action is none of the irregularity's."""
        ways, action = self._desk.ways_out(self._first()), self._resolve().action
        return self._desk.finds(f"{action}; there are {', '.join(ways)}" if action not in ways else None)

    def _awaited(self) -> OpenIrregularity | None:
        number = self._resolve().irregularity
        return next((one for one in self._desk.irregularities.awaited if one.number == number), None)

    def nothing_awaited(self) -> bool:
        """Whether no device is waited for because of this irregularity, which a void has closed (reading G13)."""
        return self._awaited() is None

    def not_given_up(self) -> bool:
        """Whether persons ask for something else than to end the shoe game without the device."""
        action = self._resolve().action
        return self._desk.finds(None if action == "end_shoe" else action)

    def device_still_faulty(self) -> bool:
        """Whether the device must report that it is well again first."""
        return self._resolve().action not in self._desk.ways_out_now(self._first())

    def persons_missing(self) -> bool:
        """Whether too few persons answer for this way out."""
        event = self._resolve()
        if event.action in TWO_PERSONS:
            return self._desk.finds(None if two_persons(event.by) else f"{event.action} needs two different persons")
        return self._desk.finds(None if event.by else f"{event.action} needs a person")

    def cards_not_named(self) -> bool:
        """Whether the cards that the way out is about are missing, or too few, or too many."""
        event, first = self._resolve(), self._first()
        if event.action == "reassign":
            return self._desk.finds("give `cards` with their new places" if not event.cards else None)
        if event.action != "identify":
            return False
        wanted, named = max(first.missing, 1), self._named()
        form = "`cards` in order" if first.missing else "`card`"
        return self._desk.finds(f"{wanted} in {form}, {len(named)} given" if len(named) != wanted else None)

    def cards_impossible(self) -> bool:
        """Whether a named card cannot be out once more."""
        if self._resolve().action != "identify":
            return False
        named, first, stack = self._named(), self._first(), self._desk.stack
        waiting = self._desk.irregularities.waiting()
        told = first.drawn.shown if first.code == "surplus_card" and first.drawn is not None else None
        for card in named:
            if card == told:
                return self._desk.finds(f"{card} is what it was read as, and all copies of it are out")
            # A copy that lies face down does not count: to refuse the card would tell of it (reading G8).
            if stack.copies_open(card, waiting) + named.count(card) > stack.decks:
                return self._desk.finds(f"more copies of {card} than the decks hold would lie open")
        return False

    def layout_unlawful(self) -> bool:
        """Whether a reassignment asks for places that the cards cannot have had."""
        if self._resolve().action != "reassign":
            return False
        return self._desk.finds(self._round.misplaced(self._places()))

    def _places(self) -> list[Reassignment]:
        return [card for card in self._resolve().cards or () if isinstance(card, Reassignment)]

    def _named(self) -> list[Card]:
        event = self._resolve()
        if self._first().missing:
            cards = event.cards if event.cards is not UNSET else []
            return [card for card in cards if not isinstance(card, Reassignment)]
        return [event.card] if event.card is not UNSET else []

    # --- effects -----------------------------------------------------------------------------------------------------

    def take_way_out(self) -> None:
        """Closes the first irregularity and does what its way out says."""
        event, first = self._resolve(), self._first()
        self._cards = self._named()
        self._resolving = self._desk.irregularities.close_first()
        self._desk.settle(first, event.action, event.by)
        self._take[event.action]()

    def _burn(self) -> None:
        drawn = self._resolving.card
        drawn.place = BURN_PLACE
        turned = self._resolving.code == "card_turned"
        article = self._resolving.article if turned else self._desk.law.articles.undue_card
        self._desk.say(Burned(article=article, card=drawn.shown, why="invalid"))

    def _hold_for_next_round(self) -> None:
        drawn = self._resolving.card
        self._round.came_out = [card for card in self._round.came_out if card is not drawn]
        drawn.claimed = None
        self._desk.held.append(drawn)

    def _accept(self) -> None:
        self._round.accept(self._resolving.card)

    def _identify(self) -> None:
        if self._resolving.is_back:
            # It is named for the log: neither a place nor a count waits for it.
            return
        stack, drawn = self._desk.stack, self._resolving.card
        if self._resolving.missing:
            for card in self._cards:
                found = stack.find(card)
                self._desk.told.append(found)
                self._intake.offer(found, named=True)
            self._intake.offer(drawn)
        else:
            (card,) = self._cards
            stack.name(drawn, card)
            self._desk.told.append(drawn)
            self._intake.named(drawn, self._resolving.not_due)
        self._intake.follow(self._resolving.following)

    def _reassign(self) -> None:
        self._round.reassign(self._places())

    def _go_on(self) -> None:
        if self._resolving.code == "cut_card_missing":
            self._shoe.assume_cut_card()

    def _void(self) -> None:
        self._round.void(self._resolving.code)

    def _end_shoe(self) -> None:
        if self._resolving.number in self._desk.voided_with:
            self._void()
        self._end_shoe_game()

    def _end_shoe_game(self) -> None:
        """Ends it now, or, in a round that nothing has undone, with that round (reading G13)."""
        desk = self._desk
        if not desk.round_voidable:
            self._round.fire("abandon")
            for other in desk.irregularities.close_where(lambda one: "end_shoe" in desk.ways_out(one)):
                desk.settle(other, "end_shoe", self._resolve().by)
        self._shoe.fire("end_shoe")

    def give_device_up(self) -> None:
        """Ends the shoe game without waiting for a device any longer."""
        desk, event = self._desk, self._resolve()
        for one in desk.irregularities.forget_awaited(event.irregularity):
            desk.settle(one, "end_shoe", event.by, article="reading G13")
        self._end_shoe_game()
