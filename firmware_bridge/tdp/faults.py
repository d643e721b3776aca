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
_JAM: Final = "Open the cover, remove the card, close the cover and clear the error. Enter the removed card by hand."
_COMPARE: Final = "Compare the cards on the layout with the screen before you continue."
_SERVICE: Final = "Switch it off and on. If the fault returns, replace the machine and call the technician."
_MACHINE: Final[Mapping[FaultCode, FaultWords]] = {
    FaultCode.STUCK_AT_ENTRY: FaultWords("card stuck at the entry", _JAM),
    FaultCode.STUCK_IN_CAROUSEL: FaultWords("card stuck in the carousel", _JAM),
    FaultCode.STUCK_AT_EXIT: FaultWords("card stuck at the exit", _JAM),
    FaultCode.DOUBLE_FEED: FaultWords("two cards at once", _JAM),
    FaultCode.WRONG_COUNT: FaultWords("wrong number of cards", "Count the cards by hand, then load the stack again."),
    FaultCode.UNREADABLE_CARD: FaultWords("card cannot be read", "Two people name the card and check it for marks."),
    FaultCode.FOREIGN_CARD: FaultWords("card of another stack", "Remove it and find the missing card."),
    FaultCode.COVER_OPEN: FaultWords("cover open", "Close the cover."),
    FaultCode.MOTOR_STALL: FaultWords("motor blocked", _JAM),
    FaultCode.SENSOR_BLOCKED: FaultWords("sensor covered", "Remove what covers it, then clear the error."),
    FaultCode.HOMING_FAILED: FaultWords("the mechanism does not find its home position", _SERVICE),
    FaultCode.OUT_OF_CARDS: FaultWords("out of cards", "Add cards if the prompt asks for them."),
    FaultCode.OVER_TEMPERATURE: FaultWords("too hot", "Let it cool down. Check that its vents are clear."),
    FaultCode.MEMORY_ERROR: FaultWords("memory error", _SERVICE),
}
FAULTS: Final[Mapping[Code, FaultWords]] = {
    **{name_of(code): words for code, words in _MACHINE.items()},
    COVER_OPEN: FaultWords("cover open", "Close the cover."),
    KEY_TURNED: FaultWords("the key is turned", "Turn the key back and find out who turned it."),
    RESTARTED: FaultWords("the device restarted", _COMPARE),
    SILENT_START: FaultWords("the device restarted without reporting it", _COMPARE),
    GAP: FaultWords("events from the device are missing", _COMPARE),
    BOOT_BACK: FaultWords("the device reports fewer starts than before", _COMPARE),
    NUMBERS_BACK: FaultWords("the device reports fewer events than before", _COMPARE),
    EVENT_DIFFERS: FaultWords("the device changed an event it had reported", _COMPARE),
    FLOOD: FaultWords("more events than the table could process", _COMPARE),
    LATE_CARD: FaultWords("a card that left before the link was lost", "It belongs to no round. Follow the prompt."),
    IDENTITY: FaultWords("another device, or another firmware", "Check its nameplate before you continue."),
    JOURNAL_DISAGREES: FaultWords(
        "the device reports another journal", "Keep the device and the journal as they are. Call the supervisor."
    ),
    "dispense_overdue": FaultWords("requested cards did not come", _JAM),
}
