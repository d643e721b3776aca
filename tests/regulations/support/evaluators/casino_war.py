"""Casino war judged a second time, from the text of arts. 4.º and 7.º of 74/2005 and readings W1 to W4, W7."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal

Decision = Literal["surrender", "challenge"]
Outcome = Literal["win", "lose", "surrendered", "stands", "war_win", "war_tie", "war_lose"]
CroupierWarCard = Literal["shared", "per_player"]

FACES: Final = "23456789TJQKA"
"""4.º, the lowest first."""
COPIES: Final = 4
CARDS: Final = 52
TIE_PAYS: Final = Fraction(10)  # 7.º-3
LOST: Final = Fraction(-1)
NETS: Final[dict[Outcome, Fraction]] = {
    "win": Fraction(1),  # 7.º-1
    "lose": Fraction(-1),  # 7.º-2
    "surrendered": Fraction(-1, 2),  # 7.º-4(1)
    "stands": Fraction(0),  # reading W2
    "war_win": Fraction(1),  # 7.º-5(1): the pot of three holds two of the player's own (reading W1)
    "war_tie": Fraction(2),  # 7.º-5(2): the pot, and one ante besides (reading W7)
    "war_lose": Fraction(-2),  # 7.º-5(3)
}


def compare(player: str, croupier: str) -> int:
    """1, 0 or −1 as the player's card is higher than the croupier's, of equal rank, or lower (4.º)."""
    own, theirs = FACES.index(player[0]), FACES.index(croupier[0])
    return (own > theirs) - (own < theirs)


def may_decide(card: str, croupier: str, *, tie_wager: bool = False) -> bool:
    """True if this ante may surrender or challenge (7.º-4, reading W2)."""
    return compare(card, croupier) == 0 and not tie_wager


def ante_outcome(
    card: str,
    croupier: str,
    decision: Decision | None = None,
    war: tuple[str, str] | None = None,
    *,
    tie_wager: bool = False,
) -> Outcome:
    """The outcome of an ante.

    Args:
        war: after a challenge, the seat's second card and the croupier's that stands against it.

    Raises:
        ValueError: a decision is missing or was not this ante's to take, or the cards of the challenge are missing.
    """
    choice = may_decide(card, croupier, tie_wager=tie_wager)
    if choice != (decision is not None):
        raise ValueError("this ante has a choice" if choice else "this ante has no choice")
    if decision is None:
        return ("stands", "win", "lose")[compare(card, croupier)]
    if decision == "surrender":
        return "surrendered"
    if war is None:
        raise ValueError("the cards of the challenge are missing")
    return ("war_tie", "war_win", "war_lose")[compare(*war)]


def ante_net(
    card: str,
    croupier: str,
    decision: Decision | None = None,
    war: tuple[str, str] | None = None,
    *,
    stake: Fraction | int = 1,
    tie_wager: bool = False,
) -> Fraction:
    """The net of an ante; ``stake`` is what was put down at first, without the raise."""
    found = ante_outcome(card, croupier, decision, war, tie_wager=tie_wager)
    return NETS[found] * stake


def tie_net(card: str, croupier: str, stake: Fraction | int = 1) -> Fraction:
    """The net of a wager on the tie (7.º-1 to 7.º-3); what follows on a challenge does not touch it."""
    return (TIE_PAYS if compare(card, croupier) == 0 else LOST) * stake


@dataclass(frozen=True, slots=True)
class Bettor:
    """One of those who wager on a seat: the ante, the wager on the tie (0: none) and the decision if there was one."""

    ante: int
    tie: int = 0
    decision: Decision | None = None
    id: int = 1


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat: its number, its first card, who wagers on it, and the card it got on a challenge."""

    seat: int
    card: str
    bettors: tuple[Bettor, ...]
    war: str | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round."""

    croupier: str
    seats: tuple[Seat, ...]
    croupier_war: tuple[str, ...] = ()
    croupier_war_card: CroupierWarCard = "shared"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The wins and losses of everybody."""

    outcomes: dict[tuple[int, int], Outcome] = field(default_factory=dict)
    nets: dict[tuple[int, str, int], Fraction] = field(default_factory=dict)
    stakes: dict[tuple[int, str, int], int] = field(default_factory=dict)


