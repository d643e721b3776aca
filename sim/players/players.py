"""The players of a table: wagers and answers."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal

from msgspec import UNSET, UnsetType

from regulations.events.inputs import BetsClosed, Decision, Wager
from regulations.events.outputs import AnyOutput, Next, Reversed, Settled, SettledWager, Voided
from regulations.events.vocabulary import Bet, Game
from regulations.games.registry import NAMES, SHEETS
from regulations.law.sheet import Choice
from regulations.law.stakes import stake_of
from sim.players import blackjack
from sim.players.bets import ANY, FIRST, SIDE
from sim.players.cards import is_queen_high_or_better
from sim.players.view import PlayerView

Strategy = Literal["random", "basic"]

_P_SEAT_PLAYS: Final = 0.4
_P_SECOND_BETTOR: Final = 0.15
_P_LEANS: Final = 0.1
_P_PAIR_AGAIN: Final = 0.25
_P_SILENT: Final = 0.5
_P_OTHER_DECIDES: Final = 0.2
_STAKES_UNITS: Final = (1, 1, 1, 2, 2, 3, 5, 10)

_ABOUT_WAGERS: Final = frozenset({Settled, Reversed, Voided})
_Key = tuple[int, Bet, int]


class Players:
    """``unit``: smallest stake, minor units, even; every stake is a multiple."""

    def __init__(
        self,
        rng: random.Random,
        seats: int = 7,
        unit: int = 10_000,
        *,
        game: Game = NAMES[0],
        strategy: Strategy = "basic",
        stakes_known: bool = True,
    ) -> None:
        self._rng = rng
        self._seats = seats
        self._unit = unit
        self._sheet: Final = SHEETS[game]
        self._offer: Final = self._sheet.bets
        self._weights: Final = FIRST.get(game, {})
        self._likely: Final = SIDE.get(game, {})
        self._strategy: Final[Strategy] = strategy
        self._stakes_told: Final = stakes_known
        self._stakes: dict[_Key, int] = {}
        self._carried: dict[_Key, int] = {}
        self._carried_before: dict[_Key, int] = {}
        self._stood: dict[_Key, int] = {}
        self._stood_before: dict[_Key, int] = {}
        self._bet_in: int | UnsetType | None = None
        self._choose: Final[Callable[[Next, PlayerView], str]] = {
            "random": self._choose_any,
            "basic": _BASIC.get(game, _first),
        }[strategy]

    # --- wagers -----------------------------------------------------------------------------------------------------

    @property
    def carried(self) -> Mapping[tuple[int, Bet, int], int]:
        """Stakes that stay on the table from the last round, by seat, bet and bettor."""
        return self._carried

    @property
    def open(self) -> Mapping[tuple[int, Bet, int], int]:
        return self._stakes

    def bets(self, *, needed: bool = False) -> BetsClosed:
        wagers = self.wagers(needed=needed)
        self._carried_before = dict(self._carried)
        self._stakes = dict(self._carried)
        for wager in wagers:
            key = (wager.seat, wager.bet, wager.id)
            self._stakes[key] = self._stakes.get(key, 0) + stake_of(wager)
        told = wagers if self._stakes_told else self._without_stakes(wagers)
        return BetsClosed(seats=sorted({seat for seat, _bet, _id in self._stakes}), wagers=told)

    def _without_stakes(self, wagers: Sequence[Wager]) -> list[Wager]:
        carried = {seat for seat, _bet, _id in self._carried}
        silent = {
            seat for seat in sorted({wager.seat for wager in wagers} - carried) if self._goes_without_saying(seat)
        }
        return [Wager(seat=one.seat, bet=one.bet, id=one.id) for one in wagers if one.seat not in silent]

    def _goes_without_saying(self, seat: int) -> bool:
        lies = [key for key in self._stakes if key[0] == seat]
        usual = not self._offer.usual or lies == [(seat, self._offer.usual, 1)]
        return usual and self._rng.random() < _P_SILENT

    def wagers(self, *, needed: bool = False) -> list[Wager]:
        while True:
            wagers = [wager for seat in range(1, self._seats + 1) for wager in self._at(seat)]
            if wagers or self._carried or not (needed or self._offer.needed):
                return self._after_a_tie(wagers)

    def _after_a_tie(self, wagers: list[Wager]) -> list[Wager]:
        standing, self._stood = self._stood, {}
        self._stood_before, self._bet_in = standing, None
        bettors = {(seat, who) for seat, _bet, who in standing}
        kept = [Wager(seat=seat, bet=bet, stake=stake, id=who) for (seat, bet, who), stake in standing.items()]
        bets = self._offer.stand_in_tie
        return [*kept, *(one for one in wagers if (one.seat, one.id) not in bettors or one.bet not in bets)]

    def _at(self, seat: int) -> list[Wager]:
        if self._rng.random() >= _P_SEAT_PLAYS:
            return []
        bettors = 2 if self._rng.random() < _P_SECOND_BETTOR else 1
        wagers: list[Wager] = []
        for bettor in range(1, bettors + 1):
            there = {wager.bet for wager in wagers} | {bet for at, bet, _id in self._carried if at == seat}
            wagers += self._of(seat, bettor, there)
        return wagers

    def _of(self, seat: int, bettor: int, there: set[Bet]) -> list[Wager]:
        offer = self._offer
        there = set() if offer.needs_own else there
        leaning = [bet for bet, on in offer.needs.items() if on in there]
        if bettor > 1 and leaning and self._rng.random() < _P_LEANS:
            bets = [self._rng.choice(leaning)]
        else:
            bets = self._rng.choices(offer.first, [self._weights.get(bet, 1) for bet in offer.first])
            for bet in offer.side:
                if self._rng.random() < self._likely.get(bet, ANY) and bet not in bets:
                    on = offer.needs.get(bet)
                    if on is None or on in bets or on in there:
                        bets.append(bet)
        return [Wager(seat=seat, bet=bet, stake=self._stake(), id=bettor) for bet in bets]

    def _stake(self) -> int:
        return self._rng.choice(_STAKES_UNITS) * self._unit

    def notice(self, outputs: Iterable[AnyOutput]) -> None:
        """Take the outputs of one input: what is carried stays in mind."""
        for output in outputs:
            if type(output) not in _ABOUT_WAGERS:
                continue
            if self._bet_in is None:
                self._bet_in = output.round
            if isinstance(output, Settled):
                self._settle(output.wagers)
            elif isinstance(output, Reversed):
                self._stood, self._carried = {}, dict(self._carried_before)
            elif self._bet_in == output.round:
                # A void round leaves what stood before it (reading B12).
                self._stood = dict(self._stood_before)

    def _settle(self, wagers: Iterable[SettledWager]) -> None:
        for wager in wagers:
            if wager.seat is UNSET:
                continue
            key = (wager.seat, wager.bet, wager.id)
            self._carried.pop(key, None)
            if wager.is_carried:
                self._carried[key] = self._stakes[key] if wager.stake is UNSET else wager.stake
            self._stood.pop(key, None)
            if wager.bet in self._offer.stand_in_tie and (wager.net == 0 or wager.pays == "0"):
                self._stood[key] = self._stakes[key] if wager.stake is UNSET else wager.stake

    # --- decisions --------------------------------------------------------------------------------------------------

    def decide(self, prompt: Next, view: PlayerView) -> Decision | None:
        """``None``: the player wants the cards turned first."""
        if prompt.seat is UNSET or prompt.actions is UNSET or not prompt.actions:
            raise ValueError(f"unanswerable prompt {prompt}: seat or actions missing")
        other = self._other(prompt, view)
        if other is not None:
            return other
        choice = self._choose(prompt, view)
        if choice == blackjack.SHOW:
            return None
        action = self._sheet.choice(choice)
        who = self._decider(prompt.seat, view) if prompt.id is UNSET else prompt.id
        return Decision(
            seat=prompt.seat,
            hand=1 if prompt.hand is UNSET else prompt.hand,
            id=who,
            action=action.name,
            amount=self._amount(action, prompt.seat, who, view),
            any_pair=self._pair_again() if action.beside else UNSET,
        )

    def _other(self, prompt: Next, view: PlayerView) -> Decision | None:
        if prompt.bettors is UNSET or self._strategy != "random" or self._rng.random() >= _P_OTHER_DECIDES:
            return None
        one = self._rng.choice(prompt.bettors)
        action = self._sheet.choice(self._rng.choice(one.actions))
        if not action.adds and (view.is_hidden or view.options.get("procedure") != "second"):
            # A hand that lies face down is to be shown first, and only its own cards are seen here.
            return None
        amount = self._amount(action, one.seat, one.id, view)
        return Decision(seat=one.seat, hand=one.hand, id=one.id, action=action.name, amount=amount)

    def _choose_any(self, prompt: Next, view: PlayerView) -> str:
        return blackjack.chosen_at_random(_offered(prompt), view, self._rng)

    def _decider(self, seat: int, view: PlayerView) -> int:
        bettors = {
            who: stake for (at, bet, who), stake in self._stakes.items() if at == seat and bet == self._offer.main
        }
        if not bettors:
            return 1
        if view.options.get("decider") == "highest":
            return min(bettors, key=lambda who: (-bettors[who], who))
        return min(bettors)

    def _amount(self, choice: Choice, seat: int, who: int, view: PlayerView) -> int | UnsetType:
        if choice.amounts is None or not self._stakes_told:
            return UNSET
        stake = self._stakes.get((seat, self._offer.main, who), self._unit)
        least, most = choice.amounts(stake, view.options)
        return least if least == most else self._rng.randint(least, most)

    def _pair_again(self) -> int | UnsetType:
        if self._rng.random() >= _P_PAIR_AGAIN:
            return UNSET
        return self._stake() if self._stakes_told else True


def _offered(prompt: Next) -> Sequence[str]:
    return () if prompt.actions is UNSET else prompt.actions


def _first(prompt: Next, _view: PlayerView) -> str:
    return _offered(prompt)[0]


def _blackjack(prompt: Next, view: PlayerView) -> str:
    return blackjack.chosen_by_the_book(_offered(prompt), view)


def _casino_war(prompt: Next, _view: PlayerView) -> str:
    return "challenge" if "challenge" in _offered(prompt) else _offered(prompt)[0]


def _q_poker(prompt: Next, view: PlayerView) -> str:
    # Plays with queen-high or better, as the croupier must (reading Q1).
    wish = "play" if is_queen_high_or_better(view.own) else "fold"
    return wish if wish in _offered(prompt) else _offered(prompt)[0]


_BASIC: Final[Mapping[Game, Callable[[Next, PlayerView], str]]] = {
    "blackjack": _blackjack,
    "casino_war": _casino_war,
    "q_poker": _q_poker,
}
