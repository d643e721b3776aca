"""The questions that the rules of an update ask of its record."""

from dataclasses import dataclass

from firmware_bridge.trust.acts import Update
from firmware_bridge.update.record import Entry
from firmware_bridge.update.states import MOST, Act, State


@dataclass(slots=True, kw_only=True)
class Progress:
    """How far an update has come; its questions are guards of the rules.

    Attributes:
        update: what is to be done.
        entries: its record.
        sketch: what the rule under way will record, but for its state and act.
        has_image: whether the file is to be had.
    """

    update: Update
    entries: list[Entry]
    sketch: Entry
    has_image: bool = True

    def was(self, state: State) -> bool:
        """True if the update ever was in a state."""
        return any(entry.state is state for entry in self.entries)

    def was_attested(self) -> bool:
        """True if the new firmware was attested in its trial."""
        return self.was(State.ATTESTED)

    def is_older(self) -> bool:
        """True if the update's security counter is below the one that the device attests."""
        evidence = self.sketch.evidence
        return evidence is not None and self.update.security_counter < evidence.security_counter

    def may(self, act: Act) -> bool:
        """True if an act can be done, and has not been done too often."""
        if act is Act.UPLOAD and not self.has_image:
            return False
        return sum(entry.act is act for entry in self.entries) < MOST[act]
