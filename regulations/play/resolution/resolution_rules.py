"""Guards of a resolution: what must be named, what cards and devices allow."""

from collections.abc import Callable, Sequence
from typing import Final, cast

from msgspec import UNSET

from regulations.engine.rows import Found
from regulations.events.cards import Card
from regulations.events.inputs import Amendment, Resolve
from regulations.law.persons import is_supervised, two_persons
from regulations.play.context.context import RuleContext
from regulations.play.context.irregularities import OpenIrregularity, needs_two_persons
from regulations.play.context.open_round import OpenRound
from regulations.play.resolution.correction import Correction
from regulations.play.resolution.read_cards import ReadCardRules
from regulations.play.resolution.replay import ReplayedRound


class ResolutionRules:
    def __init__(self, context: RuleContext, make_round: Callable[[], OpenRound]) -> None:
        self._context: Final = context
        self.correction: Final = Correction(context, make_round)
        self.read_cards: Final = ReadCardRules(context)
        self._again: tuple[ReplayedRound | str | None] | None = None

    def forget(self) -> None:
        """The next resolution has a correction of its own."""
        self._again = None

    def first(self) -> OpenIrregularity:
        """The irregularity that is resolved now: the earliest that is open."""
        return self._context.scope.irregularities.first_open()

    def resolve(self) -> Resolve:
        """The input in hand."""
        return self._context.event_as(Resolve)

    def not_the_first(self) -> str | None:
        number = self.first().number
        return f"number {number}" if self.resolve().irregularity != number else None

    def not_a_resolution(self) -> str | None:
        ways, action = self._context.resolutions(self.first()), self.resolve().action
        return f"{action}; there are {', '.join(ways)}" if action not in ways else None

    def _awaited(self) -> OpenIrregularity | None:
        number = self.resolve().irregularity
        return next((one for one in self._context.scope.irregularities.awaited if one.number == number), None)

    def nothing_awaited(self) -> bool:
        return self._awaited() is None

    def not_given_up(self) -> str | None:
        action = self.resolve().action
        return None if action == "end_shoe" else action

    def device_still_faulty(self) -> bool:
        return self.resolve().action not in self._context.resolutions_now(self.first())

    def persons_missing(self) -> str | None:
        event = self.resolve()
        if needs_two_persons(self.first().code if self._context.scope.irregularities.open else None, event.action):
            return None if two_persons(event.by) else f"{event.action} needs two different persons"
        return None if event.by else f"{event.action} needs a person"

    def persons_missing_for_cut_card(self) -> Found:
        return self.first().code == "cut_card_not_due" and self.persons_missing()

    def persons_missing_beside_device(self) -> Found:
        return self.first().code in ("device_disagrees", "card_by_hand") and self.persons_missing()

    def cards_not_named(self) -> str | None:
        event, first = self.resolve(), self.first()
        if event.action == "reassign":
            if first.code != "misdeal":
                return None if event.cards else "`cards` with the number of each that is burned"
            says = "give `cards`, an empty list if they were put right on the felt"
            return says if event.cards is UNSET else None
        if event.action == "accept" and self._context.scope.phase.decided and first.drawn and first.drawn.card is None:
            # It lies open from now on, and nothing has read it. A cut card needs no name.
            return "its `card`" if event.card is UNSET else None
        if event.action != "identify":
            return None
        if self.is_correction():
            entries = [one for one in event.cards or () if isinstance(one, Amendment)]
            return None if entries else "`cards` with the number of each, and which it is"
        wanted, named = max(first.missing, 1), self.named()
        form = "`cards` in order" if first.missing else "`card`"
        return f"{wanted} in {form}, {len(named)} given" if len(named) != wanted else None

    def is_correction(self) -> bool:
        action = self.resolve().action
        return action == "reassign" or (action == "identify" and self.first().code == "misdeal")

    def cards_impossible(self) -> str | None:
        named = self.named()
        return next((fault for card in named if (fault := self._speaks_against(card, named))), None)

    def _speaks_against(self, card: Card, named: Sequence[Card]) -> str | None:
        first, stack = self.first(), self._context.scope.stack
        if first.code == "surplus_card" and card == first.card.shown:
            return f"{card} is what it was read as, and all copies of it are out"
        # A copy that lies face down does not count: to refuse the card would tell of it (reading G8).
        copies = stack.copies_open(card, self._context.scope.irregularities.unresolved()) + named.count(card)
        return f"more copies of {card} than the decks hold would lie open" if copies > stack.decks else None

    def decision_missing(self) -> str | None:
        return self.correction.without_decision()

    def decided_unsupervised(self) -> bool:
        event = self.resolve()
        return event.action == "decision" and not is_supervised(event.by, self._context.roles)

    def ground_missing(self) -> Found:
        return self.is_correction() and self.correction.without_ground()

    def correction_malformed(self) -> str | None:
        return self.correction.fault_of_form()

    def speaks_against_device(self) -> Found:
        if self.is_correction():
            return self.read_cards.fault()
        first = self.first()
        # Behind a gap the cards that never were told are named, not the one that was read.
        is_renamed = self.resolve().action == "identify" and not first.missing and first.card.was_read
        return is_renamed and self.read_cards.one_too_many([first.card])

    def names_late(self) -> bool:
        return self.is_correction() and self.read_cards.names_late()

    def named_late_unsupervised(self) -> bool:
        return self.names_late() and not is_supervised(self.resolve().by, self._context.roles)

    def named_late_with_other_number(self) -> bool:
        # What cannot be run again was refused before.
        return self.names_late() and self.read_cards.changes_number(cast("ReplayedRound", self.run_again()))

    def named_too_often(self) -> str | None:
        too_many = self.is_correction() and self.correction.too_many_copies()
        return "more copies than the decks hold would be out" if too_many else None

    def struck_too_late(self) -> str | None:
        return self.correction.struck_too_late()

    def correction_impossible(self) -> str | None:
        again = self.run_again()
        return again if isinstance(again, str) else None

    def wished_elsewhere(self) -> Found:
        again = self.run_again()
        return isinstance(again, ReplayedRound) and self.correction.wishes_elsewhere(again)

    def run_again(self) -> ReplayedRound | str | None:
        """Run once an input; a text: why it cannot be; ``None``: no correction is asked for."""
        if self._again is None:
            is_asked = (self.is_correction() and bool(self.resolve().cards)) or self.resolve().action == "decision"
            self._again = (self.correction.run(self._context.scope.round) if is_asked else None,)
        (again,) = self._again
        return again

    def named(self) -> list[Card]:
        """The cards that the resolution names."""
        event = self.resolve()
        if self.first().missing:
            cards = event.cards if event.cards is not UNSET else []
            return [card for card in cards if not isinstance(card, Amendment)]
        return [event.card] if event.card is not UNSET else []

    def enters_bets(self) -> bool:
        return self.resolve().action == "enter_bets"
