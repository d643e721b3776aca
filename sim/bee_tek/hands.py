"""A croupier's hands at a Bee-Tek shoe."""

from sim.bee_tek.shoe import BeeTekSettings, BeeTekShoe
from sim.clock import Clock
from sim.croupier_actions import CroupierActions
from sim.felt import CardTable
from sim.wires.wire import Wire, was_quiet


class BeeTekHands(CroupierActions[BeeTekShoe]):
    def make_ready(self) -> None:
        self.device.power_on()


def bee_tek_at(wire: Wire, clock: Clock, decks: int, settings: BeeTekSettings | None = None) -> BeeTekHands:
    wire.listen(was_quiet)
    return BeeTekHands(BeeTekShoe(clock, wire.send, settings or BeeTekSettings()), CardTable(decks))
