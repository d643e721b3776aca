"""An Angel Eye shoe at a table: telegrams up, commands down through the interlock."""

import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from typing import Final

from drivers.angel_eye import LINE, AngelEyeDevice
from drivers.angel_eye_commands import CommandResult, NoReply
from drivers.discovery import port_maker
from firmware_bridge.angel_eye.session import COPIES_DIFFER, GAP, PRESET, RESTARTED, ShoeSession
from firmware_bridge.bridge import Bridge
from firmware_bridge.errors import Denied
from firmware_bridge.faults import Code, FaultWords
from firmware_bridge.interlock import ASKED, DeviceAction, DeviceActionKind
from firmware_bridge.report import Inbox
from protocols.angel_eye.messages import Command, ErrorCode, Nak, ShoeMessage
from regulations.events.notices import DeviceIdentified

ERROR_NUMBERS: Final = range(100)

COMMANDS: Final[dict[DeviceActionKind, Callable[[int], Command]]] = {
    DeviceActionKind.LOCK: lambda _: Command.lock(),
    DeviceActionKind.UNLOCK: lambda _: Command.unlock(),
    DeviceActionKind.CLEAR_ERROR: Command.clear_error,
    DeviceActionKind.CONFIRM_ROUND: lambda _: Command.confirm_round(),
}

FAULTS: Final[Mapping[Code, FaultWords]] = {
    ErrorCode.CANNOT_READ: FaultWords("card cannot be read", "Two persons name the card."),
    ErrorCode.OVERDRAW: FaultWords(
        "overdraw: a card more than the round allows", "Leave the card where it lies, and follow the prompt."
    ),
    ErrorCode.WRONG_BUTTON: FaultWords("wrong button", "Press the button that the shoe's display asks for."),
    ErrorCode.PUSHED_BACK_AT_EXIT: FaultWords(
        "card pushed back at the exit", "Draw the card out again, and clear the error at the shoe."
    ),
    ErrorCode.PUSHED_BACK_MIDWAY: FaultWords(
        "card pushed back midway", "Draw the card out whole, and clear the error at the shoe."
    ),
    ErrorCode.CARD_CODE: FaultWords("card code", "The mark on the card is not this shoe's: two persons name the card."),
    ErrorCode.DRAW_TIMED_OUT: FaultWords(
        "draw timed out", "Draw the card out in one go, and clear the error at the shoe."
    ),
    GAP: FaultWords(
        "telegrams are missing", "Compare the cards on the felt with the screen; name what is missing, then continue."
    ),
    COPIES_DIFFER: FaultWords(
        "two copies of one telegram differ", "One was damaged on the line: compare the card with the screen."
    ),
    RESTARTED: FaultWords("the shoe was switched on again", "Compare the cards on the felt with the screen."),
    PRESET: FaultWords("a setting of the shoe was changed", "Ask who changed it, and look at the shoe's presets."),
}


class ShoeBridge(Bridge[ShoeMessage]):
    """``settings`` default to 4800 8N1; ``inbox`` is called in the port's thread and must not wait."""

    _device: AngelEyeDevice
    _session: ShoeSession
    kind = DeviceIdentified(device="", maker="Angel", model="Angel Eye II-EX", reads=True, cut_card=True)

    def __init__(
        self,
        device: str,
        port_name: str,
        settings: Mapping[str, object],
        commands: Collection[DeviceActionKind],
        inbox: Inbox,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(device, commands, inbox, ShoeSession(device))
        self._device = AngelEyeDevice(
            port_name, self, port_maker(port_name, LINE.changed(settings)), on_damage=self.damaged, clock=clock
        )

    def counters(self) -> dict[str, int]:
        with self._guard:
            return {"repeats": self._session.repeats, "gaps": self._session.gaps}

    def perform(self, act: DeviceAction) -> Future[CommandResult]:
        """The attempt uses the permit; without an answer the table stops.

        Raises:
            Denied: no permit, or no such error; nothing was sent.
            DriverError: not connected, or busy; nothing was sent.
        """
        if act.number not in ERROR_NUMBERS:
            raise Denied(
                str(act), "the shoe has no such error", f"Give a number of {ERROR_NUMBERS[0]} to {ERROR_NUMBERS[-1]}."
            )
        self.interlock.use(act)
        result = self._device.send_command(COMMANDS[act.kind](act.number))
        result.add_done_callback(lambda done: self._see_to_end(act, done))
        return result

    def _not_done(self, result: object) -> str | None:
        if isinstance(result, Nak):
            return f"refused: {result.code.name.lower()}"
        return "no answer: outcome unknown" if isinstance(result, NoReply) else None

    def _see_to_end(self, act: DeviceAction, done: Future[CommandResult]) -> None:
        if done.exception() is not None:
            return  # the line is gone, which is reported already, or another command took its place
        result, why = done.result(), f"{act}: {self.outcome(done)}"
        if isinstance(result, NoReply):
            self._stop_for(f"{act.kind.value}_not_answered", why)
        elif isinstance(result, Nak) and act.kind not in ASKED:
            self._stop_for(f"{act.kind.value}_refused_{result.code.name.lower()}", why)
