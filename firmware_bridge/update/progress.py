"""The questions that the rules of an update ask of its record."""

from dataclasses import dataclass

from firmware_bridge.trust.acts import Update
from firmware_bridge.update.record import UpdateEntry
from firmware_bridge.update.states import MOST, UpdateState, UpdateStep


@dataclass(slots=True, kw_only=True)
class UpdateProgress:
    update: Update
    entries: list[UpdateEntry]
    sketch: UpdateEntry
    has_image: bool = True

    def was(self, state: UpdateState) -> bool:
        """True if the update ever was in a state."""
        return any(entry.state is state for entry in self.entries)

    def was_attested(self) -> bool:
        return self.was(UpdateState.ATTESTED)

    def is_older(self) -> bool:
        """Its security counter is below the attested one."""
        evidence = self.sketch.evidence
        return evidence is not None and self.update.security_counter < evidence.security_counter

    def may(self, act: UpdateStep) -> bool:
        """It can be done, and has not been done too often."""
        if act is UpdateStep.UPLOAD and not self.has_image:
            return False
        return sum(entry.act is act for entry in self.entries) < MOST[act]
