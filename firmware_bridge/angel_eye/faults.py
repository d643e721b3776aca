"""The faults of an Angel Eye shoe (docs/protocols/angel-eye.md, section 6), and those that its session tells of it."""

from collections.abc import Mapping
from typing import Final

from firmware_bridge.angel_eye.session import COPIES_DIFFER, GAP, PRESET, RESTARTED
from firmware_bridge.faults import Code, FaultWords
from protocols.angel_eye.messages import ErrorCode

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
    ErrorCode.CARD_CODE: FaultWords("card code", "The card's mark is none of this shoe's: two persons name the card."),
    ErrorCode.DRAW_TIMED_OUT: FaultWords(
        "draw timed out", "Draw the card out in one go, and clear the error at the shoe."
    ),
    GAP: FaultWords(
        "telegrams are missing", "Compare the cards on the felt with the screen; name what is missing, then continue."
    ),
    COPIES_DIFFER: FaultWords(
        "two copies of one telegram differ", "One was damaged on the line: compare the card with the screen."
    ),
    RESTARTED: FaultWords("the shoe was switched on anew", "Compare the cards on the felt with the screen."),
    PRESET: FaultWords("a setting of the shoe was changed", "Ask who changed it, and look at the shoe's presets."),
}
"""By code: errors of the shoe are numbers, what the session tells is a word."""
