"""Check the devices against the site's trust folder."""

import queue
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from cardshoe.cli.doctoring.configured import DeviceToCheck
from cardshoe.cli.doctoring.findings import Finding, fine, problem, warning
from cardshoe.journal import JournalError
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.setup.admission import check_needs_no_site, memory_of, site_judge
from cardshoe.table.setup.config import TableConfig
from cardshoe.table.setup.unfinished_update import unfinished
from cardshoe.table.setup.verdicts import refusals_of
from drivers.errors import DriverError
from firmware_bridge.admission.verifier import DeviceVerifier
from firmware_bridge.families import family_named
from firmware_bridge.report import Report
from firmware_bridge.trust.certificates import parse
from firmware_bridge.trust.codes import RESOLUTIONS, TrustCode
from firmware_bridge.trust.errors import TrustError
from regulations.events.inputs import AnyInput
from regulations.events.notices import DeviceJudged

if TYPE_CHECKING:
    from firmware_bridge.admission.site_verifier import SiteVerifier

SOON: Final = timedelta(days=14)
"""Expiry within this is a warning: renewal needs a USB drive and two people."""
WEEK: Final = timedelta(days=7)


def site(config: TableConfig) -> tuple["SiteVerifier | None", Sequence[Finding]]:
    if config.trust is None:
        try:
            check_needs_no_site(config)
        except Stop as stop:
            return None, [problem("trust", stop.what, stop.remedy, stop.code)]
        what = "no [trust]: the devices are not judged"
        return None, [
            warning("trust", what, "Name the site's folder in [trust] (docs/trust.md).")
        ] if config.devices else []
    try:
        judge = site_judge(config.trust, memory_of(config, keeps=False))
        registry = judge.open()
        head = registry.head
    except TrustError as error:
        return None, [_refused("trust", error.what, error.code)]
    except JournalError as error:
        return None, [problem("trust", f"{error.path}: {error.problem}", error.remedy)]
    found = [fine("trust", f"{config.trust}: the registry holds, head {head.seq}:{head.digest[:16]}…")]
    book = registry.book
    until = f"the registry counts until {book.expires:%Y-%m-%d}"
    if datetime.now(UTC) > book.expires:
        found.append(_refused("trust", until, TrustCode.REGISTRY_EXPIRED))
    elif datetime.now(UTC) > book.expires - WEEK:
        found.append(warning("trust", until, _remedy(TrustCode.REGISTRY_EXPIRED)))
    return judge, [*found, *_revoked(judge, timedelta(days=book.terms.grace_days)), _firmware(judge)]


def _revoked(judge: "SiteVerifier", grace: timedelta) -> Iterator[Finding]:
    try:
        found = judge.revoked()
    except TrustError as error:
        yield _refused("trust", error.what, error.code)
        return
    if found is None:
        yield _refused("trust", "the list of the revoked (revoked.pem) is missing", TrustCode.NO_REVOKED_LIST)
        return
    end = found.until + grace
    what = f"a newer list of the revoked is due on {found.until:%Y-%m-%d}; from {end:%Y-%m-%d} on no device is admitted"
    if datetime.now(UTC) > end:
        yield _refused("trust", what, TrustCode.REVOKED_LIST_EXPIRED)
    elif datetime.now(UTC) > found.until - WEEK:
        yield warning("trust", what, _remedy(TrustCode.REVOKED_LIST_EXPIRED))


def _firmware(judge: "SiteVerifier") -> Finding:
    try:
        approved = judge.firmware()
    except TrustError as error:
        if error.code is TrustCode.NO_APPROVED_LIST:
            # A table with devices that cannot attest alone needs none.
            return warning("trust", error.what, _remedy(error.code))
        return _refused("trust", error.what, error.code)
    names = ", ".join(str(one.firmware) for one in approved.entries if one.code is TrustCode.OK) or "none"
    what = f"approved firmware until {approved.expires:%Y-%m-%d}: {names}"
    if approved.expires - datetime.now(UTC) < SOON:
        return warning("trust", what, "Import a newer stick before: `cardshoe trust firmware import`.")
    return fine("trust", what)


def updates(config: TableConfig) -> Iterator[Finding]:
    for device in config.devices:
        what = unfinished(config, device)
        if what is not None:
            yield _refused(f"device {device.name}", what, TrustCode.UPDATE_UNFINISHED)


def enrolled(one: DeviceToCheck, judge: "SiteVerifier") -> Finding:
    """Verify a device against the site, without opening it."""
    about = f"device {one.name}"
    name = one.settings.get("device_name")
    if not isinstance(name, str) or one.settings.get("security") == "plain":
        found = judge.plain(one.name, one.family, one.port, None)
        check = found.checks[0]
        if check.ok:
            return warning(about, check.detail, "Its line does not show that it is still that device.")
        return _refused(about, check.detail, check.code)
    device = judge.open().book.by_name(name)
    if device is None or not device.certificate:
        return _refused(about, f"{name} is not enrolled", TrustCode.UNKNOWN_DEVICE)
    if device.revoked is not None:
        return _refused(about, f"{name} was revoked: {device.reason}", TrustCode.REVOKED)
    until = parse(device.certificate, name).not_valid_after_utc
    if until < datetime.now(UTC):
        return _refused(about, f"the certificate of {name} ended on {until:%Y-%m-%d}", TrustCode.EXPIRED)
    what = f"enrolled as {name}, {device.matter.unit}, until {until:%Y-%m-%d}"
    if until - datetime.now(UTC) < SOON:
        return warning(about, what, _remedy(TrustCode.EXPIRED))
    return fine(about, what)


def judged_at_the_line(about: str, one: DeviceToCheck, judge: DeviceVerifier, seconds: float) -> Finding:
    said: queue.SimpleQueue[AnyInput | Report] = queue.SimpleQueue()
    settings: Mapping[str, object] = one.settings
    try:
        bridge = family_named(one.family).part("make")(one.name, one.port, settings, (), said.put)
    except DriverError as error:
        return problem(about, f"{error.port}: {error.problem}", error.remedy)
    bridge.appoint(judge, one.family, one.port)
    bridge.start()
    try:
        judged = _first_verdict(said, seconds)
    finally:
        bridge.stop()
    if judged is None:
        return problem(about, f"not judged: it showed nothing within {seconds:g} s", "Listen longer.", Exit.DEVICE)
    if judged.verdict == "refused":
        what, remedy = refusals_of(judged)[0]
        return problem(about, what, remedy)
    if judged.verdict == "cannot_attest":
        return warning(about, "cannot attest, and two persons have admitted it", "Look at its plate from time to time.")
    return fine(about, f"admitted: {judged.maker} {judged.model} {judged.serial}, firmware {judged.firmware}")


def _first_verdict(said: "queue.SimpleQueue[AnyInput | Report]", seconds: float) -> DeviceJudged | None:
    deadline_s = time.monotonic() + seconds
    while True:
        try:
            one = said.get(timeout=max(deadline_s - time.monotonic(), 0))
        except queue.Empty:
            return None
        for event in one.events if isinstance(one, Report) else (one,):
            if isinstance(event, DeviceJudged):
                return event


def _refused(about: str, what: str, code: TrustCode) -> Finding:
    return problem(about, f"{what} [{code}]", _remedy(code))


def _remedy(code: TrustCode) -> str:
    return f"{RESOLUTIONS[code].who}: {RESOLUTIONS[code].remedy}"
