"""A croupier with plain equipment at a table under the real regulation, in virtual time."""

import random
from collections import Counter
from collections.abc import Sequence

from regulations.events import inputs, outputs
from regulations.events.inputs import AnyInput, Table
from regulations.events.outputs import AnyOutput
from regulations.events.results import Result
from regulations.games.registry import SHEETS
from regulations.law.stakes import are_recorded
from regulations.procedure.procedure import Procedure
from sim.clock import VirtualClock
from sim.croupier.instructions import HouseInstructions
from sim.croupier.pace import Pace
from sim.croupier.plain import PlainCroupier
from sim.croupier.routine import CroupierTraits
from sim.plain.hands import plain_hands_at
from sim.players import Players, Strategy
from tests.sim.croupier.cashier import Cashier

DAY_S = 24 * 3600.0
OTHERS: Sequence[AnyInput] = (
    inputs.Void(ground="misdeal", reason="a person asks", by=[1, 2]),
    inputs.Void(ground="malfunction", reason="a person asks", by=[1, 2]),
    inputs.Misdeal(detail="a person says so"),
    inputs.Fault(device="lamp", code=1),
    inputs.FaultCleared(device="lamp", code=1),
    inputs.DeviceLost(device="lamp"),
    inputs.DeviceBack(device="lamp"),
    inputs.ShoeEnded(reason="house"),
    inputs.Exposed(who="croupier"),
    inputs.Exposed(who="seat", seat=1),
    inputs.RoundClosed(),
    *(inputs.Decision(seat=seat, action="surrender") for seat in (1, 2, 3)),
)
"""Inputs that others at the table may give at any time."""


class PlainTable:
    """One table; `run` plays until the croupier closes it."""

    def __init__(
        self,
        seed: int,
        table: Table,
        *,
        mistakes: float = 0.0,
        orders: HouseInstructions | None = None,
        reads: bool = False,
        strategy: Strategy = "basic",
        interference: float = 0.0,
        pace: float = 0.0,
    ) -> None:
        rng = random.Random(seed)
        self._interference = interference
        self._others = random.Random(seed + 3)
        self.clock = VirtualClock()
        self.codes: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.results = 0
        self.cashier = Cashier(stakes_known=are_recorded(table.options), usual=SHEETS[table.game].bets.usual or None)
        self.log: list[tuple[AnyInput, Sequence[AnyOutput]]] = []
        self.hands = plain_hands_at(table.equipment, table.decks, random.Random(seed + 1), reads=reads)
        self.procedure = Procedure(table)
        assert not self.procedure.is_refused, self.procedure.opening
        self.log.append((table, self.procedure.opening))
        self.croupier = PlainCroupier(
            self.hands,
            CroupierTraits(
                say=self.apply,
                rng=rng,
                clock=self.clock,
                game=table.game,
                mistakes=mistakes,
                players=Players(
                    random.Random(seed + 2),
                    table.seats,
                    game=table.game,
                    strategy=strategy,
                    stakes_known=are_recorded(table.options),
                ),
                pace=Pace(pace),
                orders=orders or HouseInstructions(),
            ),
            equipment=table.equipment,
        )
        self.croupier.apply(self.procedure.opening)

    def run(self) -> None:
        assert self.clock.run_until(lambda: self.croupier.done, limit_s=DAY_S)

    def apply(self, event: AnyInput) -> None:
        answer = self.procedure.apply(event)
        self.log.append((event, answer))
        self.codes.update(one.code for one in answer if isinstance(one, outputs.Irregularity))
        self.refusals.update(one.code for one in answer if isinstance(one, outputs.Refused))
        self.results += sum(isinstance(one, Result) for one in answer)
        self.cashier.notice(event, answer)
        self.croupier.apply(answer)
        assert self.hands.cards_are_complete
        if self._others.random() < self._interference:
            other = self._others.choice(OTHERS)
            self.clock.call_later(0.01, lambda: self._interfere(other))

    def _interfere(self, other: AnyInput) -> None:
        if not self.procedure.is_closed:
            self.apply(other)

    def tail(self, lines: int = 12) -> str:
        """The end of the log, for a test that fails."""
        return "\n".join(f"{event}\n    " + "\n    ".join(map(str, answer)) for event, answer in self.log[-lines:])
