"""The common wealth of all gamblers, over one shoe and over many."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cardshoe.analysis.gamblers import CEILING, Absent, Gambler
from cardshoe.analysis.near import NearGambler, RemainingOrder, StepModel
from cardshoe.analysis.order import Order, UnseenCards
from cardshoe.analysis.shoe import RETURNED
from cardshoe.analysis.successors import Successors
from cardshoe.analysis.walking import Walk

STEPS: Final = (
    StepModel(6, 0.1, is_even=True),
    StepModel(20, 0.1),
    StepModel(40, 0.1),
    StepModel(40, 0.0),
)
"""A loose slug; 10 shelves; 20 shelves; 38 stacks with cards out in one direction."""
MEMORIES: Final = (2.0, 6.0, 16.0, 40.0)
"""Cards back: one to six riffles leave 2 to 64 rising sequences."""
FEW: Final = (6.0,)
SHARING: Final = 0.1
"""Wealth redistributed before each shoe: one of forty may be unshuffled."""
CASH: Final = "cash"

Party = dict[str, list[Gambler]]


def party(
    orders: Sequence[Sequence[Order]],
    unseen: UnseenCards,
    makers: Iterable[Order] = (),
    *,
    less_likely: Sequence[float] = FEW,
) -> Party:
    found: Party = {}
    for ways in orders:
        for rank, order in enumerate(ways):
            for step in (1, -1):
                found.setdefault("walk", []).append(Walk(order, step))
                for memory in less_likely if rank else MEMORIES:
                    found.setdefault(f"successors {memory:g}", []).append(Successors(order, step, memory))
            if rank == 0:
                waiting = RemainingOrder(order)
                for steps in STEPS:
                    name = f"near {steps.mean}{'' if steps.turns else ' one way'}"
                    found.setdefault(name, []).append(NearGambler(waiting, steps))
                if sum(unseen.counts) == len(unseen.counts):
                    found.setdefault("absent", []).append(Absent(order, unseen))
    for order in makers:
        found.setdefault("new decks", []).extend([Walk(order, 1), Walk(order, -1), Successors(order, 1, 6.0)])
    return found


@dataclass(slots=True)
class ShoeWealth:
    wealth: list[float] = field(default_factory=list)
    kinds: dict[str, float] = field(default_factory=dict)
    guesses: int = 0
    right: int = 0
    by_chance: float = 0.0
    spread: float = 0.0
    surplus: int = 0

    @property
    def most(self) -> float:
        """The highest wealth."""
        return max(self.wealth, default=1.0)


class Account:
    """The wealth of a group of shoes, from 1, carried from shoe to shoe."""

    def __init__(self) -> None:
        self._capital: dict[str, float] = {CASH: 1.0}
        self.most = 1.0

    @property
    def wealth(self) -> float:
        """The wealth after the last shoe."""
        return sum(self._capital.values())

    def begin(self, unseen: UnseenCards, gamblers: Party, *, guesses: bool = True) -> "ShoeBets":
        """Stake the wealth on one shoe; call `end` before the next."""
        return ShoeBets(unseen, gamblers, self._stakes(gamblers), guesses=guesses)

    def end(self, bets: "ShoeBets") -> ShoeWealth:
        """Take the wealth of a shoe."""
        played = bets.played
        played.kinds = bets.means()
        self.most = min(max(self.most, bets.most), CEILING)
        self._capital = {kind: min(stake * played.kinds.get(kind, 1.0), CEILING) for kind, stake in bets.stakes.items()}
        return played

    def play(self, faces: Iterable[int], unseen: UnseenCards, gamblers: Party) -> ShoeWealth:
        """Bet on a whole shoe."""
        bets = self.begin(unseen, gamblers)
        for face in faces:
            bets.see(face)
        return self.end(bets)

    def _stakes(self, gamblers: Party) -> dict[str, float]:
        kinds = [CASH, *gamblers]
        total = sum(self._capital.values())
        if len(self._capital) == 1:
            return dict.fromkeys(kinds, total / len(kinds))
        kept = {kind: capital * (1 - SHARING) for kind, capital in self._capital.items()}
        for kind in kinds:
            kept[kind] = kept.get(kind, 0.0) + total * SHARING / len(kinds)
        return kept


class ShoeBets:
    def __init__(self, unseen: UnseenCards, gamblers: Party, stakes: dict[str, float], *, guesses: bool) -> None:
        self.stakes: Final = stakes
        self.played: Final = ShoeWealth()
        self.together = sum(stakes.values())
        self.most = self.together
        self._unseen: Final = unseen
        self._gamblers: Final = gamblers
        self._all: Final = [gambler for kind in gamblers.values() for gambler in kind]
        self._guesser: Final = _guesser(gamblers) if guesses else []
        self._out: Final[list[int]] = []

    def see(self, face: int) -> None:
        """Settle the bets on the next card: a face, `UNKNOWN`, or `RETURNED`."""
        unseen = self._unseen
        if face == RETURNED:
            while self._out:
                unseen.put_back(self._out.pop())
            return
        chance = unseen.chance(face) if face >= 0 else 0.0
        if chance == 0:
            self.played.surplus += face >= 0
            for gambler in self._all:
                gambler.miss()
            return
        _guess(self.played, self._guesser, face, unseen)
        for gambler in self._all:
            gambler.see(face, chance)
        unseen.see(face)
        self._out.append(face)
        means = self.means()
        self.played.wealth.append((1 + sum(means.values())) / (1 + len(means)))
        self.together = self.stakes[CASH] + sum(self.stakes[kind] * mean for kind, mean in means.items())
        self.most = max(self.most, self.together)

    def means(self) -> dict[str, float]:
        """The mean wealth of each kind, from 1."""
        return {kind: sum(one.wealth for one in several) / len(several) for kind, several in self._gamblers.items()}


def _guesser(gamblers: Party) -> list[Gambler]:
    return [*gamblers.get("walk", [])[:2], *gamblers.get("successors 6", [])[:1]]


def _guess(played: ShoeWealth, guesser: Sequence[Gambler], face: int, unseen: UnseenCards) -> None:
    named = next((guess for one in guesser if (guess := one.guess()) is not None), None)
    if named is None or not unseen.counts[named]:
        return
    chance = unseen.chance(named)
    played.guesses += 1
    played.right += named == face
    played.by_chance += chance
    played.spread += chance * (1 - chance)
