"""The simulated shoe: the actions of hands and faults, and its lines."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from protocols.bee_tek.codec import encode_line
from protocols.bee_tek.messages import AlarmRaised, BeeTekMessage, CardDrawn, CardNotRead, Mode, WarningGiven
from regulations.events.cards import Card
from sim.clock import Clock
from sim.feeding import FedReading, ReadingFeed

MODES: Final = {"game": Mode.GAME, "diagnostic": Mode.DIAGNOSTIC}
NOT_READ: Final = AlarmRaised("E3 Card Not Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class BeeTekSettings:
    mode: Mode = Mode.DIAGNOSTIC
    repeats_characters: bool = False


class BeeTekShoe(ReadingFeed):
    """It receives nothing and reports neither stack nor cut card."""

    def __init__(self, clock: Clock, sink: Callable[[bytes], None], settings: BeeTekSettings) -> None:
        super().__init__()
        self.settings: Final = settings
        self._clock = clock
        self._sink = sink
        self._to_drop = 0
        self._powered = False

    @property
    def is_powered(self) -> bool:
        return self._powered

    # --- hands ------------------------------------------------------------------------------------------------------

    def power_on(self) -> None:
        self._powered = True

    def power_off(self) -> None:
        """Switch off: cards still come out, unreported."""
        self._powered = False

    def power_cycle(self) -> None:
        self.power_off()
        self.power_on()

    # --- mishaps ----------------------------------------------------------------------------------------------------

    def fail_next_read(self) -> None:
        self._readings.append(FedReading(None))

    def drop_lines(self, count: int) -> None:
        self._to_drop += count

    def alarm(self, text: str) -> None:
        """Raise an alarm."""
        self._transmit(AlarmRaised(text))

    def warn(self, code: int) -> None:
        """Give a warning, 0 to 255."""
        self._transmit(WarningGiven(code))

    def junk(self, data: bytes) -> None:
        """Send bytes that mean nothing."""
        self._send(data)

    # --- inside -----------------------------------------------------------------------------------------------------

    def _card_passes(self, card: Card) -> Card | None:
        if not self._powered:
            return None
        read = self._read(card).card
        if read is not None:
            self._transmit(CardDrawn(read, self.settings.mode))
        elif self.settings.mode is Mode.GAME:
            self._transmit(CardNotRead())
            self._transmit(NOT_READ)
        else:
            # No line is known for a card that is not read in this mode (Q3): it raises the alarm.
            self._transmit(NOT_READ)
        return read

    def _transmit(self, message: BeeTekMessage) -> None:
        repeat = self.settings.repeats_characters and self.settings.mode is Mode.GAME
        line = encode_line(message, repeat=repeat)
        if self._to_drop:
            self._to_drop -= 1
        elif self._powered:
            self._send(line)

    def _send(self, data: bytes) -> None:
        # By the clock: whoever pulls a card has it in hand before the host hears of it.
        self._clock.call_later(0.0, lambda: self._sink(data))
