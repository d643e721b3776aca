"""The lines of one device message."""

import logging
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import UNSET

from cardshoe.table.log.log_builder import LoggedInput, Scribe
from firmware_bridge.bridge import NOT_ANSWERED
from firmware_bridge.report import Report
from regulations.events.errors import MalformedLine
from regulations.events.inputs import AnyInput, CardDrawn, Fault
from regulations.events.line import DeviceReport
from regulations.events.vocabulary import Origin

logger: Final = logging.getLogger(__name__)


class TakenReport(msgspec.Struct, frozen=True):
    """A message's result; ``is_processed`` False: block the device."""

    taken: list[LoggedInput]
    entries: list[int]
    is_processed: bool


def take_report(scribe: Scribe, report: Report, counted: Callable[[AnyInput], AnyInput], now: str) -> TakenReport:
    """Apply one message of a device.

    If the rules fail, its bytes, an unread card and a device fault are recorded instead.
    """
    # All cards of a packet have its frame: one that lies open would show those that do not, or the next one.
    is_packet = len(report.events) > 1 and sum(isinstance(event, CardDrawn) for event in report.events) > 1
    taken: list[LoggedInput] = []
    entries: list[int] = []
    is_processed = True
    for told in report.events:
        event = with_origin(counted(told), "device", now)
        instead: list[AnyInput] = []
        first = len(taken)
        try:
            taken.append(scribe.take(event, tells_others=is_packet))
        except MalformedLine as error:
            logger.error("%s: a report that no log can hold: %s", report.device, error)  # noqa: TRY400  the text says all
            instead = [_fault(report.device, event)]
        else:
            if taken[-1].is_unanswered and event.origin == "device":
                instead = recorded_for(event, report.device)
        is_processed = is_processed and not instead
        taken += [scribe.take(with_origin(one, "device", now)) for one in instead]
        entries.append(_number(taken[first]))
    return TakenReport(taken, entries, is_processed)


def recorded_for(event: AnyInput, device: str | None = None) -> list[AnyInput]:
    found: list[AnyInput] = []
    if isinstance(event, CardDrawn):
        count = UNSET if device is None else event.count
        found.append(CardDrawn(card=None, face=event.face, count=count, device=device or UNSET))
    return found if device is None else [*found, _fault(device, event)]


def with_origin(event: AnyInput, origin: Origin, now: str) -> AnyInput:
    return msgspec.structs.replace(event, at=now, origin=origin if event.origin is UNSET else event.origin)


def _fault(device: str, event: AnyInput) -> Fault:
    raw = event.raw if isinstance(event, DeviceReport) else UNSET
    return Fault(device=device, code=NOT_ANSWERED, raw=raw, origin="table")


def _number(taken: LoggedInput) -> int:
    return 0 if taken.event.seq is UNSET else taken.event.seq
