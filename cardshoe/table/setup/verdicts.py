"""Decisions on devices in words."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET

from firmware_bridge.trust.codes import RESOLUTIONS, TrustCode
from regulations.events.notices import DeviceCheck, DeviceJudged

_KNOWN: Final = frozenset(code.value for code in TrustCode)


def judged_text(event: DeviceJudged) -> str:
    if event.verdict == "not_judged":
        # The warning at the start has said so of all devices.
        return ""
    who = " ".join(part for part in (event.maker, event.model, event.serial) if isinstance(part, str))
    firmware = "" if event.firmware is UNSET else f", firmware {event.firmware}"
    if event.verdict == "admitted":
        return f"{event.device}: admitted: {who}{firmware}"
    if event.verdict == "cannot_attest":
        by = " and ".join(event.by)
        return f"{event.device}: CANNOT ATTEST: nothing on its line shows that it is {who}; {by} admitted it"
    lines = [f"{event.device}: NOT ADMITTED: {who}{firmware}".rstrip(": ")]
    for what, remedy in refusals_of(event):
        lines += [f"    {what}", *([f"      {remedy}"] if remedy else [])]
    return "\n".join(lines)


def refusals_of(event: DeviceJudged) -> list[tuple[str, str]]:
    return list(_refusals(event.checks))


def _refusals(checks: Sequence[DeviceCheck]) -> Iterator[tuple[str, str]]:
    for one in checks:
        if one.ok:
            continue
        remedy = ""
        # A log may be of a later version, with codes that this one does not know.
        if one.code in _KNOWN:
            remedy = "{}: {}".format(*RESOLUTIONS[TrustCode(one.code)])
        yield f"{one.check}: {'' if one.detail is UNSET else one.detail} [{one.code}]", remedy
