"""A croupier and a shoe at a table under the real regulation, in virtual time and without drivers."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import (
    Ack,
    CardDrawn,
    CardDrawnOutsideGame,
    CardRetransmitted,
    CutCardDrawn,
    ErrorCleared,
    ErrorCode,
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
    Authorisation,
    ClaimedPosition,
    DeviceBack,
    DeviceLost,
    DeviceResult,
    Fault,
    FaultCleared,
    Misdeal,
    Table,
    Void,
)
from regulations.events.outputs import AnyOutput, Irregularity, Refused
from regulations.events.vocabulary import DeviceOutcome, Side
from regulations.procedure.procedure import Procedure
from sim.angel_eye.settings import ShoeSettings
from sim.clock import VirtualClock
from sim.croupier.croupier import Croupier
from sim.croupier.instructions import HouseInstructions
from sim.croupier.pace import Pace
from sim.croupier.routine import CroupierTraits
from sim.hands import hands_at
from sim.players import Players
from sim.wires.direct import DirectWire

PROFILES: dict[str, dict[str, Any]] = {
    "plain": {},
    "face down": {"deal": "face_down"},
    "next round": {"deal": "face_down", "overdrawn_card": "next_round"},
    "round burn": {"round_burn": True},
    "one more": {"after_cut_card": "one_more"},
    "first card": {"initial_burn": "first_card_value"},
}

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
        orders: HouseInstructions | None = None,
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
            CroupierTraits(
                say=self.apply,
                rng=rng,
                clock=self.clock,
                mistakes=mistakes,
                players=Players(rng),
                pace=Pace(0),
                orders=orders or HouseInstructions(),
                game="baccarat",
            ),
        )
        self.croupier.apply(self.procedure.opening)

    def run(self) -> None:
        assert self.clock.run_until(lambda: self.croupier.done, limit_s=DAY_S)

    def apply(self, event: AnyInput) -> None:
        outputs: list[AnyOutput] = self.procedure.apply(event)
        self.codes.update(one.code for one in outputs if isinstance(one, Irregularity))
        self.refusals.update(one.code for one in outputs if isinstance(one, Refused))
        self.croupier.apply(outputs)
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
            places: dict[Target, ClaimedPosition] = {
                Target.PLAYER: ClaimedPosition(to="player", position=item.index),
                Target.BANKER: ClaimedPosition(to="banker", position=item.index),
            }
            claimed = places.get(item.target, ClaimedPosition(to="burn"))
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


def profile(options: dict[str, Any]) -> Table:
    return Table(
        table_id="B-101",
        game="baccarat",
        decks=8,
        seats=7,
        equipment="shoe",
        options=options,
        authorisations=[
            Authorisation(option=name, value=value, reference="1", requested="2024-01-02", effective="2024-02-01")
            for name, value in options.items()
        ],
        at="2025-01-06T12:00:00.000000Z",
    )


def settings(options: dict[str, Any], *, error_before_card: bool = False) -> ShoeSettings:
    return ShoeSettings(
        initial_burn=options.get("initial_burn", "per_deck"),
        round_burn=options.get("round_burn", False),
        error_before_card=error_before_card,
    )


class Mishaps:
    """Anything that can happen to a table, at random."""

    def __init__(self, seed: int, rate: float) -> None:
        self._rng = random.Random(seed)
        self._rate = rate

    def __call__(self, table: RegulatedTable) -> None:
        if self._rng.random() < self._rate:
            self._rng.choice(self._acts(table))()

    def _acts(self, table: RegulatedTable) -> list[Callable[[], object]]:
        rng, shoe, clock = self._rng, table.hands.shoe, table.clock
        void = Void(ground="misdeal", reason="a person asks", by=[1, 2])
        misdeal = Misdeal(detail="a person says so")
        return [
            lambda: shoe.fail_next_read(rng.choice([ErrorCode.CANNOT_READ, ErrorCode.CARD_CODE])),
            lambda: shoe.misread_next("AS"),
            shoe.double_feed_next,
            *[lambda: shoe.drop_telegrams(rng.randrange(1, 3))] * 2,
            shoe.power_cycle,
            shoe.power_off,
            lambda: shoe.panel.turn_key(locked=True),
            lambda: shoe.fault(rng.choice([1, 4, 5, 6, 9, 40])),
            lambda: shoe.panel.is_card_half_out or shoe.start_draw(),
            shoe.panel.force_end,
            lambda: shoe.panel.set_setting_mode(on=True),
            shoe.panel.stand_by,
            lambda: clock.call_later(0.01, lambda: table.apply(void)),
            lambda: clock.call_later(0.01, lambda: table.apply(misdeal)),
            lambda: table.unplug(for_s=rng.choice([3.0, 30.0, 300.0])),
        ]
