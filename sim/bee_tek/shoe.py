"""The shoe: what hands and mishaps can do to it, and what it then says.

What the sources leave open is decided here and listed in docs/simulator.md.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from protocols.bee_tek.codec import encode_line
from protocols.bee_tek.messages import AlarmRaised, BeeTekMessage, CardDrawn, CardNotRead, Mode, WarningGiven
from regulations.events.cards import Card
from sim.clock import Clock
from sim.draws import Draw, Out
from sim.magazine import CutCard, Magazine

MODES: Final = {"game": Mode.GAME, "diagnostic": Mode.DIAGNOSTIC}
"""The modes, as a person names them."""
NOT_READ: Final = AlarmRaised("E3 Card Not Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class BeeTekSettings:
    """How the shoe is set.

    Attributes:
        mode: game or diagnostic.
        repeats_characters: whether it repeats a card's characters behind the frame, as some units do in game mode.
    """

    mode: Mode = Mode.DIAGNOSTIC
    repeats_characters: bool = False


class BeeTekShoe:
    """A shoe. It is off at first: ``power_on``. It hears nothing from the host.

    Args:
        clock: the time it lives in; all calls come from the thread of that clock.
        sink: the line to the host; gets whole lines.
        settings: how it is set.
    """

    def __init__(self, clock: Clock, sink: Callable[[bytes], None], settings: BeeTekSettings) -> None:
        self.settings: Final = settings
        self._clock = clock
        self._sink = sink
        self._magazine = Magazine()
        self._readings: deque[Card | None] = deque()
        """The eye's readings of the cards to come, where it does not read truly; ``None``: nothing."""
        self._double_feed = False
        self._to_drop = 0
        self._powered = False

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in the shoe, the mouth first."""
        return self._magazine.cards

    @property
    def cards_left(self) -> int:
        """How many cards are in the shoe, the cut card not counted."""
        return self._magazine.cards_left

    @property
    def cards_before_cut_card(self) -> int | None:
        """Cards that come out before the cut card; ``None`` if it is out."""
        return self._magazine.cards_before_cut_card

    @property
    def is_powered(self) -> bool:
        """True if it is switched on."""
        return self._powered

    # --- hands ------------------------------------------------------------------------------------------------------

    def power_on(self) -> None:
        """Switch on; no line tells of it."""
        self._powered = True

    def power_off(self) -> None:
        """Switch off: cards still come out, and nobody hears of them."""
        self._powered = False

    def power_cycle(self) -> None:
        """Switch off and on."""
        self.power_off()
        self.power_on()

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        """Put a stack in; no line tells of it.

        Raises:
            ValueError: there are cards in it, or the cut card does not fit.
        """
        self._magazine.load(cards, cut_card_behind)

    def unload(self) -> list[Card]:
        """Take all cards out."""
        return self._magazine.take_all()

    def draw(self) -> Draw:
        """Pull a card out; the cut card is a pull of its own, of which no line tells."""
        item = self._magazine.take()
        if item is None:
            return Draw()
        if isinstance(item, CutCard):
            return Draw(cut_card=True)
        below = self._magazine.take_card_below() if self._double_feed else None
        self._double_feed = False
        out = Out(item, self._card_passes(item))
        # The eye sees only the upper one of two.
        return Draw((out,) if below is None else (out, Out(below, None)))

    # --- mishaps ----------------------------------------------------------------------------------------------------

    def fail_next_read(self) -> None:
        """Do not read the next card."""
        self._readings.append(None)

    def misread_next(self, card: Card) -> None:
        """Take the next card for ``card``."""
        self._readings.append(card)

    def double_feed_next(self) -> None:
        """Let two cards leave at the next pull, the lower one unread and untold."""
        self._double_feed = True

    def drop_lines(self, count: int) -> None:
        """Lose the next ``count`` lines altogether."""
        self._to_drop += count

    def alarm(self, text: str) -> None:
        """Raise an alarm.

        Raises:
            protocols.errors.EncodeError: the text has no form on the wire.
        """
        self._say(AlarmRaised(text))

    def warn(self, code: int) -> None:
        """Give a warning, 0 to 255."""
        self._say(WarningGiven(code))

    def junk(self, data: bytes) -> None:
        """Send bytes that mean nothing."""
        self._send(data)

    # --- inside -----------------------------------------------------------------------------------------------------

    def _card_passes(self, card: Card) -> Card | None:
        """Read a card that leaves, and tell of it; return what was told."""
        if not self._powered:
            return None
        read = self._readings.popleft() if self._readings else card
        if read is not None:
            self._say(CardDrawn(read, self.settings.mode))
        elif self.settings.mode is Mode.GAME:
            self._say(CardNotRead())
            self._say(NOT_READ)
        else:
            # No line is known for a card that is not read in this mode (Q3): it raises the alarm.
            self._say(NOT_READ)
        return read

    def _say(self, message: BeeTekMessage) -> None:
        repeat = self.settings.repeats_characters and self.settings.mode is Mode.GAME
        line = encode_line(message, repeat=repeat)
        if self._to_drop:
            self._to_drop -= 1
        elif self._powered:
            self._send(line)

    def _send(self, data: bytes) -> None:
        # By the clock: whoever pulls a card has it in hand before the host hears of it.
        self._clock.call_later(0.0, lambda: self._sink(data))
