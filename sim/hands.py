"""A croupier's hands at an Angel Eye shoe."""

from sim.angel_eye.settings import ShoeSettings
from sim.angel_eye.shoe import AngelEyeShoe
from sim.clock import Clock
from sim.croupier_actions import CroupierActions
from sim.draws import Draw
from sim.felt import CardTable
from sim.wires.wire import Wire


class AngelEyeActions(CroupierActions[AngelEyeShoe]):
    """Hands at a table with one Angel Eye shoe. Buttons, key and lamps are on ``shoe`` itself."""

    @property
    def shoe(self) -> AngelEyeShoe:
        """The shoe."""
        return self.device

    def make_ready(self) -> None:
        self.shoe.power_on()

    def confirm_result(self) -> None:
        self.shoe.panel.confirm_round()

    def finish_draw(self) -> Draw:
        """Pull the card that is half out, and lay it on the table."""
        return self._record_draw(self.shoe.finish_draw())


def hands_at(wire: Wire, clock: Clock, decks: int, settings: ShoeSettings | None = None) -> AngelEyeActions:
    """Hands with a shoe, off and empty, at a wire, and ``decks`` decks.

    Args:
        decks: decks of 52 cards, at least 1.
        settings: the shoe's menu; default: it burns one card per deck.
    """
    shoe = AngelEyeShoe(clock, wire.send, settings or ShoeSettings(burn_cards=decks))
    wire.listen(shoe.receive)
    return AngelEyeActions(shoe, CardTable(decks))
