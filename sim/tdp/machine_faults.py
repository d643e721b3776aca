"""Troubles in a machine: where, and what a hand can do about them."""

from enum import Enum, IntEnum
from typing import Final

from protocols.tdp.codes import FaultCode


class Module(IntEnum):
    ENTRY = 0
    CAROUSEL = 1
    EXIT = 2
    EYE = 3
    COVER = 4
    BOARD = 5


class JamPlace(Enum):
    ENTRY = "entry"
    CAROUSEL = "carousel"
    EXIT = "exit"


JAMS: Final = {
    FaultCode.STUCK_AT_ENTRY: JamPlace.ENTRY,
    FaultCode.STUCK_IN_CAROUSEL: JamPlace.CAROUSEL,
    FaultCode.STUCK_AT_EXIT: JamPlace.EXIT,
}
JAM_AT: Final = {place: code for code, place in JAMS.items()}

MODULES: Final = {
    FaultCode.STUCK_AT_ENTRY: Module.ENTRY,
    FaultCode.STUCK_IN_CAROUSEL: Module.CAROUSEL,
    FaultCode.STUCK_AT_EXIT: Module.EXIT,
    FaultCode.DOUBLE_FEED: Module.EXIT,
    FaultCode.WRONG_COUNT: Module.CAROUSEL,
    FaultCode.UNREADABLE_CARD: Module.EYE,
    FaultCode.FOREIGN_CARD: Module.EYE,
    FaultCode.COVER_OPEN: Module.COVER,
    FaultCode.MOTOR_STALL: Module.CAROUSEL,
    FaultCode.SENSOR_BLOCKED: Module.EXIT,
    FaultCode.HOMING_FAILED: Module.CAROUSEL,
    FaultCode.OUT_OF_CARDS: Module.EXIT,
    FaultCode.OVER_TEMPERATURE: Module.CAROUSEL,
    FaultCode.MEMORY_ERROR: Module.BOARD,
}

MISFEEDS: Final = frozenset({*JAMS, FaultCode.DOUBLE_FEED})

SEEN_AT_REST: Final = (FaultCode.SENSOR_BLOCKED, FaultCode.OVER_TEMPERATURE, FaultCode.MEMORY_ERROR)

NO_HAND: Final = {
    FaultCode.OUT_OF_CARDS: "put cards in",
    FaultCode.OVER_TEMPERATURE: "wait until it has cooled down",
    FaultCode.MEMORY_ERROR: "switch it off and on",
}
"""No hand can remove the cause; the text says what helps."""


class MachineStopped(Exception):  # it unwinds what the machine was doing, as ``PowerFailed`` does
    def __init__(self, code: FaultCode, module: Module | None = None) -> None:
        super().__init__(code, module)
        self.code: Final = code
        self.module: Final = MODULES[code] if module is None else module
