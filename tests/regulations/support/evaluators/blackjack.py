"""Blackjack judged a second time, from the text of arts. 5.º to 19.º of 56/2004 and readings J1 to J17."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

Outcome = Literal["win", "lose", "stand", "blackjack", "bust", "surrendered", "half_paid", "even_money", "special"]
Bet = Literal["main", "insurance", "any_pair", "sevens", "over_13", "under_13"]

TENS: Final = "TJQK"
LIMIT: Final = 21
CROUPIER_STANDS: Final = 17  # 6.º-1
MIDDLE: Final = 13
SOFT: Final = 10
"""The points of an ace besides its 1 where it counts 11."""
HALF: Final = Fraction(1, 2)
NATURAL_PAYS: Final = Fraction(3, 2)  # 10.º-2
SPECIAL_PAYS: Final = Fraction(3)  # 15.º
INSURANCE_PAYS: Final = Fraction(2)  # 12.º-2
ANY_PAIR_PAYS: Final = Fraction(11)  # 14.º-1
SEVENS_PAY: Final[dict[tuple[int, bool], Fraction]] = {  # 14.º-2: how many, all of one suit
    (2, False): Fraction(50),
    (2, True): Fraction(150),
    (3, False): Fraction(500),
    (3, True): Fraction(5000),
}
LOST: Final = Fraction(-1)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the profile that bear on money or on what may be done."""

    double: Literal["any_two", "eleven_only"] = "any_two"
    max_split_hands: int = 4
    resplit_aces: bool = True
    resplit: bool = True
    croupier_blackjack_against_double: Literal["loses_all", "loses_original"] = "loses_all"
    insurance: Literal["half_to_full", "half", "full"] = "half_to_full"
    unshown_extra_croupier_card_valid: bool = False


DEFAULTS: Final = Options()


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as it lies at the end, with what was decided about it; the decisions of 10.º-3, 18.º, 19.º exclude others.

    Attributes:
        split_from: the hand whose second card was this one's first.
        doubled: 17.º.
        surrendered: 18.º.
        even_money: 10.º-3.
        half_pay: 19.º.
        own: what single bettors decided of their own wager, by 20.º-1(2) (reading J22); the others play on.
    """

    cards: tuple[str, ...]
    number: int = 1
    split_from: int | None = None
    doubled: bool = False
    surrendered: bool = False
    even_money: bool = False
    half_pay: bool = False
    own: tuple[tuple[int, Outcome], ...] = ()
    absent: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Wager:
    """A wager on a seat; ``hand`` and ``nth`` only say something of ``any_pair`` (see the top of the file)."""

    bet: Bet
    stake: int
    id: int = 1
    hand: int = 1
    nth: int = 1


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that was dealt cards: its hands by number and the wagers on it."""

    seat: int
    hands: tuple[Hand, ...]
    wagers: tuple[Wager, ...]


@dataclass(frozen=True, slots=True)
class Round:
    croupier: tuple[str, ...]
    seats: tuple[Seat, ...]
    options: Options = DEFAULTS


@dataclass(frozen=True, slots=True)
class HandVerdict:
    """The verdict on a hand in the table log's ``result``."""

    seat: int
    hand: int
    points: int
    outcome: Outcome


