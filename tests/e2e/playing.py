"""A simulated croupier who knows the game and says everything by touches at the page."""

import random
from collections.abc import Callable
from typing import Final

from regulations.events.inputs import AnyInput, Closed, Table
from regulations.law.stakes import are_recorded
from sim.clock import VirtualClock
from sim.croupier.instructions import HouseInstructions
from sim.croupier.mistakes import Mistakes
from sim.croupier.pace import Pace
from sim.croupier.plain import PlainCroupier
from sim.croupier.routine import CroupierTraits
from sim.plain.hands import plain_hands_at
from sim.players import Players
from tests.e2e.fingers import Fingers
from tests.e2e.stage import Stage

CROUPIER: Final = "cara"
SUPERVISOR: Final = "sara"
_DAY_S: Final = 24 * 3600.0


class Playing:
    """A croupier at a page, until the orders are done.

    Args:
        stage: the table and the page.
    """

    def __init__(
        self, stage: Stage, table: Table, seed: int, orders: HouseInstructions, *, mistakes: float | Mistakes = 0.0
    ) -> None:
        self._stage: Final = stage
        self.fingers: Final = Fingers(stage.page, SUPERVISOR)
        self.said: Final[list[AnyInput]] = []
        self.before: Callable[[AnyInput], object] = lambda _event: None
        self.after: Callable[[], object] = lambda: None
        self._clock: Final = VirtualClock()
        self._hands: Final = plain_hands_at(table.equipment, table.decks, random.Random(seed + 1))
        told = are_recorded(table.options)
        self.croupier: Final = PlainCroupier(
            self._hands,
            CroupierTraits(
                say=self._say,
                rng=random.Random(seed),
                clock=self._clock,
                game=table.game,
                players=Players(
                    random.Random(seed + 2), table.seats, game=table.game, strategy="basic", stakes_known=told
                ),
                pace=Pace(0),
                mistakes=mistakes,
                orders=orders,
            ),
            equipment=table.equipment,
        )

    def play(self) -> None:
        """Plays until the table is closed."""
        self.fingers.sign_in(CROUPIER)
        self._stage.settled()
        self.croupier.apply(self._stage.opening)
        assert self._clock.run_until(lambda: self.croupier.done, limit_s=_DAY_S)
        assert self.croupier.stuck is None

    def _say(self, event: AnyInput) -> None:
        self.before(event)
        if isinstance(event, Closed):
            self.fingers.sign_in(SUPERVISOR)
        self.fingers.say(event)
        taken = self._stage.answered()
        assert same(taken.event, event), f"touched {taken.event}, and meant {event}"
        self.said.append(taken.event)
        if taken.is_refused:
            self.fingers.understood()
        self._stage.settled()
        self.after()
        self.croupier.apply(taken.outputs)


def same(taken: AnyInput, meant: AnyInput) -> bool:
    """True if the inputs are the same, but for the table's own fields, and for words."""
    ours = ("at", "seq", "round", "origin", "key", "by", "reason", "detail", "sealed")
    fields = [name for name in meant.__struct_fields__ if name not in ours]
    return type(taken) is type(meant) and all(_of(taken, name) == _of(meant, name) for name in fields)


def _of(event: AnyInput, name: str) -> object:
    value = getattr(event, name)
    if name == "wagers":
        return sorted(value or (), key=lambda one: (one.seat, one.id, one.bet))
    return sorted(value or ()) if name == "seats" else value
