"""The shoe as a whole: what hands, host and mishaps can do to it, and what it then says.

What the sources leave open is decided here and listed in docs/simulator.md. It keeps its round over a power cut.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from protocols.angel_eye.messages import (
    CardDrawn,
    CardDrawnOutsideGame,
    CardRetransmitted,
    CutCardDrawn,
    ErrorCode,
    LockChanged,
    NakCode,
    Outcome,
    PresetChanged,
    RoundResult,
    ShoeMessage,
    StandBy,
    Started,
)
from regulations.events.cards import Card
from sim.angel_eye.alarms import Alarms
from sim.angel_eye.commands import CommandDesk
from sim.angel_eye.play import Play, Slot
from sim.angel_eye.reader import Reader
from sim.angel_eye.settings import DRAW_TIMEOUT_S, ShoeSettings
from sim.angel_eye.tableau import is_pair
from sim.angel_eye.transmitter import Sink, Transmitter
from sim.clock import Clock, Timer
from sim.draws import Draw, Out, ShoeMisuse
from sim.magazine import CutCard, Magazine

# What a pull brings is known by this name as well to those who handle this shoe alone.
__all__ = ["AngelEyeShoe", "Draw", "Out", "ShoeMisuse"]

_HIGHEST_CODE_IN_D: Final = 15
_HIGHEST_ERROR: Final = 63
_DEFAULTS: Final = ShoeSettings()


class AngelEyeShoe:
    """A shoe. It is off at first: ``power_on``.

    Args:
        clock: the time it lives in; all calls come from the thread of that clock.
        sink: the line to the host; gets whole frames.
        settings: what is set in its menu.
    """

    def __init__(self, clock: Clock, sink: Sink, settings: ShoeSettings = _DEFAULTS) -> None:
        self.settings: Final = settings
        self._clock = clock
        self._line = Transmitter(clock, sink)
        self._magazine = Magazine()
        self._reader = Reader()
        self._play = Play(settings)
        self._alarms = Alarms(self._line)
        self._desk = CommandDesk(self, sink)
        self._powered = False
        self._locked = False
        self._setting_mode = False
        self._half_out = False
        self._timeout: Timer | None = None
        self._double_feed = False
        self._overdrawn: list[Card | None] = []

    # --- what can be seen -------------------------------------------------------------------------------------------

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in the shoe, the mouth first; no firmware knows them, tests do."""
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
    def due(self) -> Slot | None:
        """The next place, as its display shows it; ``None``: the round is complete."""
        return self._play.due()

    @property
    def verdict(self) -> Outcome | None:
        """Which result lamp is lit; ``None`` while the round goes on or a card of it was not read."""
        return self._play.round.verdict()

    @property
    def has_begun_round(self) -> bool:
        """True if a card of the round in play is out, one burned before it included."""
        return self._play.round.has_begun

    @property
    def player(self) -> tuple[Card | None, ...]:
        """The player's cards as the shoe knows them."""
        return tuple(self._play.round.player)

    @property
    def banker(self) -> tuple[Card | None, ...]:
        """The banker's cards as the shoe knows them."""
        return tuple(self._play.round.banker)

    @property
    def errors(self) -> tuple[int, ...]:
        """Errors on its display, oldest first."""
        return self._alarms.active

    @property
    def is_powered(self) -> bool:
        """True if it is switched on."""
        return self._powered

    @property
    def is_locked(self) -> bool:
        """True if it is locked, by key or by the host."""
        return self._locked

    @property
    def is_in_setting_mode(self) -> bool:
        """True if its menu is open."""
        return self._setting_mode

    @property
    def is_card_half_out(self) -> bool:
        """True if something hangs in the mouth."""
        return self._half_out

    @property
    def quiet_at_s(self) -> float:
        """The clock's time from which its sending lamp is dark."""
        return self._line.quiet_at_s

    # --- hands ------------------------------------------------------------------------------------------------------

    def power_on(self) -> None:
        """Switch on; the shoe says so."""
        if not self._powered:
            self._powered = True
            self._say(Started)

    def power_off(self) -> None:
        """Switch off: it says no more, and what it had not sent yet is lost. Errors are gone, but an overdraw stays."""
        self._powered = False
        self._line.reset()
        self._desk.reset()
        self._setting_mode = False
        self._alarms.forget(keep=lambda code: code == ErrorCode.OVERDRAW)

    def power_cycle(self) -> None:
        """Switch off and on."""
        self.power_off()
        self.power_on()

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        """Put a stack in, which is a change of shoe.

        Args:
            cards: in the order in which they will come out.
            cut_card_behind: cards that lie behind the cut card; ``None``: no cut card.

        Raises:
            ValueError: there are cards in it, or the cut card does not fit.
        """
        self._magazine.load(cards, cut_card_behind)
        self._play.new_shoe()
        self._overdrawn = []
        if self._powered:
            self._say(Started)

    def unload(self) -> list[Card]:
        """Open it and take all cards out, the one in the mouth too."""
        self._end_pull()
        return self._magazine.take_all()

    def start_draw(self) -> bool:
        """Pull a card half out; return whether there was one.

        Raises:
            ShoeMisuse: one hangs in the mouth already.
        """
        if self._half_out:
            raise ShoeMisuse("a card is half out already: finish the draw or push it back")
        if self._magazine.cards_left == 0 and self._magazine.cards_before_cut_card is None:
            return False
        self._half_out = True
        self._timeout = self._clock.call_later(DRAW_TIMEOUT_S, self._draw_timed_out)
        return True

    def finish_draw(self) -> Draw:
        """Pull the card in the mouth out altogether.

        Raises:
            ShoeMisuse: nothing hangs in the mouth.
        """
        if not self._half_out:
            raise ShoeMisuse("no card is half out: draw one first")
        return self.draw()

    def draw(self) -> Draw:
        """Pull a card out, the one in the mouth if there is one; from an empty shoe nothing comes.

        The cut card at the mouth is a pull of its own: the next one brings the card behind it.
        """
        item = self._magazine.take()
        if item is None:
            return Draw()
        self._end_pull()
        if isinstance(item, CutCard):
            self._say(CutCardDrawn)
            return Draw(cut_card=True)
        below = self._magazine.take_card_below() if self._double_feed else None
        self._double_feed = False
        out = Out(item, self._card_passes(item))
        # The eye sees only the upper one of two.
        return Draw((out,) if below is None else (out, Out(below, None)))

    def push_back(self, *, midway: bool) -> None:
        """Push the card in the mouth back, ``midway`` or at the exit: an error, and the card lies in the mouth again.

        Raises:
            ShoeMisuse: nothing hangs in the mouth.
        """
        if not self._half_out:
            raise ShoeMisuse("no card is half out: start a draw first")
        self._end_pull()
        self._raise(ErrorCode.PUSHED_BACK_MIDWAY if midway else ErrorCode.PUSHED_BACK_AT_EXIT, error_mode=True)

    def press(self, outcome: Outcome) -> None:
        """Press a result button: the right one ends the round, another is an error. Dead while locked or in error."""
        if not self._buttons_work():
            return
        if self.verdict is outcome:
            self._alarms.clear(ErrorCode.WRONG_BUTTON)
            self._end_round(outcome)
        else:
            self._raise(ErrorCode.WRONG_BUTTON, error_mode=False)

    def force_end(self) -> None:
        """End the round, or an initial burn, by force, and forget cards laid ahead. Dead while locked or in error."""
        if not self._buttons_work():
            return
        self._alarms.clear(ErrorCode.WRONG_BUTTON)
        self._say(lambda seq: RoundResult(seq, Outcome.FORCED_END, player_pair=False, banker_pair=False))
        self._play.break_off()

    def clear_error(self, code: int | None = None) -> bool:
        """Clear error ``code``, or all; return whether there was one. Overdrawn cards are then told again."""
        codes = self._alarms.active if code is None else (code,)
        cleared = [self._alarms.clear(one) for one in codes]
        if ErrorCode.OVERDRAW not in self._alarms.active:
            overdrawn, self._overdrawn = self._overdrawn, []
            for card in overdrawn:
                self._tell_again(card)
        return any(cleared)

    def turn_key(self, *, locked: bool) -> None:
        """Lock or unlock with the key; the shoe says so if that changes anything."""
        if locked != self._locked:
            self._locked = locked
            self._say(lambda seq: LockChanged(seq, locked))

    def set_setting_mode(self, *, on: bool) -> None:
        """Open or leave the menu; a card drawn meanwhile counts as outside a game."""
        self._setting_mode = on

    def change_preset(self, address: str, value: str) -> None:
        """Change a preset (2 and 4 printable characters). It is told, and changes nothing: its meaning is unknown."""
        self._say(lambda seq: PresetChanged(seq, address, value))

    def stand_by(self) -> None:
        """Let it say that it stands by."""
        self._say(StandBy)

    # --- mishaps ----------------------------------------------------------------------------------------------------

    def fault(self, code: int) -> None:
        """Raise error ``code``, 0 to 63, in error mode.

        Raises:
            ValueError: no such code on the wire.
        """
        if not 0 <= code <= _HIGHEST_ERROR:
            raise ValueError(f"error code {code}: only 0 to {_HIGHEST_ERROR} fit on the wire")
        self._raise(code, error_mode=True)

    def fail_next_read(self, error: ErrorCode = ErrorCode.CANNOT_READ) -> None:
        """Do not read the next card: error 1, or 6 for a foreign card code."""
        self._reader.fail_next(error)

    def misread_next(self, card: Card) -> None:
        """Take the next card for ``card``."""
        self._reader.misread_next(card)

    def double_feed_next(self) -> None:
        """Let two cards leave at the next pull, the lower one unread."""
        self._double_feed = True

    def drop_telegrams(self, count: int) -> None:
        """Lose the next ``count`` telegrams altogether, all their copies."""
        self._line.to_drop += count

    # --- host -------------------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> None:
        """Take bytes from the host."""
        if self._powered:
            self._desk.receive(data)

    def refusal(self) -> NakCode | None:
        """Why it takes no command now."""
        if self._setting_mode:
            return NakCode.WRITING
        return NakCode.BUSY if self._half_out else None

    def lock(self, *, locked: bool) -> bool:
        """Lock or unlock for the host; no telegram tells of it, the host knows."""
        self._locked = locked
        return True

    def confirm_round(self) -> bool:
        """Do for the host what the right result button does; ``False`` if no result waits."""
        verdict = self.verdict
        if verdict is None or not self._buttons_work():
            return False
        self._end_round(verdict)
        return True

    # --- inside -----------------------------------------------------------------------------------------------------

    def _say(self, message: Callable[[int], ShoeMessage]) -> None:
        if self._powered:
            self._line.say(message)

    def _raise(self, code: int, *, error_mode: bool) -> None:
        if self._powered:
            self._alarms.raise_error(code, error_mode=error_mode)

    def _buttons_work(self) -> bool:
        return self._powered and not self._locked and not self._setting_mode and self._alarms.blocking is None

    def _draw_timed_out(self) -> None:
        self._raise(ErrorCode.DRAW_TIMED_OUT, error_mode=False)

    def _end_pull(self) -> None:
        self._half_out = False
        if self._timeout is not None:
            self._timeout.cancel()
        self._alarms.clear(ErrorCode.DRAW_TIMED_OUT)

    def _end_round(self, outcome: Outcome) -> None:
        player, banker = is_pair(self.player), is_pair(self.banker)
        self._say(partial(RoundResult, outcome=outcome, player_pair=player, banker_pair=banker))
        self._play.end_round()

    def _card_passes(self, card: Card) -> Card | None:
        """Read a card that leaves, play it, tell of it; return what was told."""
        if not self._powered:
            return None
        read = self._reader.read(card)
        if self._tells_outside():
            return None
        if read.error is not None and self.settings.error_before_card:
            self._raise(read.error, error_mode=True)
        if self._play.due() is None:
            # It will be told once the error is cleared.
            self._overdrawn.append(read.card)
            self._raise(ErrorCode.OVERDRAW, error_mode=True)
        else:
            slot = self._play.lay(read.card)
            self._say(lambda seq: CardDrawn(seq, *slot, read.card))
        if read.error is not None and not self.settings.error_before_card:
            self._raise(read.error, error_mode=True)
        return read.card

    def _tells_outside(self) -> bool:
        code = self._alarms.blocking
        if code is None and not self._locked and not self._setting_mode:
            return False
        self._say(
            partial(
                CardDrawnOutsideGame,
                locked=code is None and self._locked,
                in_error=code is not None,
                setting_mode=code is None and not self._locked,
                error_code=min(code or 0, _HIGHEST_CODE_IN_D),
            )
        )
        return True

    def _tell_again(self, card: Card | None) -> None:
        slot = self._play.lay_ahead(card)
        if slot is not None:
            self._say(lambda seq: CardRetransmitted(seq, *slot, card))
