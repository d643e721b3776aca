"""A croupier's remedies at machines that report their cards."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from protocols.tdp.codes import FaultCode
from regulations.events.cards import Card
from regulations.events.outputs import Irregularity
from sim.croupier.layout import LaidCards
from sim.tdp.machine_faults import NO_HAND
from sim.tdp.machine_hands import AnyMachineHands

FOR_DEALING: Final = 0
OUT_UNTOLD: Final = frozenset({FaultCode.STUCK_AT_EXIT, FaultCode.DOUBLE_FEED})
"""Faults that leave unreported cards under way."""


class MachineRemedies:
    def __init__(self, machines: Sequence[AnyMachineHands], layout: LaidCards) -> None:
        self.machines = list(machines)
        self._layout: Final = layout
        self.strays: Final[deque[Card]] = deque()

    def mend(self) -> None:
        """Close the cover, turn the key, remove the cause, press the button."""
        for hands in self.machines:
            device = hands.device
            device.power_on()
            device.turn_key(FOR_DEALING)
            for code in device.faults:
                self._remove_cause(hands, code)
            device.close_cover()
            device.press_clear()

    def cards_of(self, irregularity: Irregularity | None) -> list[Card]:
        layout = self._layout
        if irregularity is not None and irregularity.code == "count_gap":
            layout.put_untold_first()
            return list(layout.untold)
        return list(layout.untold[:1] or layout.waiting[:1])

    def stack_is_gone(self) -> None:
        self._layout.new_stack()
        self.strays.clear()

    def add_stray(self, card: Card) -> None:
        self._layout.drew(card, is_told=True)
        self.strays.append(card)

    def _remove_cause(self, hands: AnyMachineHands, code: FaultCode) -> None:
        if code is FaultCode.MEMORY_ERROR:
            hands.device.power_cycle()
        if code in NO_HAND:
            return
        for card in hands.remedy(code):
            if code in OUT_UNTOLD:
                # It was on its way to a place, and is laid there by hand.
                hands.felt.rack.remove(card)
                hands.felt.laid.append(card)
                self.add_stray(card)
