"""Faults of TDP devices (docs/protocols/tdp.md), sessions and bridges."""

from collections.abc import Mapping
from typing import Final

from firmware_bridge.faults import Code, FaultWords
from firmware_bridge.tdp.session import (
    BOOT_BACK,
    EVENT_DIFFERS,
    FLOOD,
    GAP,
    IDENTITY,
    LATE_CARD,
    NUMBERS_BACK,
    SILENT_START,
)
from firmware_bridge.tdp.translation import COVER_OPEN, KEY_TURNED, RESTARTED, name_of
from protocols.tdp.codes import FaultCode

JOURNAL_DISAGREES: Final = "journal_disagrees"
"""The device remembers another journal than this one."""
_JAM: Final = "Open the cover, take the card out, close it, and clear the error; a card in your hand is typed."
_COMPARE: Final = "Compare the cards on the felt with the screen before you continue."
_SERVICE: Final = "Switch it off and on; if it comes again, take the machine off the table for its technician."
_MACHINE: Final[Mapping[FaultCode, FaultWords]] = {
    FaultCode.STUCK_AT_ENTRY: FaultWords("card stuck at the entry", _JAM),
    FaultCode.STUCK_IN_CAROUSEL: FaultWords("card stuck in the carousel", _JAM),
    FaultCode.STUCK_AT_EXIT: FaultWords("card stuck at the exit", _JAM),
    FaultCode.DOUBLE_FEED: FaultWords("two cards at once", _JAM),
    FaultCode.WRONG_COUNT: FaultWords("wrong number of cards", "Count the cards by hand, and put the stack in again."),
    FaultCode.UNREADABLE_CARD: FaultWords("card cannot be read", "Two persons name the card, and look at its marks."),
    FaultCode.FOREIGN_CARD: FaultWords("a card of another stack", "Take it out, and find the card that is missing."),
    FaultCode.COVER_OPEN: FaultWords("cover open", "Close the cover."),
    FaultCode.MOTOR_STALL: FaultWords("motor blocked", _JAM),
    FaultCode.SENSOR_BLOCKED: FaultWords("sensor covered", "Take away what covers it, and clear the error."),
    FaultCode.HOMING_FAILED: FaultWords("the mechanism does not find its place", _SERVICE),
    FaultCode.OUT_OF_CARDS: FaultWords("out of cards", "Put cards in, if the prompt asks for them."),
    FaultCode.OVER_TEMPERATURE: FaultWords("too hot", "Let it cool down; see that its vents are free."),
    FaultCode.MEMORY_ERROR: FaultWords("memory error", _SERVICE),
}
FAULTS: Final[Mapping[Code, FaultWords]] = {
    **{name_of(code): words for code, words in _MACHINE.items()},
    COVER_OPEN: FaultWords("cover open", "Close the cover."),
    KEY_TURNED: FaultWords("the key is turned", "Turn the key back; ask who turned it."),
    RESTARTED: FaultWords("the device was switched on again", _COMPARE),
    SILENT_START: FaultWords("the device was switched on again, and did not report it", _COMPARE),
    GAP: FaultWords("events of the device are missing", _COMPARE),
    BOOT_BACK: FaultWords("the device counts fewer starts than before", _COMPARE),
    NUMBERS_BACK: FaultWords("the device counts fewer events than before", _COMPARE),
    EVENT_DIFFERS: FaultWords("the device reports an event otherwise than before", _COMPARE),
    FLOOD: FaultWords("more events than the table could take", _COMPARE),
    LATE_CARD: FaultWords(
        "a card that left before the link was lost", "It belongs to no round now: follow the prompt."
    ),
    IDENTITY: FaultWords("another device, or another firmware", "Look at its plate before you continue."),
    JOURNAL_DISAGREES: FaultWords(
        "the device remembers another journal", "Keep both as they are, and tell the supervisor."
    ),
    "dispense_overdue": FaultWords("cards that were called for did not come", _JAM),
}
