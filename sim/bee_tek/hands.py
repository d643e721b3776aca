"""A croupier's hands at a Bee-Tek shoe."""

from sim.bee_tek.shoe import BeeTekSettings, BeeTekShoe
from sim.clock import Clock
from sim.croupier_actions import CroupierActions
from sim.felt import CardTable
from sim.wires.wire import Wire, nothing_heard


class BeeTekHands(CroupierActions[BeeTekShoe]):
    """Hands at a table with one Bee-Tek shoe."""

    def make_ready(self) -> None:
        self.device.power_on()


def bee_tek_at(wire: Wire, clock: Clock, decks: int, settings: BeeTekSettings | None = None) -> BeeTekHands:
    """Hands with a shoe, off and empty, at a wire, and ``decks`` decks."""
    wire.listen(nothing_heard)
    return BeeTekHands(BeeTekShoe(clock, wire.send, settings or BeeTekSettings()), CardTable(decks))
