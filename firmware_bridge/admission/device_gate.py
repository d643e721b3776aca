"""The gate before one device: it logs the identity and blocks until admission."""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from firmware_bridge.admission.verifier import AdmissionDecision, DeviceVerifier, NoVerifier
from firmware_bridge.interlock import Interlock
from protocols.tdp.messages import Hello
from regulations.events import inputs
from regulations.events.inputs import AnyInput
from regulations.events.notices import DeviceCheck, DeviceJudged

NOT_ADMITTED: Final = "not_admitted"
_WAITS: Final = "it is being judged"


class DeviceGate:
    """Used with the guard of the device's bridge held."""

    def __init__(self, device: str, interlock: Interlock) -> None:
        self._device: Final = device
        self._interlock: Final = interlock
        self._judge: DeviceVerifier | None = None
        self._family = self._port = ""
        self._has_fault = False
        self.is_pending = False
        self.is_refused = False

    @property
    def is_appointed(self) -> bool:
        return self._judge is not None

    @property
    def judges(self) -> bool:
        return self._judge is not None and self._judge.judges

    @property
    def judge(self) -> DeviceVerifier:
        """The verifier."""
        return self._judge or NoVerifier()

    def appoint(self, judge: DeviceVerifier, family: str, port: str) -> None:
        """Have it judged from here on, and held back until then."""
        self._judge, self._family, self._port = judge, family, port
        self.begin()

    def begin(self) -> None:
        if self.judges:
            self.is_pending = True
            self._interlock.hold("admission", _WAITS)

    def by_name(self, hello: Hello | None = None) -> list[AnyInput]:
        if self._judge is None or (hello is None and not self.judges):
            return []
        return self.judged(self.judge.plain(self._device, self._family, self._port, hello), hello)

    def judged(self, judgement: AdmissionDecision, hello: Hello | None = None) -> list[AnyInput]:
        """Take a judgement; the events that tell of it."""
        self.is_pending = False
        self.is_refused = judgement.verdict == "refused"
        events: list[AnyInput] = [_event(self._device, judgement, hello)]
        if self.is_refused:
            self._interlock.hold("admission", judgement.refusals[0].code)
            self._has_fault = True
            events.append(inputs.Fault(device=self._device, code=NOT_ADMITTED, origin="table"))
            return events
        self._interlock.release("admission")
        if self._has_fault:
            self._has_fault = False
            events.append(inputs.FaultCleared(device=self._device, code=NOT_ADMITTED, origin="table"))
        return events

    def passing(self, events: Sequence[AnyInput]) -> list[AnyInput]:
        """A fault precedes each card of a rejected device, also if a void round resolved it."""
        if not self.is_refused or not any(isinstance(event, inputs.CardDrawn) for event in events):
            return list(events)
        return [inputs.Fault(device=self._device, code=NOT_ADMITTED, origin="table"), *events]

    def replay(self, event: AnyInput) -> None:
        """After a restart, in order, from the beginning of the last shoe game.

        Raises:
            TrustError: the memory of a decision cannot be written.
        """
        if isinstance(event, DeviceJudged):
            self.judge.recall(event)
        if isinstance(event, inputs.Fault | inputs.FaultCleared) and (event.origin, event.device, event.code) == (
            "table",
            self._device,
            NOT_ADMITTED,
        ):
            self._has_fault = isinstance(event, inputs.Fault)


def _event(device: str, judgement: AdmissionDecision, hello: Hello | None) -> DeviceJudged:
    checks = [
        DeviceCheck(check=one.name, ok=one.ok, code=one.code.value, detail=UNSET if one.code == "ok" else one.detail)
        for one in judgement.checks
    ]
    judged = DeviceJudged(
        origin="table",
        device=device,
        verdict=judgement.verdict,
        checks=checks,
        by=list(judgement.by),
        registry=judgement.registry or UNSET,
    )
    changed: dict[str, object] = {}
    if hello is not None:
        changed = {
            "maker": hello.maker,
            "model": hello.model,
            "serial": hello.serial,
            "firmware": hello.firmware_version,
            "digest": hello.image_digest.hex(),
            "security_counter": hello.security_counter,
            "boot": hello.boot_count,
        }
    elif judgement.unit is not None:
        unit = judgement.unit
        changed = {"maker": unit.maker, "model": unit.model, "serial": unit.serial}
    return msgspec.structs.replace(judged, **changed)
