"""Judging by a site's folder: enrolments, revocations, approved firmware."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from firmware_bridge.admission.trust_memory import TrustMemory
from firmware_bridge.admission.verifier import AdmissionDecision, failed, refused
from firmware_bridge.trust.acts import AdmitDevice
from firmware_bridge.trust.approved.store import Approvals, FirmwareStore
from firmware_bridge.trust.certificates import RevokedList, revoked_list
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import TrustError
from firmware_bridge.trust.facts import DeviceEvidence, Unit
from firmware_bridge.trust.registry import Registry
from firmware_bridge.trust.registry_rules import EnrolledDevice
from firmware_bridge.trust.site import FIRMWARE, Site, read_revoked
from firmware_bridge.trust.verification import TrustDecision, verdict, verdict_without_attestation
from protocols.tdp.messages import Hello
from regulations.events.notices import DeviceJudged
from regulations.events.vocabulary import DeviceVerdict


class SiteVerifier:
    """It reads the folder for each verification, so that revocations count at once."""

    judges: Final = True

    def __init__(
        self, folder: Path, seen: TrustMemory, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._folder: Final = folder
        self._seen: Final = seen
        self._now: Final = now
        self._guard: Final = threading.Lock()

    def open(self) -> Registry:
        """Check the site before the table opens; record the time.

        Raises:
            TrustError: no site, an invalid or shortened registry, or a clock that went back.
        """
        with self._guard:
            registry = self._registry()
            self._seen.record_head(registry.head, self._now())
            return registry

    def firmware(self) -> Approvals:
        """The approved firmware."""
        with self._guard:
            return self._approved(self._registry()).load()

    def revoked(self) -> RevokedList | None:
        """``None`` without a file.

        Raises:
            KeyRefused: another site's list.
        """
        data = read_revoked(self._folder)
        return None if data is None else revoked_list(data, Site(self._folder).authority)

    def attesting(self, presented: DeviceEvidence) -> AdmissionDecision:
        """Judge a device by what it shows and signs; ``least_counter`` is what this table has seen of it."""
        hello = presented.hello
        unit = Unit(hello.maker, hello.model, hello.serial)
        with self._guard:
            try:
                registry = self._registry()
                revoked = read_revoked(self._folder)
            except TrustError as error:
                return _unjudgeable(error)
            least = max(presented.least_counter, self._seen.counter(unit))
            presented = msgspec.structs.replace(presented, least_counter=least)
            found = verdict(presented, registry, self._approved(registry), self._now(), revoked)
            enrolled = registry.book.by_name(found.device) if found.device else None
            try:
                self._seen.record_head(registry.head)
                if found.ok:
                    self._seen.attested(unit, hello.security_counter)
            except TrustError as error:
                return _unjudgeable(error)
        return _judgement(found, enrolled, "admitted")

    def plain(self, name: str, family: str, port: str, hello: Hello | None) -> AdmissionDecision:
        """Verify a device that cannot sign, by two people's approval and its unverified identity."""
        with self._guard:
            try:
                registry = self._registry()
                self._seen.record_head(registry.head)
            except TrustError as error:
                return _unjudgeable(error)
        found = verdict_without_attestation(name, family, port, registry, self._now())
        enrolled = registry.book.by_name(name)
        if enrolled is not None and not isinstance(enrolled.matter, AdmitDevice):
            enrolled = None
        if found.ok and hello is not None and enrolled is not None:
            said, unit = Unit(hello.maker, hello.model, hello.serial), enrolled.matter.unit
            if said != unit:
                check = failed(
                    "identity", TrustCode.IDENTITY_DIFFERS, f"admitted as {unit}, and says that it is {said}"
                )
                checks = (*found.checks, check)
                found = TrustDecision(ok=False, attests=False, device=name, checks=checks, registry=found.registry)
        return _judgement(found, enrolled, "cannot_attest")

    def recall(self, judged: DeviceJudged) -> None:
        """Apply a journal's decision of this table to the memory."""
        with self._guard:
            self._seen.recall(judged)

    def _approved(self, registry: Registry) -> "_Approved":
        return _Approved(self._folder / FIRMWARE, registry.book.anchor, self._seen, self._now())

    def _registry(self) -> Registry:
        self._seen.check_clock(self._now())
        return Site(self._folder).registry(self._seen.head)


class _Approved:
    def __init__(self, folder: Path, anchor: str | None, seen: TrustMemory, now: datetime) -> None:
        self._folder: Final = folder
        self._anchor: Final = anchor
        self._seen: Final = seen
        self._now: Final = now

    def load(self) -> Approvals:
        """No older than the newest known; its version is recorded.

        Raises:
            TrustError: an older or unusable list.
        """
        # The folder of the site is read, not written: what was seen of it is noted in this table's own memory.
        approvals = FirmwareStore(self._folder, self._anchor).load(self._now, remember=False)
        self._seen.check_list(self._anchor, approvals.version)
        self._seen.record_list(self._anchor, approvals.version)
        return approvals

    def refusal(self, unit: Unit, version: str, digest: str, security_counter: int) -> tuple[TrustCode, str]:
        try:
            approvals = self.load()
        except TrustError as error:
            return error.code, error.what
        return approvals.refusal(unit, version, digest, security_counter)


def _judgement(found: TrustDecision, enrolled: EnrolledDevice | None, good: DeviceVerdict) -> AdmissionDecision:
    return AdmissionDecision(
        verdict=good if found.ok else "refused",
        checks=found.checks,
        by=() if enrolled is None else (enrolled.proposed_by, enrolled.approved_by),
        unit=None if enrolled is None else enrolled.matter.unit,
        registry=found.registry,
    )


def _unjudgeable(error: TrustError) -> AdmissionDecision:
    return refused("registry", error.code, error.what)
