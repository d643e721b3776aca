"""Session of one Bee-Tek shoe (``docs/firmware-bridge.md`` has the rules).

Lines have no number or check: a lost one is invisible, a damaged one a fault.
"""

from typing import Final, Literal

from firmware_bridge.session_state import SessionState, StatefulSession
from protocols.bee_tek.messages import AlarmRaised, BeeTekMessage, CardDrawn, CardNotRead
from protocols.garbage import Garbage
from regulations.events import inputs
from regulations.events.inputs import AnyInput

DAMAGED: Final = "line_damaged"
NOT_READ: Final = "E3"
HALVES_WINDOW_S: Final = 1.0
"""Within it this alarm and ``[Game]<Game>`` mean one card (Q2)."""


class BeeTekState(SessionState, kw_only=True, forbid_unknown_fields=True):
    is_lost: bool = False


class BeeTekSession(StatefulSession[BeeTekMessage, BeeTekState]):
    form = BeeTekState

    def _begin(self, state: BeeTekState) -> None:
        self.state = state
        self._is_heard = False
        self._half: Literal["alarm", "card"] | None = None
        self._half_s = float("-inf")
        self.warnings = 0
        self.damaged = 0

    def replay(self, event: AnyInput) -> None:
        if isinstance(event, inputs.DeviceLost | inputs.DeviceBack) and event.device == self._device:
            self.state.is_lost = isinstance(event, inputs.DeviceLost)

    def translate(self, message: BeeTekMessage, now_s: float) -> list[AnyInput]:
        self._is_heard = True
        match message:
            case CardDrawn():
                self._half = None
                return [self._card(message)]
            case CardNotRead():
                return self._not_read(message, "card", now_s)
            case AlarmRaised() if message.code == NOT_READ:
                return self._not_read(message, "alarm", now_s)
            case AlarmRaised():
                return self._passing_fault(message.text, message.raw)
            case _:
                self.warnings += 1
                return []

    def translate_damage(self, damage: Garbage) -> list[AnyInput]:
        """One fault until the next whole line, none before the first: a wrong speed is no loss."""
        self.damaged += 1
        if not self._is_heard:
            return []
        self._is_heard = False
        return self._passing_fault(DAMAGED, damage.raw)

    def lost(self) -> list[AnyInput]:
        self.state.is_lost, self._is_heard, self._half = True, False, None
        return [inputs.DeviceLost(device=self._device)]

    def back(self) -> list[AnyInput]:
        was_lost, self.state.is_lost = self.state.is_lost, False
        return [inputs.DeviceBack(device=self._device)] if was_lost else []

    def _not_read(
        self, message: CardNotRead | AlarmRaised, half: Literal["alarm", "card"], now_s: float
    ) -> list[AnyInput]:
        is_other_half = self._half not in (None, half) and now_s - self._half_s <= HALVES_WINDOW_S
        self._half, self._half_s = (None if is_other_half else half), now_s
        return [] if is_other_half else [self._card(message)]

    def _card(self, message: CardDrawn | CardNotRead | AlarmRaised) -> inputs.CardDrawn:
        card = message.card if isinstance(message, CardDrawn) else None
        # Cards leave a shoe face down; the eye in it sees them all the same.
        return inputs.CardDrawn(card=card, face="down", device=self._device, raw=message.raw.hex())

    def _passing_fault(self, code: str, raw: bytes) -> list[AnyInput]:
        # Over as soon as it is told, since no line says when it is, and yet a person must look.
        return [
            inputs.Fault(device=self._device, code=code, raw=raw.hex()),
            inputs.FaultCleared(device=self._device, code=code, raw=raw.hex()),
        ]
