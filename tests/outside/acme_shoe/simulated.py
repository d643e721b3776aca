"""The simulated shoe."""

from collections.abc import Callable, Sequence
from typing import Final

from acme_shoe.codec import CYCLE, encode
from regulations.events.cards import Card
from sim.control_lines import ControlCommand, ControlLines, none
from sim.croupier.reading import reading_croupier
from sim.croupier_actions import CroupierActions
from sim.draws import Draw, PulledCard
from sim.felt import CardTable
from sim.magazine import CutCardMarker, Magazine
from sim.simulated import DeviceOrder, SimOption, SimulatedDevice, SimulatedKind
from sim.wires.wire import Wire, was_quiet


class Shoe(Magazine):
    """Cards, an eye and a number."""

    def __init__(self, send: Callable[[bytes], None], *, blind: bool) -> None:
        super().__init__()
        self._send, self._blind = send, blind
        self._number, self._read_as = 0, list[Card]()
        self._double = False

    def draw(self) -> Draw:
        """Pull: each card is told, the cut card is not, nor the second of two."""
        item = self.draw_item()
        if item is None or isinstance(item, CutCardMarker):
            return Draw(cut_card=item is not None)
        below, self._double = self.draw_card_below() if self._double else None, False
        told = None if self._blind else self._read_as.pop() if self._read_as else item
        self._send(encode(self._number, told))
        self._number = self._number % CYCLE + 1
        return Draw((PulledCard(item, told), *([] if below is None else [PulledCard(below, None)])))

    def misread_next(self, card: Card) -> None:
        """Take the next card for another."""
        self._read_as = [card]

    def double_feed_next(self) -> None:
        """Let two out at the next pull."""
        self._double = True

    def power_cycle(self) -> None:
        """Off and on: it counts from 0."""
        self._number = 0


class Control(ControlLines[CroupierActions[Shoe]]):
    """The lines that move it."""

    def __init__(self, hands: CroupierActions[Shoe], wire: Wire, seed: int) -> None:
        super().__init__(hands, wire, seed)
        self._commands = {
            "draw": ControlCommand("draw [N]", "pull a card, or N", self._draw),
            "load": ControlCommand("load [SEED]", "shuffle all cards and load them", self._load),
            "misread": ControlCommand("misread CARD", "take the next card for CARD", self._misread),
            "power-cycle": ControlCommand("power-cycle", "switch off and on", self._power_cycle),
            "status": ControlCommand("status", "show the shoe", self._status),
            "help": ControlCommand("help", "list the commands", self._help),
        }

    def _status(self, arguments: Sequence[str]) -> str:
        none(arguments)
        return f"{self._hands.device.cards_left} cards in the shoe"


def _make(order: DeviceOrder) -> SimulatedDevice[CroupierActions[Shoe]]:
    order.wire.listen(was_quiet)
    shoe = Shoe(order.wire.send, blind=bool(order.values.get("blind")))
    hands = CroupierActions(shoe, CardTable(order.decks))
    return SimulatedDevice(hands, Control(hands, order.wire, order.seed))


KINDS: Final = (
    SimulatedKind(
        name="acme",
        title="Acme shoe",
        help="Simulate an Acme shoe. Type `load`, then `draw`.",
        equipment="shoe",
        make=_make,
        croupier=reading_croupier("shoe"),
        options=(SimOption("--blind", "It reads no card."),),
    ),
)
