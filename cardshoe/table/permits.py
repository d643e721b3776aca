"""The acts that the regulation's answers permit at devices.

One act, once: locked while an irregularity is open, unlocked when a card is due, confirmed when the round is decided. A
device's error is cleared only when a person asks.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any, Final

from msgspec import UNSET

from cardshoe.table.log.log_builder import LoggedInput
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from regulations.events.outputs import Irregularity, Next, Voided
from regulations.events.results import Result

logger: Final = logging.getLogger(__name__)


UnderWay = tuple["Future[Any]", Callable[["Future[Any]"], str | None]]
"""How a command ends, and what that means."""


def gather(
    under_way: Mapping[str, UnderWay],
    said: dict[str, str | None],
    put: Callable[[Callable[[], None]], object],
    answer: Callable[[dict[str, str | None]], object],
) -> None:
    """Answer once all commands of one act have ended; for the table's thread.

    Args:
        put: has work done in the table's thread; from any thread.
        answer: receives the outcomes by device: ``None`` where it was done, else why not.
    """
    waiting = set(under_way)
    if not waiting:
        answer(said)

    def told(name: str, outcome: str | None) -> None:
        said[name] = outcome
        waiting.discard(name)
        if not waiting:
            answer(said)

    for name, (ends, meaning) in under_way.items():
        ends.add_done_callback(lambda done, name=name, meaning=meaning: put(partial(told, name, meaning(done))))  # type: ignore[misc]  # defaults bind this turn's


def log_outcomes(act: DeviceAction, devices: Mapping[str, str | None]) -> None:
    """Log the outcome of a request whose sender does not wait for it."""
    for name, why in devices.items():
        if why is not None:
            logger.warning("%s: %s: %s", name, act, why)


def called_for(prompt: Next, in_a_row: int) -> tuple[DeviceAction, ...]:
    """The acts that the prompt calls for, by kind of device: one is done, once.

    Args:
        prompt: what the croupier must do now, with its number in the log: by that a late card is known again.
    """
    if prompt.do in ("draw", "burn"):
        cards = max(in_a_row, 1)
        permit = 0 if prompt.seq is UNSET else prompt.seq
        let_draw = DeviceAction(DeviceActionKind.LET_DRAW, cards, permit)
        # Between rounds a card may be drawn, and the first one closes the bets: a hand decides when, never a machine.
        return (
            (let_draw,)
            if prompt.actions is not UNSET
            else (let_draw, DeviceAction(DeviceActionKind.DISPENSE, cards, permit))
        )
    return (DeviceAction(DeviceActionKind.ACCEPT_RETURN),) if prompt.do == "return_cards" else ()


class Permits:
    """Derives acts from the regulation's answers."""

    def __init__(self, *, known: bool = True) -> None:
        self._locked: bool | None = False if known else None

    def after(self, taken: LoggedInput) -> Iterator[DeviceAction]:
        """The acts that the answer to an input calls for."""
        if taken.tells(Result) and not taken.tells(Irregularity, Voided):
            yield DeviceAction(DeviceActionKind.CONFIRM_ROUND)
        do = taken.prompt.do
        if do == "resolve" and self._locked is not True:
            self._locked = True
            yield DeviceAction(DeviceActionKind.LOCK)
        elif do in ("draw", "burn") and self._locked is not False:
            self._locked = False
            yield DeviceAction(DeviceActionKind.UNLOCK)
