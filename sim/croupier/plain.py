"""The croupier at plain equipment, in every game."""

from typing import Final

from msgspec import UNSET

from regulations.events.cards import Card
from regulations.events.inputs import (
    CardDrawn,
    CardsReturned,
    CutCard,
)
from regulations.events.outputs import Irregularity, Next
from regulations.events.vocabulary import EquipmentKind, Holder
from sim.croupier.layout import LaidCards
from sim.croupier.routine import CroupierTraits
from sim.croupier.seated import SeatedCroupier
from sim.croupier_actions import CroupierActions, DealingDevice

_NO_SUCH_SEAT: Final = 99


class PlainRemedies:
    def __init__(self, layout: LaidCards) -> None:
        self._layout: Final = layout

    def mend(self) -> None:
        """Nothing: no device of its reports faults."""

    def cards_of(self, irregularity: Irregularity | None) -> list[Card]:  # noqa: ARG002  # they are told apart by order
        """The card that waits longest."""
        return list(self._layout.waiting[:1])

    def stack_is_gone(self) -> None:
        self._layout.new_stack()


class PlainCroupier(SeatedCroupier):
    def __init__(
        self, hands: CroupierActions[DealingDevice], person: CroupierTraits, *, equipment: EquipmentKind
    ) -> None:
        self._hands: Final = hands
        self._equipment: Final = equipment
        layout = LaidCards()
        super().__init__(person, hands, layout, lambda: 0.0, PlainRemedies(layout))

    def _must_wait(self, prompt: Next) -> bool:  # noqa: ARG002  # whatever it asks for, it is ready
        return False

    def _unheard(self) -> None:
        # It never says a thing twice: a card that was entered and entered again would be two.
        self._talk.wait()

    # --- cards ------------------------------------------------------------------------------------------------------

    def _pull(self) -> None:
        pulled = self._hands.draw()
        if pulled.cut_card:
            self._submit(CutCard())
        elif pulled.cards:
            (out,) = pulled.cards
            told = out.card if self._sees_it() else out.told
            self._layout.drew(out.card, is_told=told is not None)
            self._submit(CardDrawn(card=told, unseen=told is None))
        else:
            self._come_up_empty()

    def _sees_it(self) -> bool:
        prompt, options = self._situation.next, self._situation.options
        if prompt is None:
            return False
        if self._situation.is_initial_burn:
            # Reading B1: the first card is shown, and says how many follow it.
            return options.get("initial_burn") == "first_card_value" and len(self._hands.out) == 1
        split = prompt.seat is not UNSET and self._layout.is_split(prompt.seat)
        if prompt.do == "burn":
            return False
        if prompt.do == "decide" and self._sheet.law.cards_decide:
            return True  # the card is the hand's hit (reading J30)
        owner: Holder = "seat" if prompt.to is UNSET else prompt.to
        position = 1 if prompt.position is UNSET else prompt.position
        return self._sheet.layout.lies_open(owner, position, options, self._equipment, split)

    # --- the ends of rounds and shoes -------------------------------------------------------------------------------

    def _return_cards(self) -> None:
        # Whatever came out since the round was closed goes back as well.
        self._collect()
        if self._slips.one_of("miscounted"):
            self._submit(CardsReturned(cards=len(self._hands.felt.rack) + 1))
        else:
            super()._return_cards()

    def _count(self) -> int:
        return super()._count() + (self._slips.one_of("miscounted") is not None)
