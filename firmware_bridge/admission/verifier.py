"""The contract of device verification, and its absence without a site."""

from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from firmware_bridge.trust.codes import RESOLUTIONS, TrustCode
from firmware_bridge.trust.facts import DeviceEvidence, TrustCheck, Unit
from protocols.tdp.messages import Hello
from regulations.events.notices import DeviceJudged
from regulations.events.vocabulary import DeviceVerdict


class AdmissionDecision(Struct, frozen=True, kw_only=True):
    verdict: DeviceVerdict
    checks: tuple[TrustCheck, ...] = ()
    by: tuple[str, ...] = ()
    unit: Unit | None = None
    registry: str = ""

    @property
    def refusals(self) -> tuple[TrustCheck, ...]:
        """The checks that do not hold."""
        return tuple(one for one in self.checks if not one.ok)


class DeviceVerifier(Protocol):
    """Calls come from the threads of several ports, and from the table's."""

    @property
    def judges(self) -> bool:
        """Without, no device is asked to attest or held back."""

    def attesting(self, presented: DeviceEvidence) -> AdmissionDecision:
        """Judge a device by what it shows and signs."""

    def plain(self, name: str, family: str, port: str, hello: Hello | None) -> AdmissionDecision:
        """Verify a device that cannot sign."""

    def recall(self, judged: DeviceJudged) -> None:
        """Apply a journal's decision on any device."""


class NoVerifier:
    judges: Final = False

    def attesting(self, presented: DeviceEvidence) -> AdmissionDecision:  # noqa: ARG002  as in `DeviceVerifier`
        """It was not judged."""
        return AdmissionDecision(verdict="not_judged")

    def plain(self, name: str, family: str, port: str, hello: Hello | None) -> AdmissionDecision:  # noqa: ARG002  as above
        """It was not judged."""
        return AdmissionDecision(verdict="not_judged")

    def recall(self, judged: DeviceJudged) -> None:
        """No effect."""


class UpdateBlock:
    """It rejects a device while ``obstacle`` returns why: its update is unfinished."""

    def __init__(self, judge: DeviceVerifier, obstacle: Callable[[], str | None]) -> None:
        self._judge: Final = judge
        self._obstacle: Final = obstacle
        # Without a site an update cannot begin while the table is at work: they share a folder.
        self._is_held: Final = obstacle() is not None

    @property
    def judges(self) -> bool:
        return self._judge.judges or self._is_held

    def attesting(self, presented: DeviceEvidence) -> AdmissionDecision:
        """Judge a device by what it shows and signs, and by its update log."""
        return self._watched(self._judge.attesting(presented))

    def plain(self, name: str, family: str, port: str, hello: Hello | None) -> AdmissionDecision:
        """Judge a device that cannot sign anything. Arguments as in ``DeviceVerifier``."""
        return self._watched(self._judge.plain(name, family, port, hello))

    def recall(self, judged: DeviceJudged) -> None:
        """Take up what a journal of this table says of a verdict."""
        self._judge.recall(judged)

    def _watched(self, found: AdmissionDecision) -> AdmissionDecision:
        what = self._obstacle()
        if what is None:
            return found
        check = failed("update", TrustCode.UPDATE_UNFINISHED, what)
        return replace(found, verdict="refused", checks=(*found.checks, check))


def refused(name: str, code: TrustCode, detail: str) -> AdmissionDecision:
    return AdmissionDecision(verdict="refused", checks=(failed(name, code, detail),))


def failed(name: str, code: TrustCode, detail: str) -> TrustCheck:
    return TrustCheck(
        name, ok=False, code=code, detail=detail, who=RESOLUTIONS[code].who, remedy=RESOLUTIONS[code].remedy
    )
