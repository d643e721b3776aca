"""The numbered names of TDP messages (``docs/protocols/tdp.md``, sections 8 to 10).

Fields of type ``int`` accept other numbers, so that newer devices stay readable.
"""

from enum import KEEP, IntEnum, IntFlag


class Face(IntEnum):
    UNKNOWN = 0
    DOWN = 1
    UP = 2


class DeviceState(IntEnum):
    IDLE = 0
    LOADED = 1
    SHUFFLING = 2
    DISPENSING = 3
    RETURNING = 4
    FAULT = 5
    UPDATING = 6


class BootReason(IntEnum):
    POWER_ON = 1
    BROWN_OUT = 2
    WATCHDOG = 3
    COMMANDED = 4
    UPDATE = 5
    CRASH = 6


class FaultCode(IntEnum):
    STUCK_AT_ENTRY = 1
    STUCK_IN_CAROUSEL = 2
    STUCK_AT_EXIT = 3
    DOUBLE_FEED = 4
    WRONG_COUNT = 5
    UNREADABLE_CARD = 6
    FOREIGN_CARD = 7
    COVER_OPEN = 8
    MOTOR_STALL = 9
    SENSOR_BLOCKED = 10
    HOMING_FAILED = 11
    OUT_OF_CARDS = 12
    OVER_TEMPERATURE = 13
    MEMORY_ERROR = 14


class RefusalReason(IntEnum):
    NOT_SUPPORTED = 1
    BAD_VALUE = 2
    BUSY = 3
    LOCKED = 4
    FAULT = 5
    COVER_OPEN = 6
    OUT_OF_CARDS = 7
    EVENTS_PENDING = 8
    OLD_ID = 9
    CONFLICTING_ID = 10
    SMALLER_TREE = 11
    OTHER_ROOT = 12


class Lamp(IntEnum):
    ATTENTION = 0
    READY = 1
    ERROR = 2


class LampMode(IntEnum):
    OFF = 0
    ON = 1
    BLINK = 2


class BootState(IntEnum):
    UNVERIFIED = 0
    VERIFIED = 1
    TEST_BOOT = 2


class Capability(IntFlag, boundary=KEEP):
    """Bits that are not in the list are kept."""

    SHUFFLES = 1 << 0
    DISPENSES = 1 << 1
    READS_CARDS = 1 << 2
    COUNTS_CARDS = 1 << 3
    DETECTS_CUT_CARD = 1 << 4
    LOCKS = 1 << 5
    TAKES_RETURNS = 1 << 6
    EJECTS = 1 << 7
    ATTESTS = 1 << 8
    KEEPS_EVENTS = 1 << 9
    """Over a power cut; without it the host reports that cards may be lost."""
    REMEMBERS_ROOTS = 1 << 10


class Condition(IntFlag, boundary=KEEP):
    """Bits that are not in the list are kept."""

    LOCKED = 1 << 0
    COVER_OPEN = 1 << 1
    FAULT = 1 << 2
    OUTBOX_FULL = 1 << 3
    CUT_CARD_SEEN = 1 << 4
