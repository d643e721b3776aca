"""Explanation and remedy of fault codes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from firmware_bridge.admission.device_gate import NOT_ADMITTED
from firmware_bridge.bridge import NOT_ANSWERED, OVER_BUDGET
from firmware_bridge.usb_guard.refusals import FAULT_PREFIX
from regulations.events.vocabulary import NOT_UNDERSTOOD

Code = int | str


@dataclass(frozen=True, slots=True)
class FaultWords:
    name: str
    remedy: str


OF_THE_TABLE: Final[Mapping[Code, FaultWords]] = {
    NOT_ADMITTED: FaultWords(
        "the device may not be at this table", "The lines above name the failed check and who can correct it."
    ),
    NOT_ANSWERED: FaultWords(
        "the table could not process a report from the device",
        "Its port is closed, and its bytes are in the log. Check the device and the cards on the layout, then readmit "
        "it: device_readmitted, two people.",
    ),
    OVER_BUDGET: FaultWords(
        "the device sends far more than a real one",
        "Its port is closed. Check the cable and the device, then readmit it: device_readmitted, two people.",
    ),
    NOT_UNDERSTOOD: FaultWords(
        "the device sent an unknown message",
        "Compare the cards on the layout with the screen. Check baud rate, family and firmware version. It ends with "
        "the next frame that is understood, or with device_readmitted, two people.",
    ),
}
_ON_USB: Final = FaultWords(
    "the device on USB is not what the configuration allows",
    "Run `cardshoe doctor`: it shows what is connected and what to do.",
)


def words_of(code: Code, family: Mapping[Code, FaultWords]) -> FaultWords | None:
    if isinstance(code, str) and code.startswith(FAULT_PREFIX):
        return _ON_USB
    return family.get(code) or OF_THE_TABLE.get(code)


def words_by_code(family: Mapping[Code, FaultWords]) -> Iterator[tuple[str, FaultWords]]:
    yield from ((str(code), words) for code, words in {**OF_THE_TABLE, **family}.items())
    yield f"{FAULT_PREFIX}*", _ON_USB
