"""The gate of one table: what is open blocks what a person asks for, until a person takes a way out."""

import math
from bisect import insort
from collections.abc import Callable, Sequence
from enum import StrEnum, unique
from typing import Final, cast

from msgspec import UNSET, UnsetType

from regulations.engine.rows import Found
from regulations.events.cards import Card
from regulations.events.inputs import Amendment, BetsClosed, Resolve
from regulations.events.outputs import Burned, Next
from regulations.events.vocabulary import Mark, ResolutionAction
from regulations.law.persons import is_supervised, two_persons
from regulations.law.rows import RegulationRow
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardStatus, DrawnCard
from regulations.play.context.irregularities import OpenIrregularity, takes_two
from regulations.play.context.machine import RuleMachine
from regulations.play.context.open_round import OpenRound
from regulations.play.resolution.card_intake import CardIntake
from regulations.play.resolution.correction import Correction
from regulations.play.resolution.read_cards import ReadCardRules
from regulations.play.resolution.replay import ReplayedRound
from regulations.play.shoe.game import ShoeGame


@unique
class ResolverState(StrEnum):
    """Open or shut: an open irregularity shuts the gate."""

    CLEAR = "clear"
    BLOCKED = "blocked"


class IrregularityResolver:
    """The actor behind the rows of :mod:`regulations.play.resolution.rows`.

    Args:
        context: what the machines of the table share.
        shoe: the shoe game.
        make_round: builds a fresh round of the table's game in the context.
        intake: takes the cards that a way out names.
        rows: the rule table.
    """

    def __init__(
        self,
        context: RuleContext,
        shoe: ShoeGame,
        make_round: Callable[[], OpenRound],
        intake: CardIntake,
        rows: Sequence[RegulationRow],
    ) -> None:
        self._context: Final = context
        self._shoe: Final = shoe
        self._correction: Final = Correction(context, make_round)
        self._read_cards: Final = ReadCardRules(context)
        self._intake: Final = intake
        self._effects: Final[dict[ResolutionAction, Callable[[], None]]] = {
            "burn": self._burn,
            "next_round": self._hold_for_next_round,
            "accept": self._accept,
            "identify": self._identify,
            "reassign": self._correct,
            "continue": self._continue,
            "void": self._void,
            "end_shoe": self._end_shoe,
            "settle": self._continue,
            "decision": self._correct,
            "counts": lambda: shoe.cut_cards.count(shoe.state),
            "set_aside": self._continue,
            "strike": self._strike,
        }
        self._resolving: OpenIrregularity
        self._cards: list[Card] = []
        self._again: tuple[ReplayedRound | str | None] | None = None
        """The correction in hand, and the round as it has it."""
        self.machine: Final[RuleMachine[ResolverState]] = RuleMachine(
            ResolverState, rows, context, (self,), ResolverState.CLEAR
        )

    @property
    def is_blocked(self) -> bool:
        """True if an irregularity is open."""
        return self.machine.state is ResolverState.BLOCKED

    def fire(self, trigger: str) -> None:
        """Gives the machine a trigger."""
        self.machine.fire(trigger)

    def sync_state(self) -> None:
        """Brings the gate to where the open irregularities have it."""
        self._again = None
        if self.is_blocked != bool(self._context.scope.irregularities.open):
            self.fire("regular" if self.is_blocked else "irregular")

    def emit_next(self) -> None:
        """Says that the first open irregularity is to be resolved, and how it can be now."""
        first = self._first()
        self._context.emit(
            Next(
                article=first.article,
                do="resolve",
                irregularity=first.number,
                actions=list(self._context.resolutions_now(first)),
            )
        )

    # --- guards ------------------------------------------------------------------------------------------------------

    def _first(self) -> OpenIrregularity:
        return self._context.scope.irregularities.first_open()

    def _resolve(self) -> Resolve:
        return self._context.event_as(Resolve)

    def not_the_first(self) -> str | None:
        """True if another irregularity comes first."""
        number = self._first().number
        return f"number {number}" if self._resolve().irregularity != number else None

    def not_a_resolution(self) -> str | None:
        """True if the action is none of the irregularity's."""
        ways, action = self._context.resolutions(self._first()), self._resolve().action
        return f"{action}; there are {', '.join(ways)}" if action not in ways else None

    def _awaited(self) -> OpenIrregularity | None:
        number = self._resolve().irregularity
        return next((one for one in self._context.scope.irregularities.awaited if one.number == number), None)

    def nothing_awaited(self) -> bool:
        """True if no device is waited for because of this irregularity, which a void has closed (reading G13)."""
        return self._awaited() is None

    def not_given_up(self) -> str | None:
        """True if persons ask for something else than to end the shoe game without the device."""
        action = self._resolve().action
        return None if action == "end_shoe" else action

    def device_still_faulty(self) -> bool:
        """True if the device must report that it is well again first."""
        return self._resolve().action not in self._context.resolutions_now(self._first())

    def persons_missing(self) -> str | None:
        """True if too few persons answer for this way out."""
        event = self._resolve()
        if takes_two(self._first().code if self.is_blocked else None, event.action):
            return None if two_persons(event.by) else f"{event.action} needs two different persons"
        return None if event.by else f"{event.action} needs a person"

    def persons_missing_for_cut_card(self) -> Found:
        """True if too few persons answer for what an unexpected cut card means."""
        return self._first().code == "cut_card_not_due" and self.persons_missing()

    def persons_missing_beside_device(self) -> Found:
        """True if too few persons answer against a device."""
        return self._first().code in ("device_disagrees", "card_by_hand") and self.persons_missing()

    def cards_not_named(self) -> Found:
        """True if the cards that the way out is about are missing, or too few, or too many."""
        event, first = self._resolve(), self._first()
        if event.action == "reassign":
            if first.code != "misdeal":
                return None if event.cards else "`cards` with the number of each that is burned"
            says = "give `cards`, an empty list if they were put right on the felt"
            return says if event.cards is UNSET else None
        if event.action == "accept" and self._context.scope.phase.decided and first.card.card is None:
            # It lies open from now on, and nothing has read it.
            return "its `card`" if event.card is UNSET else None
        if event.action != "identify":
            return False
        if self._is_correction():
            entries = [one for one in event.cards or () if isinstance(one, Amendment)]
            return None if entries else "`cards` with the number of each, and which it is"
        wanted, named = max(first.missing, 1), self._named()
        form = "`cards` in order" if first.missing else "`card`"
        return f"{wanted} in {form}, {len(named)} given" if len(named) != wanted else None

    def _is_correction(self) -> bool:
        action = self._resolve().action
        return action == "reassign" or (action == "identify" and self._first().code == "misdeal")

    def cards_impossible(self) -> str | None:
        """True if a named card cannot be out once more."""
        named = self._named()
        return next((fault for card in named if (fault := self._speaks_against(card, named))), None)

    def _speaks_against(self, card: Card, named: Sequence[Card]) -> str | None:
        first, stack = self._first(), self._context.scope.stack
        if first.code == "surplus_card" and card == first.card.shown:
            return f"{card} is what it was read as, and all copies of it are out"
        # A copy that lies face down does not count: to refuse the card would tell of it (reading G8).
        copies = stack.copies_open(card, self._context.scope.irregularities.unresolved()) + named.count(card)
        return f"more copies of {card} than the decks hold would lie open" if copies > stack.decks else None

    def decision_missing(self) -> str | None:
        """True if the decision that was taken before the last card is not named, or is none that there can be."""
        return self._correction.without_decision()

    def decided_unsupervised(self) -> bool:
        """True if no supervisor answers for that decision, where the log knows who is one."""
        event = self._resolve()
        return event.action == "decision" and not is_supervised(event.by, self._context.roles)

    def ground_missing(self) -> Found:
        """True if a card is said not to count without one of the grounds."""
        return self._is_correction() and self._correction.without_ground()

    def correction_malformed(self) -> str | None:
        """True if a correction names cards that the round does not have, or another place than the order's."""
        return self._correction.fault_of_form()

    def speaks_against_device(self) -> Found:
        """True if a correction says of a card that a device has read or counted what persons cannot say."""
        if self._is_correction():
            return self._read_cards.fault()
        drawn = self._first().drawn
        is_renamed = self._resolve().action == "identify" and drawn is not None and drawn.was_read
        return is_renamed and self._read_cards.one_too_many([self._first().card])

    def named_late_unsupervised(self) -> bool:
        """True if no supervisor answers for renaming a device-read card after the result."""
        return self._is_correction() and self._read_cards.unsupervised()

    def named_late_with_other_number(self) -> bool:
        """True if by that name another number of cards would have been due."""
        # What cannot be run again was refused before; without a name there is nothing to run, nor anything asked of it.
        return self._read_cards.changes_number(cast("ReplayedRound", self._run_again()))

    def named_too_often(self) -> str | None:
        """True if more cards would be out than there are."""
        too_many = self._is_correction() and self._correction.too_many_copies()
        return "more copies than the decks hold would be out" if too_many else None

    def struck_too_late(self) -> str | None:
        """True if a card is struck once the result is out that must stay."""
        return self._correction.struck_too_late()

    def correction_impossible(self) -> str | None:
        """True if the round cannot be run again so."""
        again = self._run_again()
        return again if isinstance(again, str) else None

    def wished_elsewhere(self) -> Found:
        """True if a card is wished to another place than the order in which the cards left gives it."""
        again = self._run_again()
        return isinstance(again, ReplayedRound) and self._correction.wishes_elsewhere(again)

    def _run_again(self) -> ReplayedRound | str | None:
        """The round as the correction in hand has it, once for each; ``None`` where none is asked for."""
        if self._again is None:
            is_asked = (self._is_correction() and bool(self._resolve().cards)) or self._resolve().action == "decision"
            self._again = (self._correction.run(self._context.scope.round) if is_asked else None,)
        (again,) = self._again
        return again

    def _named(self) -> list[Card]:
        event = self._resolve()
        if self._first().missing:
            cards = event.cards if event.cards is not UNSET else []
            return [card for card in cards if not isinstance(card, Amendment)]
        return [event.card] if event.card is not UNSET else []

    def enters_bets(self) -> bool:
        """True if persons enter the wagers of a round whose first card has left (reading B8)."""
        return self._resolve().action == "enter_bets"

    # --- effects -----------------------------------------------------------------------------------------------------

    def apply_resolution(self) -> None:
        """Closes the first irregularity and does what its way out says."""
        event, first = self._resolve(), self._first()
        self._cards = self._named()
        mark = self._mark()
        self._resolving = self._context.scope.irregularities.close_first()
        put_right = self._context.law.articles.put_right if event.action == "reassign" else ""
        self._context.settle(first, event.action, event.by, article=put_right, mark=mark)
        self._effects[event.action]()

    def _mark(self) -> Mark | UnsetType:
        """What surveillance is to look at in what is resolved now (readings G18, G19)."""
        first, action = self._first(), self._resolve().action
        if (first.code, action) == ("card_by_hand", "accept"):
            return "cut_card_by_hand" if first.drawn is None else "by_hand"
        if action == "decision":
            return "late_decision"
        return "late_name" if self._is_correction() and self._read_cards.names_late() else UNSET

    def remember_failure(self) -> None:
        """A correction of the cards that count was refused: from now on the round may be void (readings G11, G12)."""
        if not self._read_cards.only_names():
            self._first().leads_to_void = True

    def _burn(self) -> None:
        drawn = self._resolving.card
        drawn.place, drawn.status = BURN_PLACE, CardStatus.BURNED
        article = self._context.scope.round.burned_by(self._resolving)
        self._context.emit(Burned(article=article, card=drawn.shown, why="invalid"))

    def _hold_for_next_round(self) -> None:
        drawn = self._resolving.card
        drawn.claimed, drawn.status = None, CardStatus.HELD
        # All that left before it lies: if a card is due, it left while the deal was held, and no order of cards made it
        # undue.
        drawn.held_though_due = self._shoe.due.place is not None
        insort(self._context.held, drawn, key=lambda one: one.left)

    def _accept(self) -> None:
        first = self._resolving
        if first.code != "card_by_hand":
            self._accept_unseen(first.card)
        elif first.drawn is None:
            self._shoe.cut_cards.accept()
        else:
            self._intake.accept(first.drawn, first.not_due, is_back=first.is_back)

    def _accept_unseen(self, drawn: DrawnCard) -> None:
        for card in self._cards if drawn.card is None else ():
            self._context.scope.stack.name(drawn, card)
            self._context.scope.turn.told.append(drawn)
        self._context.scope.round.accept(drawn)

    def _strike(self) -> None:
        drawn = self._resolving.drawn
        if drawn is not None and not self._resolving.is_back:
            self._intake.strike(drawn)

    def _identify(self) -> None:
        if self._resolving.code == "misdeal":
            self._correct()
            return
        if self._resolving.is_back:
            # It is named for the log: neither a place nor a count waits for it, nor for the cards behind it.
            return
        if self._resolving.missing:
            self._intake.find(self._resolving.card, self._cards)
        else:
            (card,) = self._cards
            self._resolving.card.was_misread = self._resolving.card.was_read
            self._intake.name(self._resolving.card, card, self._resolving.not_due)

    def enter_bets(self) -> None:
        """Closes the bets with the wagers that lay there when the card left, unless the round refuses them.

        The round begins before that card: it, and the cards behind it, lie where they are due.
        """
        context, event, first = self._context, self._resolve(), self._first()
        drawn, register = first.card, context.scope.irregularities
        since = register.last_left - math.ceil(drawn.left) + 1
        context.scope.turn.out_before = context.scope.stack.out - since
        context.scope.turn.event = BetsClosed(seats=event.seats or [], wagers=event.wagers or [])
        self._shoe.to_round()
        context.scope.turn.event = event
        if not context.scope.phase.open:
            context.scope.turn.out_before = context.scope.stack.out
            return
        register.close_first()
        context.settle(first, event.action, event.by, mark="late_bets")
        register.wait(drawn)
        # It was the earliest of all that are open.
        context.scope.record.came_out += sorted(register.unresolved(), key=lambda one: one.left)
        self._shoe.cut_cards.order_among_cards()

    def _correct(self) -> None:
        """The round stands as if it had been dealt so from the start (reading G11)."""
        again = self._run_again()
        if isinstance(again, ReplayedRound):
            self._adopt(again)

    def _adopt(self, again: ReplayedRound) -> None:
        context, correction = self._context, self._correction
        self._read_cards.mark_renamed(again)
        correction.count(again)
        context.scope.turn.told += [one.drawn for one in again.cards if one.is_named]
        correction.emit_changes(again)
        waits = [drawn for drawn in context.held if not any(drawn is one for one in context.scope.record.came_out)]
        context.held[:] = sorted((*waits, *again.held), key=lambda one: one.left)
        laid = {id(one.before) for one in again.cards if one.drawn is not one.before}
        register = context.scope.irregularities
        register.waiting = [drawn for drawn in register.waiting if id(drawn) not in laid]
        register.wait(*again.waiting)
        self._shoe.adopt(again.round, again.record)
        again.round.judge_corrected()
        if again.record.came_out:
            self._intake.miss_cut_card(again.record.came_out[-1])

    def _continue(self) -> None:
        if self._resolving.code == "cut_card_missing":
            self._shoe.cut_cards.assume()

    def _void(self) -> None:
        self._context.scope.round.void(self._resolving.code)

    def _end_shoe(self) -> None:
        if self._resolving.number in self._context.scope.turn.voidable:
            self._void()
        self._end_shoe_game()

    def _end_shoe_game(self) -> None:
        """Ends it now, or, in a round that nothing has undone, with that round (reading G13)."""
        context = self._context
        if not context.scope.phase.voidable:
            self._context.scope.round.fire("abandon")
            context.scope.record.clear()
            for other in context.scope.irregularities.close_where(lambda one: "end_shoe" in context.resolutions(one)):
                context.settle(other, "end_shoe", self._resolve().by)
            context.burn_waiting()
        self._shoe.fire("end_shoe")

    def give_device_up(self) -> None:
        """Ends the shoe game without waiting for a device any longer."""
        context, event = self._context, self._resolve()
        for one in context.scope.irregularities.forget_awaited(event.irregularity):
            context.settle(one, "end_shoe", event.by, article="reading G13")
        self._end_shoe_game()