Key = tuple[int, Bet, int, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """A wager settled: ``stake`` is what was at risk in the end."""

    seat: int
    bet: Bet
    id: int
    hand: int
    stake: int
    net: Fraction

    @property
    def key(self) -> Key:
        return self.seat, self.bet, self.id, self.hand


@dataclass(frozen=True, slots=True)
class Verdict:
    points: int
    blackjack: bool
    bust: bool
    hands: tuple[HandVerdict, ...]
    entries: tuple[Entry, ...]

    @property
    def nets(self) -> dict[Key, Fraction]:
        """By wager; two ``any_pair`` of one bettor on one hand number are added up."""
        found: dict[Key, Fraction] = {}
        for entry in self.entries:
            found[entry.key] = found.get(entry.key, Fraction(0)) + entry.net
        return found

    @property
    def outcomes(self) -> dict[tuple[int, int], Outcome]:
        return {(found.seat, found.hand): found.outcome for found in self.hands}


# ------------------------------------------------------------------------------------------------------------- points
def low_value(card: str) -> int:
    """The value of a card, the ace counted 1 (8.º)."""
    return 10 if card[0] in TENS else "A23456789".index(card[0]) + 1


def total(cards: Sequence[str]) -> int:
    """The points: one ace counts 11 where that does not exceed 21 (8.º, reading J7)."""
    low = sum(map(low_value, cards))
    has_ace = any(card[0] == "A" for card in cards)
    return low + SOFT if has_ace and low + SOFT <= LIMIT else low


def is_natural(cards: Sequence[str]) -> bool:
    """True if two cards are a black jack (10.º-1); of a hand, only if it was not split."""
    return len(cards) == 2 and any(card[0] == "A" for card in cards) and any(card[0] in TENS for card in cards)


def croupier_has_blackjack(cards: Sequence[str]) -> bool:
    """The croupier's first two cards decide; no third one is taken on a blackjack unless it is forced."""
    return is_natural(cards[:2])


def is_special(cards: Sequence[str]) -> bool:
    """True if the first three cards are 6-7-8 of one suit or three sevens (15.º, reading J6)."""
    first = cards[:3]
    ranks = "".join(sorted(card[0] for card in first))
    return ranks == "777" or (ranks == "678" and len({card[1] for card in first}) == 1)


def second_cards(seat: Seat, number: int) -> list[str]:
    """The second cards that a hand has had, in time: each but the last went to a hand split from it."""
    hand = hand_of(seat, number)
    away = [child.cards[0] for child in sorted(seat.hands, key=lambda one: one.number) if child.split_from == number]
    return [*away, *hand.cards[1:2]]


def hand_of(seat: Seat, number: int) -> Hand:
    """The hand of this number."""
    return next(hand for hand in seat.hands if hand.number == number)


def _first_two(seat: Seat) -> tuple[str, str]:
    return hand_of(seat, 1).cards[0], second_cards(seat, 1)[0]


# ----------------------------------------------------------------------------------------------------------- judgement
def _decided_at_once(hand: Hand) -> Outcome | None:
    if hand.surrendered:
        return "surrendered"
    if is_special(hand.cards):  # 15.º makes no exception for a split hand (reading J6)
        return "special"
    if total(hand.cards) > LIMIT:
        return "bust"
    if hand.half_pay:
        return "half_paid"
    return "even_money" if hand.even_money else None


def _against(seat: Seat, hand: Hand, croupier: Sequence[str]) -> Outcome:
    own, theirs = total(hand.cards), total(croupier)
    natural = len(seat.hands) == 1 and is_natural(hand.cards)
    if croupier_has_blackjack(croupier):
        return "stand" if natural else "lose"
    if natural:
        return "blackjack"
    if theirs > LIMIT or own > theirs:
        return "win"
    return "stand" if own == theirs else "lose"


def _main_net(outcome: Outcome, hand: Hand, stake: int, croupier: Sequence[str], options: Options) -> Fraction:
    at_risk = stake * (1 + hand.doubled)
    limited = hand.doubled and options.croupier_blackjack_against_double == "loses_original"
    match outcome:
        case "win" | "even_money":
            return Fraction(at_risk)
        case "blackjack":
            return NATURAL_PAYS * at_risk
        case "special":
            return SPECIAL_PAYS * at_risk
        case "half_paid":
            return HALF * at_risk
        case "stand":
            return Fraction(0)
        case "surrendered":
            return -HALF * at_risk
        case "bust":  # 7.º-2: lost before the croupier's black jack could limit it
            return Fraction(-at_risk)
        case "lose":
            return Fraction(-stake if limited and croupier_has_blackjack(croupier) else -at_risk)


def _sevens(seat: Seat) -> Fraction:
    cards = list(_first_two(seat))
    if any(card[0] != "7" for card in cards):
        return LOST
    third = second_cards(seat, 1)[1:2]  # there is one only if the sevens were split
    if third and third[0][0] == "7":
        cards += third
    return SEVENS_PAY[len(cards), len({card[1] for card in cards}) == 1]


def _side(seat: Seat, wager: Wager) -> Fraction:
    first_two = sum(map(low_value, _first_two(seat)))  # reading J1: the ace counts 1
    match wager.bet:
        case "over_13":
            return Fraction(1) if first_two > MIDDLE else LOST
        case "under_13":
            return Fraction(1) if first_two < MIDDLE else LOST
        case "sevens":
            return _sevens(seat)
        case _:
            first = hand_of(seat, wager.hand).cards[0]
            second = second_cards(seat, wager.hand)[wager.nth - 1]
            return ANY_PAIR_PAYS if first[0] == second[0] else LOST


def _entries(seat: Seat, outcomes: dict[int, Outcome], played: Round) -> Iterator[Entry]:
    for wager in seat.wagers:
        if wager.bet == "main":
            for hand in seat.hands:
                if wager.id in hand.absent:
                    continue
                own = dict(hand.own).get(wager.id)
                # What a bettor has ended alone is not doubled after it.
                alone = replace(hand, doubled=False) if own else hand
                net = _main_net(own or outcomes[hand.number], alone, wager.stake, played.croupier, played.options)
                stake = wager.stake * (1 + alone.doubled)
                yield Entry(seat.seat, "main", wager.id, hand.number, stake, net)
            continue
        if wager.bet == "insurance":
            pays = INSURANCE_PAYS if croupier_has_blackjack(played.croupier) else LOST
        else:
            pays = _side(seat, wager)
        yield Entry(seat.seat, wager.bet, wager.id, wager.hand, wager.stake, pays * wager.stake)


def hand_waits(played: Round) -> bool:
    """True if a hand is left that the croupier's decides: he draws to 17 (6.º-1)."""
    return any(
        _decided_at_once(hand) is None and any(_plays(hand, wager) for wager in seat.wagers)
        for seat in played.seats
        for hand in seat.hands
    )


def _plays(hand: Hand, wager: Wager) -> bool:
    return wager.bet == "main" and wager.id not in dict(hand.own) and wager.id not in hand.absent


def insurance_waits(played: Round) -> bool:
    """True if there is an insurance: the croupier's first two cards decide it (12.º-2, reading J11)."""
    return any(wager.bet == "insurance" for seat in played.seats for wager in seat.wagers)


def lacks_card(played: Round) -> bool:
    """True if the croupier must take a card that is not there."""
    cards = played.croupier
    if hand_waits(played):
        return len(cards) < 2 or total(cards) < CROUPIER_STANDS
    return insurance_waits(played) and len(cards) < 2


def judge(played: Round) -> Verdict:
    """Judges a finished round.

    Raises:
        ValueError: the croupier's hand is not finished though something waits for it.
    """
    croupier = played.croupier
    if lacks_card(played):
        raise ValueError("the croupier must take another card: something waits for that hand")
    hands: list[HandVerdict] = []
    entries: list[Entry] = []
    for seat in played.seats:
        outcomes: dict[int, Outcome] = {}
        for hand in seat.hands:
            outcomes[hand.number] = _decided_at_once(hand) or _against(seat, hand, croupier)
            hands.append(HandVerdict(seat.seat, hand.number, total(hand.cards), outcomes[hand.number]))
        entries.extend(_entries(seat, outcomes, played))
    points = total(croupier)
    return Verdict(points, croupier_has_blackjack(croupier), points > LIMIT, tuple(hands), tuple(entries))
