"""The open round: what a correction runs aside, swapped as one value (reading G17)."""

from dataclasses import dataclass, field
from typing import Self

from regulations.events.errors import RegulationBug
from regulations.play.context.drawn_card import CardPosition
from regulations.play.context.due import Due
from regulations.play.context.irregularities import IrregularityRegister
from regulations.play.context.open_round import BETWEEN_ROUNDS, OpenRound, Phase
from regulations.play.context.record import RoundRecord
from regulations.play.context.stack import Stack
from regulations.play.context.turn import Turn


@dataclass(slots=True, kw_only=True)
class Scope:
    turn: Turn
    stack: Stack
    irregularities: IrregularityRegister = field(default_factory=IrregularityRegister)
    record: RoundRecord = field(default_factory=RoundRecord)
    number: int = 0
    began: int = 0
    phase: Phase = BETWEEN_ROUNDS
    round: OpenRound = field(init=False)
    _due: Due | None = None

    @property
    def due(self) -> Due:
        """What is due in the round."""
        due = self._due
        if due is None:
            due = self._due = self.round.find_due()
        return due

    @property
    def place_due(self) -> CardPosition:
        place = self.due.place
        if place is None:
            raise RegulationBug(str(self.turn.event.__struct_config__.tag), "a card that is due")
        return place

    def changed(self) -> None:
        """Something happened that may make another card due."""
        self._due = None

    def adopt(self, again: OpenRound, record: RoundRecord) -> None:
        """Puts a round that was run again in the place of the open one."""
        self.round, self.record, self.phase, self._due = again, record, again.phase, None

    def from_its_opening(self, fresh: OpenRound) -> Self:
        scope = type(self)(turn=Turn(self.turn.event, 0), stack=Stack(self.stack.decks), number=self.number - 1)
        scope.record.begin(self.record.began, self.record.opening)
        scope.round = fresh
        return scope
