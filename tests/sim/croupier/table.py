"""A table that says what the test says, and writes down what the croupier does."""

import random
from collections.abc import Sequence

from protocols.angel_eye.codec import decode_telegram
from protocols.angel_eye.messages import ShoeMessage
from regulations.events.cards import Card
from regulations.events.inputs import AnyInput
from regulations.events.outputs import AnyOutput, Dealt, Irregularity, Next, Refused, Resolved, ShoeOver, Voided
from regulations.events.vocabulary import IrregularityCode, Outcome, RefusalCode, ResolutionAction
from regulations.games.baccarat.result import BaccaratResult, HandsShown, Points
from sim.angel_eye.settings import ShoeSettings
from sim.clock import VirtualClock
from sim.croupier.croupier import Croupier
from sim.croupier.instructions import HouseInstructions
from sim.croupier.mistakes import Mistake, Mistakes
from sim.croupier.pace import Pace
from sim.croupier.routine import CroupierTraits
from sim.hands import hands_at
from sim.players import Players
from sim.wires.direct import DirectWire

BETWEEN = Next(do="draw", to="player", position=1, actions=["shoe_ended", "closed"])
DRAW = Next(do="draw", to="player", position=2)
BURN = Next(do="burn")
CLOSE_ROUND = Next(do="close_round")
SHUFFLE = Next(do="shuffle")


def result(outcome: Outcome) -> BaccaratResult:
    points = {"player": Points(player=9, banker=5), "banker": Points(player=5, banker=9)}
    return BaccaratResult(
        outcome=outcome,
        points=points.get(outcome, Points(player=5, banker=5)),
        cards=HandsShown(player=["9S", "KS"], banker=["2S", "3S"]),
        natural=True,
        pairs=[],
    )


def dealt(card: Card = "9S") -> Dealt:
    return Dealt(card=card, to="player", position=1)


def irregular(
    code: IrregularityCode, *actions: ResolutionAction, number: int = 1, card: Card | None = None
) -> list[AnyOutput]:
    return [
        Irregularity(irregularity=number, code=code, card=card, actions=list(actions)),
        Next(do="resolve", irregularity=number, actions=list(actions)),
    ]


def resolved(action: ResolutionAction = "continue", number: int = 1) -> Resolved:
    return Resolved(irregularity=number, action=action, by=[1])


def refused(code: RefusalCode, prompt: Next) -> list[AnyOutput]:
    return [Refused(code=code, detail="no"), prompt]


def voided() -> Voided:
    return Voided(reason="test", wagers=[])


SHOE_OVER = ShoeOver(cards_seen=38, cards_left=14)


class ScriptedTable:
    """A croupier with a shoe, at a table without a regulation."""

    def __init__(
        self,
        cards: Sequence[Card] | None = None,
        *,
        mistakes: float | Mistakes = 0.0,
        orders: HouseInstructions | None = None,
        settings: ShoeSettings | None = None,
        players: bool = False,
        loaded: bool = True,
        seed: int = 1,
    ) -> None:
        self.clock = VirtualClock()
        self.frames: list[bytes] = []
        self.said: list[AnyInput] = []
        self.hands = hands_at(
            DirectWire(self.frames.append), self.clock, 1, settings or ShoeSettings(initial_burn="none")
        )
        self.shoe = self.hands.shoe
        rng = random.Random(seed)
        self.croupier = Croupier(
            self.hands,
            CroupierTraits(
                say=self.said.append,
                rng=rng,
                clock=self.clock,
                mistakes=mistakes,
                players=Players(rng) if players else None,
                pace=Pace(0),
                orders=orders or HouseInstructions(),
                game="baccarat",
            ),
        )
        if loaded:
            if cards is not None:
                for card in reversed(cards):
                    self.hands.felt.stack.remove(card)
                    self.hands.felt.stack.insert(0, card)
            self.hands.place_cut_card(14)
            self.hands.load()
            self.shoe.power_on()
            self.telegrams()

    def deal(self, count: int) -> None:
        """Deal cards without a prompt, and forget what the shoe said of them."""
        for _ in range(count):
            self.hands.draw()
        self.telegrams()

    def telegrams(self) -> list[ShoeMessage]:
        """The shoe's telegrams since the last call."""
        self.clock.advance(max(self.shoe.quiet_at_s - self.clock.now_s(), 0.0))
        frames, self.frames[:] = self.frames[::3], []
        return [decode_telegram(frame) for frame in frames]

    def hear(self, *outputs: AnyOutput) -> list[AnyInput]:
        """The croupier hears one input's outputs; return what it says within a second, patience not included."""
        self.croupier.apply(outputs)
        return self.wait(0.9)

    def wait(self, duration_s: float) -> list[AnyInput]:
        """Let time pass; return what the croupier says meanwhile."""
        before = len(self.said)
        self.clock.advance(duration_s)
        return self.said[before:]


class Certain(random.Random):
    """Chance that always strikes."""

    def random(self) -> float:
        return 0.0


def always(*kinds: Mistake) -> Mistakes:
    return Mistakes(Certain(1), 1.0, frozenset(kinds))
