"""A croupier's hands at an Angel Eye shoe."""

from sim.angel_eye.settings import ShoeSettings
from sim.angel_eye.shoe import AngelEyeShoe
from sim.clock import Clock
from sim.croupier_actions import CroupierActions
from sim.draws import Draw
from sim.felt import CardTable
from sim.wires.wire import Wire


class AngelEyeActions(CroupierActions[AngelEyeShoe]):
    """Buttons, key and lamps are on ``shoe`` itself."""

    @property
    def shoe(self) -> AngelEyeShoe:
        return self.device

    def make_ready(self) -> None:
        self.shoe.power_on()

    def confirm_result(self) -> None:
        self.shoe.panel.confirm_round()

    def finish_draw(self) -> Draw:
        return self._record_draw(self.shoe.finish_draw())


def hands_at(wire: Wire, clock: Clock, decks: int, settings: ShoeSettings | None = None) -> AngelEyeActions:
    shoe = AngelEyeShoe(clock, wire.send, settings or ShoeSettings(burn_cards=decks))
    wire.listen(shoe.receive)
    return AngelEyeActions(shoe, CardTable(decks))
