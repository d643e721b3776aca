"""A simulated shoe at its bridge, in virtual time: each card of a campaign reaches the table as the device's bytes."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, cast

from cardshoe.cli.sim.kinds import Simulated, simulated_kinds
from cardshoe.table.controller import Controller
from firmware_bridge.report import Report
from regulations.events.cards import Card
from regulations.events.inputs import AnyInput, CardDrawn, CutCard, CutCardPlaced, Loaded, RoundClosed, Table
from regulations.events.outputs import AnyOutput
from sim.clock import VirtualClock
from sim.croupier_actions import CroupierActions
from sim.simulated import DeviceOrder
from sim.wires.direct import DirectWire

DEVICE: Final = "device"


class HandsAtTable:
    """Hands that deal one stack from a device; what the device reports, they do not enter.

    Args:
        controller: of a table that has no device yet.
        cards: of the stack, the first to leave first.
    """

    def __init__(self, table: Table, controller: Controller, cards: Sequence[Card]) -> None:
        family, kind = _shoe_of(table)
        self._controller: Final = controller
        self._outputs: list[AnyOutput] = []
        self._clock: Final = VirtualClock()
        bridge = family.part("make")(
            DEVICE, "virtual", {}, (), lambda said: controller.take_report(cast("Report", said))
        )
        bridge.lift_budget()
        controller.attach(bridge)
        controller.listen(lambda taken: self._outputs.extend(taken.outputs))
        wire = DirectWire(lambda data: bridge.take_bytes(data, self._clock.now_s()))
        made = kind.make(DeviceOrder(wire, self._clock, table.decks, seed=0, serial_number="1"))
        self._hands: Final[CroupierActions[Any]] = made.hands
        self._hands.felt.stack = list(cards)
        self._hands.make_ready()

    def take(self, given: AnyInput) -> Sequence[AnyOutput]:
        """Do what an input says at the device, and enter it if the device does not report it.

        Raises:
            RuntimeError: the device reported no card.
        """
        self._outputs = []
        self._act(given)
        self._clock.run_until_idle()
        if isinstance(given, CardDrawn) and not self._outputs:
            raise RuntimeError("the device of a campaign did not report a card")
        if not (isinstance(given, CardDrawn | CutCard) and self._outputs):
            self._controller.take(given)
        return self._outputs

    def _act(self, given: AnyInput) -> None:
        hands = self._hands
        match given:
            case CutCardPlaced():
                hands.place_cut_card(given.behind)
            case Loaded():
                hands.load()
            case CardDrawn() | CutCard():
                hands.draw()
            case RoundClosed():
                hands.confirm_result()
                hands.collect()
            case _:
                return


@cache
def _shoes() -> tuple[Simulated, ...]:
    return tuple(one for one in simulated_kinds() if not one.kind.is_machine and one.kind.equipment == "shoe")


def _shoe_of(table: Table) -> Simulated:
    return next(one for one in _shoes() if not one.family.games or table.game in one.family.games)
