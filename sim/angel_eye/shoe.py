"""The simulated shoe: the actions of hands, host and faults, and its telegrams."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from protocols.angel_eye.messages import CardDrawn, CardDrawnOutsideGame, CutCardDrawn, ErrorCode, Started
from regulations.events.cards import Card
from sim.angel_eye.alarms import Alarms
from sim.angel_eye.commands import CommandHandler
from sim.angel_eye.panel import Panel
from sim.angel_eye.play import ShoeGameModel
from sim.angel_eye.settings import DRAW_TIMEOUT_S, ShoeSettings
from sim.angel_eye.transmitter import Sink, Transmitter
from sim.clock import Clock, Timer
from sim.draws import Draw, PulledCard, ShoeMisuse
from sim.feeding import FedReading, ReadingFeed

# What a pull brings is known by this name as well to those who handle this shoe alone.
__all__ = ["AngelEyeShoe", "Draw", "PulledCard", "ShoeMisuse"]

_HIGHEST_CODE_IN_D: Final = 15
_HIGHEST_ERROR: Final = 63
_DEFAULTS: Final = ShoeSettings()


class AngelEyeShoe(ReadingFeed):
    def __init__(self, clock: Clock, sink: Sink, settings: ShoeSettings = _DEFAULTS) -> None:
        super().__init__()
        self.settings: Final = settings
        self._clock = clock
        self._line = Transmitter(clock, sink)
        self._play = ShoeGameModel(settings)
        self._alarms = Alarms(self._line)
        self.panel: Final = Panel(self._line, self._play, self._alarms)
        self._desk = CommandHandler(self.panel, sink)
        self._timeout: Timer | None = None

    @property
    def is_powered(self) -> bool:
        return self._line.is_powered

    @property
    def quiet_at_s(self) -> float:
        return self._line.quiet_at_s

    # --- hands ------------------------------------------------------------------------------------------------------

    def power_on(self) -> None:
        if not self._line.is_powered:
            self._line.is_powered = True
            self._line.send(Started)

    def power_off(self) -> None:
        """Unsent telegrams are lost; errors are cleared, but an overdraw stays."""
        self._line.is_powered = False
        self._line.reset()
        self._desk.reset()
        self.panel.set_setting_mode(on=False)
        self._alarms.forget(keep=lambda code: code == ErrorCode.OVERDRAW)

    def power_cycle(self) -> None:
        self.power_off()
        self.power_on()

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        super().load(cards, cut_card_behind)
        self._play.new_shoe()
        self.panel.overdrawn = []
        self._line.send(Started)

    def unload(self) -> list[Card]:
        self._end_pull()
        return super().unload()

    def start_draw(self) -> bool:
        if self.panel.is_card_half_out:
            raise ShoeMisuse("a card is half out already: finish the draw or push it back")
        if self.next is None:
            return False
        self.panel.is_card_half_out = True
        self._timeout = self._clock.call_later(
            DRAW_TIMEOUT_S, partial(self._alarms.raise_error, ErrorCode.DRAW_TIMED_OUT, error_mode=False)
        )
        return True

    def finish_draw(self) -> Draw:
        if not self.panel.is_card_half_out:
            raise ShoeMisuse("no card is half out: draw one first")
        return self.draw()

    def draw(self) -> Draw:
        if self.next is not None:
            self._end_pull()
        return super().draw()

    def push_back(self, *, midway: bool) -> None:
        if not self.panel.is_card_half_out:
            raise ShoeMisuse("no card is half out: start a draw first")
        self._end_pull()
        self._alarms.raise_error(
            ErrorCode.PUSHED_BACK_MIDWAY if midway else ErrorCode.PUSHED_BACK_AT_EXIT, error_mode=True
        )

    # --- mishaps ----------------------------------------------------------------------------------------------------

    def fault(self, code: int) -> None:
        """``code`` is 0 to 63, in error mode."""
        if not 0 <= code <= _HIGHEST_ERROR:
            raise ValueError(f"error code {code}: only 0 to {_HIGHEST_ERROR} fit on the wire")
        self._alarms.raise_error(code, error_mode=True)

    def fail_next_read(self, error: ErrorCode = ErrorCode.CANNOT_READ) -> None:
        """Error 1, or 6 for a foreign card code."""
        self._readings.append(FedReading(None, error))

    def drop_telegrams(self, count: int) -> None:
        self._line.to_drop += count

    # --- host -------------------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> None:
        if self._line.is_powered:
            self._desk.receive(data)

    # --- inside -----------------------------------------------------------------------------------------------------

    def _end_pull(self) -> None:
        self.panel.is_card_half_out = False
        if self._timeout is not None:
            self._timeout.cancel()
        self._alarms.clear(ErrorCode.DRAW_TIMED_OUT)

    def _cut_card_passes(self) -> None:
        self._line.send(CutCardDrawn)

    def _card_passes(self, card: Card) -> Card | None:
        if not self._line.is_powered:
            return None
        read = self._read(card)
        if self._reports_outside():
            return None
        if read.error is not None and self.settings.error_before_card:
            self._alarms.raise_error(read.error, error_mode=True)
        if self._play.due() is None:
            # It will be told once the error is cleared.
            self.panel.overdrawn.append(read.card)
            self._alarms.raise_error(ErrorCode.OVERDRAW, error_mode=True)
        else:
            slot = self._play.place(read.card)
            self._line.send(lambda seq: CardDrawn(seq, *slot, read.card))
        if read.error is not None and not self.settings.error_before_card:
            self._alarms.raise_error(read.error, error_mode=True)
        return read.card

    def _reports_outside(self) -> bool:
        code, panel = self._alarms.blocking, self.panel
        if code is None and not panel.is_locked and not panel.is_in_setting_mode:
            return False
        self._line.send(
            partial(
                CardDrawnOutsideGame,
                locked=code is None and panel.is_locked,
                in_error=code is not None,
                setting_mode=code is None and not panel.is_locked,
                error_code=min(code or 0, _HIGHEST_CODE_IN_D),
            )
        )
        return True
