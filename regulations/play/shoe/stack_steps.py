"""The stack: prepared, loaded, returned and counted, in this order."""

from collections.abc import Callable
from typing import Final

from regulations.events.inputs import CardsReturned, Cut, Loaded, Shuffled, StackCounted
from regulations.events.origins import origin_of
from regulations.law.game_law import EquipmentRules
from regulations.play.context.context import RuleContext
from regulations.play.context.machine import RuleMachine
from regulations.play.context.snapshot import ShoeSnapshot
from regulations.play.context.stack import Stack
from regulations.play.shoe.profile_guards import ProfileGuards
from regulations.play.shoe.states import ShoeState

S = ShoeState


class StackRules:
    def __init__(
        self,
        context: RuleContext,
        lasting: ShoeSnapshot,
        profile: ProfileGuards,
        machine: Callable[[], RuleMachine[ShoeState]],
    ) -> None:
        self._context: Final = context
        self._lasting: Final = lasting
        self._profile: Final = profile
        self._machine: Final = machine

    # --- guards -------------------------------------------------------------------------------------------------------

    def by_hand(self) -> bool:
        return self._context.deal.equipment in ("shoe", "box")

    def by_shoe(self) -> bool:
        return self._context.deal.equipment == "shoe"

    def by_shuffler(self) -> bool:
        return self._context.deal.equipment == "shuffler"

    def is_direct(self) -> bool:
        return self._context.deal.is_direct

    def stack_is_shuffled(self) -> bool:
        return not self._context.deal.is_direct

    @property
    def _material(self) -> EquipmentRules:
        return self._context.law.equipment[self._context.deal.equipment]

    def wrong_shuffler(self) -> str | None:
        by, may = self._context.event_as(Shuffled).by, self._material.shuffled_by
        return f"they are shuffled by the {' or the '.join(may)}" if by not in may else None

    def wrong_cutter(self) -> str | None:
        by, may = self._context.event_as(Cut).by, self._material.cut_by
        return f"it is cut by the {' or the '.join(may)}" if by not in may else None

    def cut_spared(self) -> bool:
        return self._context.event_as(Shuffled).by in self._material.cut_spared_after

    def is_just_shuffled(self) -> bool:
        return self._machine().moved_by.trigger == "shuffled"

    def no_cut_card(self) -> bool:
        context = self._context
        return not context.law.has_cut_card(context.deal.equipment, context.table.decks)

    def serves_one_round(self) -> bool:
        context = self._context
        return context.law.serves_one_round(context.deal.equipment, context.table.decks)

    def several_rounds(self) -> bool:
        return not self.serves_one_round()

    def stack_waits(self) -> bool:
        return self._machine().state is not S.LOAD or self._context.deal.is_direct

    def loadable(self) -> bool:
        return self._machine().state is not S.OVER or not self.by_hand()

    def not_all_cards(self) -> str | None:
        decks = self._context.table.decks
        cards, whole = self._context.event_as(Loaded).cards, Stack(decks).size
        return f"{cards} cards, {decks} decks have {whole}" if cards != whole else None

    def others_returned(self) -> str | None:
        cards, stack = self._context.event_as(CardsReturned).cards, self._context.scope.stack
        fewest = stack.out - len(self._context.held)
        out = f"{fewest} to {fewest + stack.uncertain} may have come out" if stack.uncertain else f"{fewest} came out"
        return None if fewest <= cards <= fewest + stack.uncertain else f"{cards} cards, {out}"

    def counted_by_device(self) -> bool:
        return origin_of(self._context.scope.turn.event) == "device"

    def count_disagrees(self) -> str | None:
        cards, stack = self._context.event_as(StackCounted).cards, self._context.scope.stack
        agrees = stack.left - stack.uncertain <= cards <= stack.left
        return None if agrees else f"{cards} cards found, {stack.left} must be left"

    # --- effects ------------------------------------------------------------------------------------------------------

    def adopt_equipment(self) -> None:
        self._context.adopt(self._profile.wanted_equipment)
        self._lasting.depth = None

    def load_stack(self) -> None:
        context = self._context
        context.scope.stack = Stack(context.table.decks)
        context.cards_are_back()
        context.scope.round.new_shoe()

    def put_cards_back(self) -> None:
        context = self._context
        context.scope.stack.put_back(may_be_told=context.calls.is_late)
        context.cards_are_back()
        for drawn in context.held:
            context.scope.stack.count_out(drawn)

    def end_doubt(self) -> None:
        self._context.scope.stack.end_doubt(self._context.event_as(StackCounted).cards)

    def doubt_count(self) -> None:
        self._context.scope.stack.uncertain += self._context.law.most_cards(self._context.table.seats)
