"""How a croupier and the supervisor settle irregularities."""

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Final, Protocol

from msgspec import UNSET, UnsetType

from regulations.events.cards import Card
from regulations.events.inputs import Amendment, AnyInput, Resolve, Void
from regulations.events.outputs import Irregularity
from regulations.events.vocabulary import DecisionAction, IrregularityCode, ResolutionAction
from sim.croupier.action_timer import ActionTimer
from sim.croupier.instructions import HouseInstructions
from sim.croupier.resolution_choice import FROM_DEVICE, TWO_PERSONS, TWO_PERSONS_FOR, ways
from sim.croupier.situation import PromptState

_VOID_INPUT: Final = "void input"
_WAITS_WITHOUT_ALTERNATIVE: Final = 5


class Remedies(Protocol):
    def mend(self) -> None:
        """Put right what a device reports as its fault."""

    def cards_of(self, irregularity: Irregularity | None) -> list[Card]:
        """The cards as they lie in its hand; each is named once."""

    def stack_is_gone(self) -> None:
        """New cards come."""


class Incidents:
    def __init__(
        self,
        situation: PromptState,
        remedies: Remedies,
        orders: HouseInstructions,
        rhythm: ActionTimer,
        act: Callable[[], object],
    ) -> None:
        self._situation = situation
        self._remedies = remedies
        self._orders = orders
        self._rhythm = rhythm
        self._act = act
        self._tried: defaultdict[int, set[str]] = defaultdict(set)
        self._waits: Counter[int] = Counter()
        self._asked: tuple[int, str] | None = None
        self.has_lost_device = False
        """There is nothing left to deal from."""
        self.has_given_up = False
        """Another device may take its place."""

    def refused(self) -> None:
        """The table refused what was asked here last."""
        if self._asked is not None:
            number, way = self._asked
            # What it no longer offers was refused for now: a device that was back had gone again meanwhile.
            if way == _VOID_INPUT or way in self._situation.actions:
                self._tried[number].add(way)

    def stack_is_gone(self) -> None:
        self._remedies.stack_is_gone()

    def settle(self) -> AnyInput | None:
        """``None``: the device must act first; ``LookupError``: all resolutions were refused."""
        number = self._number()
        # One that a void has closed is asked about again while its device is not well.
        irregularity = self._situation.known.get(number)
        code = irregularity.code if irregularity is not None else None
        actions = self._situation.actions
        if irregularity is not None and code in FROM_DEVICE and "continue" not in actions:
            if self._hopes(irregularity):
                self._mend(number, code)
                return None
            self._remedies.mend()
        for way in ways(code, actions, self._tried[number]):
            event = self._resolution(number, irregularity, way)
            if event is not None:
                self._asked = (number, way)
                self.has_lost_device |= code == "device_lost" and way == "end_shoe"
                self.has_given_up |= code in FROM_DEVICE and way == "end_shoe"
                return event
        if _VOID_INPUT not in self._tried[number]:
            self._asked = (number, _VOID_INPUT)
            ground = "malfunction" if code in FROM_DEVICE else "misdeal"
            return Void(ground=ground, reason=f"no resolution of {code}", by=list(self._orders.persons))
        raise LookupError(
            f"no resolution of irregularity {number} ({code}): refused were {sorted(self._tried[number])}"
        )

    def _number(self) -> int:
        prompt = self._situation.next
        if prompt is not None and prompt.irregularity is not UNSET:
            return prompt.irregularity
        return min(self._situation.open, default=0)

    def _mend(self, number: int, code: IrregularityCode | None) -> None:
        if code == "device_fault":
            self._remedies.mend()
        patience_s = self._orders.replug_patience_s if code == "device_lost" else self._orders.mend_patience_s
        self._rhythm.wait(patience_s, lambda: self._waited_in_vain(number))

    def _hopes(self, irregularity: Irregularity) -> bool:
        most = 1 if self._situation.actions else _WAITS_WITHOUT_ALTERNATIVE
        is_way = "continue" in irregularity.actions or not self._situation.actions
        return is_way and self._waits[irregularity.irregularity] < most

    def _waited_in_vain(self, number: int) -> None:
        self._waits[number] += 1
        self._act()

    def _resolution(self, number: int, irregularity: Irregularity | None, way: ResolutionAction) -> Resolve | None:
        two = way in TWO_PERSONS or (irregularity is not None and (irregularity.code, way) in TWO_PERSONS_FOR)
        by = list(self._orders.persons) if two else [self._orders.persons[0]]
        card: Card | UnsetType = UNSET
        cards: list[Card] | UnsetType = UNSET
        if way == "enter_bets":
            # Its players put nothing down late: it burns the card.
            return None
        if way == "reassign":
            return Resolve(irregularity=number, action=way, by=by, cards=[])
        if way == "identify":
            found = self._remedies.cards_of(irregularity)
            if not found:
                return None
            if irregularity is not None and irregularity.code == "count_gap":
                cards = found
            else:
                card = found[0]
        stood: DecisionAction | UnsetType = "stand" if way == "decision" else UNSET
        named: list[Card | Amendment] | UnsetType = list(cards) if cards else UNSET
        return Resolve(irregularity=number, action=way, by=by, card=card, cards=named, decision=stood)
