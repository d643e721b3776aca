"""The shoe's front: display, buttons, key and menu."""

from functools import partial
from typing import Final

from protocols.angel_eye.messages import (
    CardRetransmitted,
    ErrorCode,
    LockChanged,
    NakCode,
    Outcome,
    PresetChanged,
    RoundResult,
    StandBy,
)
from regulations.events.cards import Card
from sim.angel_eye.alarms import Alarms
from sim.angel_eye.play import CardTarget, ShoeGameModel
from sim.angel_eye.tableau import is_pair
from sim.angel_eye.transmitter import Transmitter


class Panel:
    """Buttons are dead while the shoe is off, locked, in its menu or in error mode."""

    def __init__(self, line: Transmitter, play: ShoeGameModel, alarms: Alarms) -> None:
        self._line: Final = line
        self._play: Final = play
        self._alarms: Final = alarms
        self.is_locked = False
        self.is_in_setting_mode = False
        """A card drawn meanwhile counts as outside a game."""
        self.is_card_half_out = False
        self.overdrawn: list[Card | None] = []

    # --- display ----------------------------------------------------------------------------------------------------

    @property
    def due(self) -> CardTarget | None:
        """``None``: the round is complete."""
        return self._play.due()

    @property
    def verdict(self) -> Outcome | None:
        """``None`` during a round, or with an unread card in it."""
        return self._play.round.verdict()

    @property
    def has_begun_round(self) -> bool:
        return self._play.round.has_begun

    @property
    def player(self) -> tuple[Card | None, ...]:
        return tuple(self._play.round.player)

    @property
    def banker(self) -> tuple[Card | None, ...]:
        return tuple(self._play.round.banker)

    @property
    def errors(self) -> tuple[int, ...]:
        return self._alarms.active

    # --- hands ------------------------------------------------------------------------------------------------------

    def press(self, outcome: Outcome) -> None:
        if not self._buttons_work():
            return
        if self.verdict is outcome:
            self._alarms.clear(ErrorCode.WRONG_BUTTON)
            self._end_round(outcome)
        else:
            self._alarms.raise_error(ErrorCode.WRONG_BUTTON, error_mode=False)

    def force_end(self) -> None:
        if not self._buttons_work():
            return
        self._alarms.clear(ErrorCode.WRONG_BUTTON)
        self._line.send(lambda seq: RoundResult(seq, Outcome.FORCED_END, player_pair=False, banker_pair=False))
        self._play.break_off()

    def clear_error(self, code: int | None = None) -> bool:
        """``code`` ``None``: all errors; overdrawn cards are then reported again."""
        codes = self._alarms.active if code is None else (code,)
        cleared = [self._alarms.clear(one) for one in codes]
        if ErrorCode.OVERDRAW not in self._alarms.active:
            overdrawn, self.overdrawn = self.overdrawn, []
            for card in overdrawn:
                if (slot := self._play.place_ahead(card)) is not None:
                    self._line.send(partial(CardRetransmitted, target=slot.target, index=slot.number, card=card))
        return any(cleared)

    def turn_key(self, *, locked: bool) -> None:
        if locked != self.is_locked:
            self.is_locked = locked
            self._line.send(lambda seq: LockChanged(seq, locked))

    def set_setting_mode(self, *, on: bool) -> None:
        self.is_in_setting_mode = on

    def change_preset(self, address: str, value: str) -> None:
        """2 and 4 printable characters; the meaning is unknown."""
        self._line.send(lambda seq: PresetChanged(seq, address, value))

    def stand_by(self) -> None:
        self._line.send(StandBy)

    # --- host -------------------------------------------------------------------------------------------------------

    def refusal(self) -> NakCode | None:
        """Why it takes no command now."""
        if self.is_in_setting_mode:
            return NakCode.WRITING
        return NakCode.BUSY if self.is_card_half_out else None

    def lock(self, *, locked: bool) -> bool:
        self.is_locked = locked
        return True

    def confirm_round(self) -> bool:
        verdict = self.verdict
        if verdict is None or not self._buttons_work():
            return False
        self._end_round(verdict)
        return True

    def _buttons_work(self) -> bool:
        return (
            self._line.is_powered
            and not self.is_locked
            and not self.is_in_setting_mode
            and self._alarms.blocking is None
        )

    def _end_round(self, outcome: Outcome) -> None:
        player, banker = is_pair(self.player), is_pair(self.banker)
        self._line.send(partial(RoundResult, outcome=outcome, player_pair=player, banker_pair=banker))
        self._play.end_round()
