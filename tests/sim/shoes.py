"""A shoe on virtual time whose line is written down, and hands with decks beside one at no line."""

from collections.abc import Sequence

from protocols.angel_eye.codec import decode_telegram
from protocols.angel_eye.messages import ShoeMessage
from regulations.events.cards import Card
from sim.angel_eye.settings import ShoeSettings
from sim.angel_eye.shoe import AngelEyeShoe
from sim.clock import VirtualClock
from sim.hands import AngelEyeActions, hands_at
from sim.wires.direct import DirectWire

NO_BURN = ShoeSettings(initial_burn="none")
# 4 and 7 against 9 and 3: no natural; the player's 1 draws, the banker's 2 too. Then 9H 2C, KD KC: two naturals etc.
PLAIN: tuple[Card, ...] = ("4S", "9D", "7C", "3H", "5S", "6D", "9H", "KD", "KC", "8C", "2S", "2H", "2D", "2C")


class RecordedShoe:
    """Cards in, telegrams out."""

    def __init__(
        self,
        cards: Sequence[Card] = PLAIN,
        settings: ShoeSettings = NO_BURN,
        cut_card_behind: int | None = None,
        *,
        keep_opening: bool = False,
    ) -> None:
        self.clock = VirtualClock()
        self.frames: list[tuple[float, bytes]] = []
        self.shoe = AngelEyeShoe(self.clock, self._record, settings)
        self.shoe.load(cards, cut_card_behind)
        self.shoe.power_on()
        if not keep_opening:
            self.said()

    def _record(self, data: bytes) -> None:
        self.frames.append((round(self.clock.now_s(), 6), data))

    def _let_it_speak(self) -> None:
        # Not until nothing is left to do: that might be the timeout of a card that is half out.
        self.clock.advance(max(self.shoe.quiet_at_s - self.clock.now_s(), 0.0))

    def hex(self) -> list[str]:
        """All frames since the last look, one copy of each, spelled as in the protocol page."""
        self._let_it_speak()
        frames = [data.hex(" ").upper() for _at_s, data in self.frames]
        self.frames = []
        assert frames[0::3] == frames[1::3] == frames[2::3]
        return frames[0::3]

    def said(self) -> list[ShoeMessage]:
        """The messages since the last look."""
        return [decode_telegram(bytes.fromhex(frame)) for frame in self.hex()]

    def draw(self, count: int) -> None:
        """Draw and forget what the shoe said of it."""
        for _ in range(count):
            self.shoe.draw()
            self.said()

    def raw(self) -> bytes:
        """Every byte since the last look, replies too."""
        self._let_it_speak()
        data = b"".join(data for _at_s, data in self.frames)
        self.frames = []
        return data


def hands(decks: int = 2) -> AngelEyeActions:
    """Hands with so many decks as new, and an empty shoe that nobody hears."""
    return hands_at(DirectWire(lambda _data: None), VirtualClock(), decks)
