"""The device acts that the regulation's answers permit.

Errors are cleared on a person's request alone.
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
"""A running command, and the meaning of its end."""


def gather(
    under_way: Mapping[str, UnderWay],
    said: dict[str, str | None],
    put: Callable[[Callable[[], None]], object],
    answer: Callable[[dict[str, str | None]], object],
) -> None:
    """Answer once all commands of an act ended, in the table's thread; ``None``: done."""
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
    for name, why in devices.items():
        if why is not None:
            logger.warning("%s: %s: %s", name, act, why)


def called_for(prompt: Next, in_a_row: int) -> tuple[DeviceAction, ...]:
    """The prompt's acts, by kind of device; only one is done. The prompt's number detects late cards."""
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
    def __init__(self, *, known: bool = True) -> None:
        self._locked: bool | None = False if known else None

    def after(self, taken: LoggedInput) -> Iterator[DeviceAction]:
        """Acts after an answer."""
        if taken.tells(Result) and not taken.tells(Irregularity, Voided):
            yield DeviceAction(DeviceActionKind.CONFIRM_ROUND)
        do = taken.prompt.do
        if do == "resolve" and self._locked is not True:
            self._locked = True
            yield DeviceAction(DeviceActionKind.LOCK)
        elif do in ("draw", "burn") and self._locked is not False:
            self._locked = False
            yield DeviceAction(DeviceActionKind.UNLOCK)
