"""The content of a view; begin and end of its rounds."""

from typing import Final, Literal

import msgspec
from msgspec import UNSET, Struct

from cardshoe.screens.view import wagers
from cardshoe.screens.view.parts import (
    ClockView,
    DeviceView,
    IrregularityView,
    Profile,
    RoundOutcome,
    RoundView,
    ShoeView,
    WagerView,
    WitnessView,
)
from regulations.events import outputs
from regulations.events.cards import Card
from regulations.events.line import Line
from regulations.games.registry import SHEETS

FORM: Final = 1
ROUNDS_KEPT: Final = 200
"""Outcomes kept: a shoe has some 80 rounds, but some shoe games never end."""
Phase = Literal["preparing", "betting", "dealing", "deciding", "revealing", "paying", "irregular", "closed"]


class TableState(Struct, kw_only=True):
    """The state of a table.

    Attributes:
        seq: number of the last line that went into it; 0: none.
        at: its time, RFC 3339, UTC.
        profile: what the table is; ``None`` before the first line.
        rounds: the number of the last round that was opened; 0: none.
        round: the open round; ``None`` between rounds.
        prompt: what the croupier must do now, as the log says it; ``None`` before the first line.
        called: when a supervisor was called who has not come yet, RFC 3339, UTC; empty: none was.
        called_by: the croupier who was signed in then; empty: none was.
        croupier: who is signed in as croupier, the last of several; empty: none is.
        croupier_at: when the croupier signed in, or the last one out, RFC 3339, UTC; empty: none has yet.
        astray: cards that left between rounds and wait for persons, ``None`` for one that is not to be seen.
    """

    form: Literal[1] = FORM
    log: str = ""
    seq: int = 0
    at: str = ""
    profile: Profile | None = None
    phase: Phase = "preparing"
    shoe: ShoeView = msgspec.field(default_factory=ShoeView)
    rounds: int = 0
    round: RoundView | None = None
    last: RoundView | None = None
    results: list[RoundOutcome] = []
    standing: list[WagerView] = []
    demonstration: bool = False
    irregularities: list[IrregularityView] = []
    prompt: outputs.Next | None = None
    devices: dict[str, DeviceView] = {}
    witnesses: dict[str, WitnessView] = {}
    clock: ClockView | None = None
    called: str = ""
    called_by: str = ""
    croupier: str = ""
    croupier_at: str = ""
    astray: list[Card | None] = []

    @property
    def newest(self) -> RoundView | None:
        """The open or last round of this shoe game."""
        found = self.round or self.last
        return None if found is None or found.number <= self.shoe.before else found

    @property
    def round_of_shoe(self) -> int:
        """Number in the shoe game of the open or coming round, from 1."""
        last = 0 if self.newest is None else self.newest.number - self.shoe.before
        return last + (self.round is None and self.phase == "betting")

    def open_round(self, number: int, line: Line) -> None:
        """A round begins.

        Args:
            number: in the log, from 1.
            line: the first.
        """
        if self.round is not None:
            self.close_round(self.round)
        self.rounds = number
        self.round = RoundView(
            number=number,
            seq=0 if line.seq is UNSET else line.seq,
            began_at=time_of(line),
            demonstration=self.demonstration,
        )
        self.round.wagers = [msgspec.structs.replace(one) for one in self.standing]
        self.demonstration = False

    def close_round(self, closed: RoundView) -> None:
        self.round = None
        if closed.result is UNSET and closed.voided is UNSET:
            # No card of it ever left: it was none, and the next one has its number.
            return
        self.last = closed
        self.results.append(
            RoundOutcome(
                round=closed.number,
                seq=closed.seq,
                result=closed.result,
                voided=closed.voided,
                demonstration=closed.demonstration,
            )
        )
        del self.results[:-ROUNDS_KEPT]
        # A void round and a demonstration leave what stood before them (readings G3, B12).
        if self.profile is not None and closed.voided is UNSET and not closed.demonstration:
            outcome = None if closed.result is UNSET else closed.result.get("outcome")
            self.standing = wagers.left_standing(closed.wagers, closed.settled, SHEETS[self.profile.game].bets, outcome)


def time_of(line: Line) -> str:
    return "" if line.at is UNSET else line.at