def _challenges(played: Round) -> dict[int, tuple[str, str]]:
    challenged = sorted(
        (place for place in played.seats if any(bettor.decision == "challenge" for bettor in place.bettors)),
        key=lambda place: place.seat,
    )
    due = len(challenged) if played.croupier_war_card == "per_player" else min(1, len(challenged))
    if len(played.croupier_war) != due or any((place.war is None) == (place in challenged) for place in played.seats):
        raise ValueError("the cards of the challenges are not those that the decisions call for")
    theirs = played.croupier_war if played.croupier_war_card == "per_player" else played.croupier_war * len(challenged)
    return {place.seat: (place.war or "", card) for place, card in zip(challenged, theirs, strict=True)}


def judge(played: Round) -> Verdict:
    """Judges a whole round.

    Raises:
        ValueError: the decisions or the cards do not fit together.
    """
    verdict = Verdict()
    wars = _challenges(played)
    for place in played.seats:
        for bettor in place.bettors:
            outcome = ante_outcome(
                place.card,
                played.croupier,
                bettor.decision,
                wars.get(place.seat),
                tie_wager=bettor.tie > 0,
            )
            ante = (place.seat, "ante", bettor.id)
            verdict.outcomes[place.seat, bettor.id] = outcome
            verdict.nets[ante] = NETS[outcome] * bettor.ante
            verdict.stakes[ante] = bettor.ante * (2 if bettor.decision == "challenge" else 1)
            if bettor.tie:
                tie = (place.seat, "tie", bettor.id)
                verdict.nets[tie] = tie_net(place.card, played.croupier, bettor.tie)
                verdict.stakes[tie] = bettor.tie
    return verdict


def _two_more(gone: str) -> Iterator[tuple[str, str, Fraction]]:
    for first in FACES:
        for second in FACES:
            ways = (COPIES - gone.count(first)) * (COPIES - (gone + first).count(second))
            left = CARDS - len(gone)
            yield first, second, Fraction(ways, left * (left - 1))


def opening_figures() -> dict[int, Fraction]:
    """The probabilities that the first card wins (1), ties (0), loses (−1)."""
    chances = dict.fromkeys((1, 0, -1), Fraction(0))
    for player, croupier, probability in _two_more(""):
        chances[compare(player, croupier)] += probability
    return chances


def war_figures() -> dict[int, Fraction]:
    """The same of the second card, after a tie and a challenge."""
    chances = dict.fromkeys((1, 0, -1), Fraction(0))
    for player, croupier, probability in _two_more(""):
        if player == croupier:
            for own, theirs, then in _two_more(player + croupier):
                chances[compare(own, theirs)] += probability * then
    ties = sum(chances.values())
    return {sign: chance / ties for sign, chance in chances.items()}


@dataclass(frozen=True, slots=True)
class Expectations:
    """Mean nets per 1 of the first stake."""

    challenge: Fraction
    surrender: Fraction
    stands: Fraction
    tie: Fraction
    staked_challenge: Fraction


def expectations() -> Expectations:
    """The exact means."""
    challenge = surrender = stands = tie = staked = Fraction(0)
    for player, croupier, probability in _two_more(""):
        tied = player == croupier
        tie += probability * tie_net(player, croupier)
        stands += probability * ante_net(player, croupier, tie_wager=True)
        surrender += probability * ante_net(player, croupier, "surrender" if tied else None)
        staked += probability * (2 if tied else 1)
        if not tied:
            challenge += probability * ante_net(player, croupier)
            continue
        for own, theirs, then in _two_more(player + croupier):
            challenge += probability * then * ante_net(player, croupier, "challenge", (own, theirs))
    return Expectations(challenge, surrender, stands, tie, staked)
