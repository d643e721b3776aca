"""A croupier and a shoe at a table under the real regulation, in virtual time and without drivers.

The translation below is this test's own and as plain as can be; the real one is `firmware_bridge`.
"""

import random
from collections import Counter
from collections.abc import Callable

from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import (
    Ack,
    CardDrawn,
    CardDrawnOutsideGame,
    CardRetransmitted,
    CutCardDrawn,
    ErrorCleared,
    ErrorRaised,
    Nak,
    Outcome,
    RoundResult,
    Target,
)
from protocols.garbage import Garbage
from regulations.events import inputs
from regulations.events.inputs import (
    AnyInput,
    Claimed,
    DeviceBack,
    DeviceLost,
    DeviceResult,
    Fault,
    FaultCleared,
    Table,
)
from regulations.events.outputs import AnyOutput, Irregularity, Refused
from regulations.events.vocabulary import DeviceOutcome, Side
from regulations.procedure.procedure import Procedure
from sim.angel_eye.settings import ShoeSettings
from sim.clock import VirtualClock
from sim.croupier.croupier import Croupier
from sim.croupier.orders import Orders
from sim.croupier.pace import Pace
from sim.hands import hands_at
from sim.players import Players
from sim.wires.direct import DirectWire

SHOE = "shoe"
COPY_WINDOW_S = 1.0
_OUTCOMES: dict[Outcome, DeviceOutcome] = {
    Outcome.PLAYER: "player",
    Outcome.BANKER: "banker",
    Outcome.TIE: "tie",
    Outcome.FORCED_END: "forced_end",
}
DAY_S = 24 * 3600.0


class RegulatedTable:
    """One table; `run` plays until the croupier closes it."""

    def __init__(
        self,
        seed: int,
        table: Table,
        *,
        mistakes: float = 0.0,
        orders: Orders | None = None,
        settings: ShoeSettings | None = None,
        mishap: Callable[["RegulatedTable"], None] | None = None,
    ) -> None:
        rng = random.Random(seed)
        self.clock = VirtualClock()
        self.codes: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self._mishap = mishap
        self._decoder = TelegramDecoder()
        self._last = b""
        self._last_s = -COPY_WINDOW_S
        self.wire = DirectWire(self._receive)
        self.hands = hands_at(self.wire, self.clock, table.decks, settings)
        self.procedure = Procedure(table)
        self.croupier = Croupier(
            self.hands,
            self.apply,
            rng,
            clock=self.clock,
            mistakes=mistakes,
            players=Players(rng),
            pace=Pace(0),
            orders=orders or Orders(),
        )
        self.croupier.heard(self.procedure.opening)

    def run(self) -> None:
        assert self.clock.run_until(lambda: self.croupier.done, limit_s=DAY_S)

    def apply(self, event: AnyInput) -> None:
        outputs: list[AnyOutput] = self.procedure.apply(event)
        self.codes.update(one.code for one in outputs if isinstance(one, Irregularity))
        self.refusals.update(one.code for one in outputs if isinstance(one, Refused))
        self.croupier.heard(outputs)
        if self._mishap is not None:
            self._mishap(self)

    def unplug(self, for_s: float) -> None:
        """Pull the cable; the host notices at once, and again when it is back."""
        if self.wire.is_plugged:
            self.wire.unplug()
            self.clock.call_later(0.0, lambda: self.apply(DeviceLost(device=SHOE)))
            self.clock.call_later(for_s, self._replug)

    def _replug(self) -> None:
        self.wire.replug()
        self.apply(DeviceBack(device=SHOE))

    def _receive(self, data: bytes) -> None:
        for item in self._decoder.feed(data):
            if isinstance(item, Ack | Nak | Garbage):
                continue
            now_s = self.clock.now_s()
            if item.raw == self._last and now_s - self._last_s < COPY_WINDOW_S:
                continue
            self._last, self._last_s = item.raw, now_s
            event = translated(item)
            if event is not None:
                self.apply(event)


def translated(item: object) -> AnyInput | None:
    match item:
        case CardDrawn() | CardRetransmitted():
            places: dict[Target, Claimed] = {
                Target.PLAYER: Claimed(to="player", position=item.index),
                Target.BANKER: Claimed(to="banker", position=item.index),
            }
            claimed = places.get(item.target, Claimed(to="burn"))
            return inputs.CardDrawn(card=item.card, device=SHOE, claimed=claimed)
        case CardDrawnOutsideGame():
            return inputs.CardDrawn(card=None, device=SHOE)
        case CutCardDrawn():
            return inputs.CutCard(device=SHOE)
        case ErrorRaised():
            return Fault(device=SHOE, code=item.code)
        case ErrorCleared():
            return FaultCleared(device=SHOE, code=item.code)
        case RoundResult():
            found: dict[Side, bool] = {"player": item.player_pair, "banker": item.banker_pair}
            pairs = [side for side, there in found.items() if there]
            return DeviceResult(device=SHOE, outcome=_OUTCOMES[item.outcome], pairs=pairs)
        case _:
            return None
