"""Blackjack rounds (56/2004 arts. 5.º to 19.º)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, ClassVar, Final

from cardshoe.cli.campaign.games.blackjack_strategies import STRATEGIES, DecidingHand
from cardshoe.cli.campaign.games.blackjack_value import value_of
from cardshoe.cli.campaign.games.played_game import Odds, PlayedGame, RoundRead, WagerRead, by_rank, pip, rank_odds
from regulations.events.cards import Card

BLACKJACK_PAYS: Final = Fraction(3, 2)
SPECIAL_PAYS: Final = Fraction(3)
HALF: Final = Fraction(1, 2)
SEVENS_PAY: Final = {(2, False): 50, (2, True): 150, (3, False): 500, (3, True): 5000}
PAIR_PAYS: Final = 11
TWENTY_ONE: Final = 21
HOUSE_STANDS: Final = 17
PAIR: Final = 2
THIRTEEN: Final = 13


class Blackjack(PlayedGame):
    game = "blackjack"
    behind = 30
    rounds = 55
    wagers = tuple((1, bet) for bet in ("main", "any_pair", "sevens", "over_13", "under_13"))
    options: ClassVar[Mapping[str, Any]] = {"procedure": "second", "resplit": False, "resplit_aces": False}
    strategies: ClassVar[tuple[str, ...]] = tuple(STRATEGIES)

    def read(self, cards: Sequence[Card], strategy: str) -> RoundRead:
        first, up, second = cards[:3]
        seat = _Seat(cards, strategy)
        house = [up]
        if not all(hand.units is not None for hand in seat.hands):
            while _points(house) < HOUSE_STANDS or len(house) == 1:
                house.append(cards[seat.taken])
                seat.taken += 1
        net = sum((hand.paid(house, is_natural=seat.is_natural) for hand in seat.hands), Fraction(0))
        low = pip(first) + pip(second)
        over, under, is_pair = low > THIRTEEN, low < THIRTEEN, first[0] == second[0]
        third = seat.hands[0].cards[1:2] if len(seat.hands) > 1 else []
        sevens = _sevens([first, second, *third])
        count = f"{sevens[0]} sevens"
        wagers = [
            WagerRead(1, "main", seat.way, net),
            WagerRead(1, "any_pair", "pair" if is_pair else "no pair", Fraction(PAIR_PAYS if is_pair else -1)),
            WagerRead(
                1, "sevens", f"{count} of one suit" if sevens[1] else count, Fraction(SEVENS_PAY.get(sevens, -1))
            ),
            WagerRead(1, "over_13", "over" if over else "not over", Fraction(1 if over else -1)),
            WagerRead(1, "under_13", "under" if under else "not under", Fraction(1 if under else -1)),
        ]
        here = {"over": over, "under": under, "pair": is_pair, "natural": seat.is_natural}
        cells = [*(cell for cell, is_here in here.items() if is_here), f"{min(sevens[0], 2)} sevens"]
        hands = "; ".join(" ".join(hand.cards) for hand in seat.hands)
        way = f"{hands} against {' '.join(house)}"
        return RoundRead(seat.taken, [*cells, *by_rank(first, up)], wagers, seat.decisions, way)

    def odds(self, strategy: str) -> Odds:
        every = comb(52 * self.decks, 2)
        copies = {value: (16 if value == 10 else 4) * self.decks for value in range(1, 11)}  # noqa: PLR2004  # tens
        under = over = 0
        for one, count in copies.items():
            for other, more in copies.items():
                ways = count * (count - 1) // 2 if one == other else count * more if one < other else 0
                under += ways * (one + other < THIRTEEN)
                over += ways * (one + other > THIRTEEN)
        sevens, rest = copies[7], 52 * self.decks - copies[7]
        chances = {
            "under": Fraction(under, every),
            "over": Fraction(over, every),
            "pair": Fraction(4 * self.decks - 1, 52 * self.decks - 1),
            "natural": Fraction(copies[1] * copies[10], every),
            "0 sevens": Fraction(comb(rest, 2), every),
            "1 sevens": Fraction(sevens * rest, every),
            "2 sevens": Fraction(comb(sevens, 2), every),
        }
        return {**chances, **rank_odds(2), "net main": value_of(self.decks, strategy)}


@dataclass(slots=True)
class _Hand:
    cards: list[Card]
    stake: int = 1
    units: Fraction | None = None

    def paid(self, house: Sequence[Card], *, is_natural: bool) -> Fraction:
        return self.stake * (_against(self.cards, house, is_natural=is_natural) if self.units is None else self.units)


class _Seat:
    def __init__(self, cards: Sequence[Card], strategy: str) -> None:
        first, up, second = cards[:3]
        self._cards: Final = cards
        self._up: Final = pip(up)
        self._choose: Final = STRATEGIES[strategy]
        self.taken = 3
        self.decisions: Final[dict[tuple[int, int], list[str]]] = {}
        self.is_natural: Final = sorted((pip(first), pip(second))) == [1, 10]
        self.hands: Final = [_Hand([first, second])]
        if not self.is_natural:
            self._play(0)
        if len(self.hands) > 1:
            for number in range(len(self.hands)):
                self._draw(self.hands[number])
                self._play(number)
        self.way: Final = "natural" if self.is_natural else self.decisions[1, 1][0]

    def _draw(self, hand: _Hand) -> None:
        hand.cards.append(self._cards[self.taken])
        self.taken += 1

    def _play(self, number: int) -> None:
        hand, asked = self.hands[number], self.decisions.setdefault((1, number + 1), [])
        is_split = len(self.hands) > 1
        has_ended = is_split and hand.cards[0][0] == "A"
        while not has_ended and _points(hand.cards) < TWENTY_ONE:
            is_pair = not is_split and len(hand.cards) == PAIR and len({card[0] for card in hand.cards}) == 1
            wish = self._choose(DecidingHand(tuple(sorted(map(pip, hand.cards))), self._up, is_split, is_pair))
            asked.append(wish)
            if wish == "split":
                self.hands[:] = [_Hand([card]) for card in hand.cards]
                return
            if wish in ("hit", "double"):
                self._draw(hand)
            if wish == "double":
                hand.stake = 2
            has_ended = wish != "hit"
            hand.units = {"surrender": -HALF, "half_pay": HALF}.get(wish)
        if _is_special(hand.cards):
            hand.units = SPECIAL_PAYS
        elif sum(map(pip, hand.cards)) > TWENTY_ONE:
            hand.units = Fraction(-1)


def _points(hand: Sequence[Card]) -> int:
    low = sum(map(pip, hand))
    return low + 10 if low <= 11 and any(card[0] == "A" for card in hand) else low  # noqa: PLR2004  # an ace more


def _is_special(hand: Sequence[Card]) -> bool:
    first = hand[:3]
    ranks = sorted(card[0] for card in first)
    return ranks == ["7", "7", "7"] or (ranks == ["6", "7", "8"] and len({card[1] for card in first}) == 1)


def _against(hand: Sequence[Card], house: Sequence[Card], *, is_natural: bool) -> Fraction:
    has_blackjack = len(house) == PAIR and _points(house) == TWENTY_ONE
    if is_natural:
        return Fraction(0) if has_blackjack else BLACKJACK_PAYS
    if has_blackjack:
        return Fraction(-1)
    theirs = _points(house)
    mine = _points(hand)
    return Fraction(1 if theirs > TWENTY_ONE or mine > theirs else 0 if mine == theirs else -1)


def _sevens(cards: Sequence[Card]) -> tuple[int, bool]:
    sevens = [card for card in cards[:2] if card[0] == "7"]
    if len(sevens) == PAIR and cards[2:] and cards[2][0] == "7":
        sevens.append(cards[2])
    return len(sevens), len(sevens) > 1 and len({card[1] for card in sevens}) == 1
