"""``python -m tests.cardshoe.analysis.equipment``: shoes of each simulated equipment, which must pass."""

import random
import sys
import time
from collections.abc import Callable, Iterator

from cardshoe.analysis.shoe import CardSpot, Shoe
from cardshoe.analysis.verdict import ShoeGroup, analyse, references
from cardshoe.process.progress import watched
from regulations.events.cards import DECK, Card
from sim.plain.hands import PlainHands, plain_hands_at
from sim.tdp.carousel import Carousel
from tests.cardshoe.analysis.powers import DECKS, shoe_of
from tests.kit.campaign import CampaignCommand
from tests.sim.tdp.rig import Rig

ROUND = 6
"""Cards of a round from an endless stack."""
ROUNDS = 71
"""Rounds after which as many cards were dealt as one shoe has, and a few more."""


def by_hand(seed: int) -> Iterator[Shoe]:
    """A stack that hands shuffle and cut, dealt from a plain shoe."""
    return _plain(plain_hands_at("shoe", DECKS, random.Random(seed), reads=True), random.Random(seed + 1))


def by_plain_shuffler(seed: int) -> Iterator[Shoe]:
    """A plain shuffler."""
    return _plain(plain_hands_at("shuffler", DECKS, random.Random(seed), reads=True), random.Random(seed + 1))


def _plain(hands: PlainHands, rng: random.Random) -> Iterator[Shoe]:
    number = 0
    while True:
        number += 1
        hands.shuffle(rng)
        if not hands.shuffles_itself:
            hands.cut(rng)
            hands.load()
        yield shoe_of(hands.device.cards, number)


def by_tdp_shuffler(seed: int) -> Iterator[Shoe]:
    """A shuffler that speaks TDP, in virtual time."""
    rig, number = Rig("shuffler", decks=DECKS, seed=seed), 0
    while True:
        number += 1
        rig.ready()
        cards = rig.device.unload()
        rig.rest()
        yield shoe_of(cards, number)
        rig.hands.felt.gather(cards)


def by_carousel(seed: int) -> Iterator[Shoe]:
    """The carousel of a shuffler-dealer: each round's cards go back in."""
    rng = random.Random(seed)
    carousel = Carousel(38, 16, rng)
    for card in list(DECK) * DECKS:
        carousel.put(card)
    waiting: list[Card] = []
    rounds: list[list[CardSpot]] = []
    while True:
        while len(waiting) < ROUND:
            waiting += carousel.eject()
        dealt, waiting = waiting[:ROUND], waiting[ROUND:]
        rounds.append([CardSpot("player", 0, 1, DECK.index(card)) for card in dealt])
        for card in dealt:
            carousel.put(card)
        if len(rounds) == ROUNDS:
            yield Shoe("T", DECKS, 1, rounds=rounds, is_over=True, is_endless=True)
            rounds = []


EQUIPMENT: dict[str, Callable[[int], Iterator[Shoe]]] = {
    "hands": by_hand,
    "plain shuffler": by_plain_shuffler,
    "TDP shuffler": by_tdp_shuffler,
    "carousel": by_carousel,
}


def judged(name: str, count: int, seed: int) -> ShoeGroup:
    """The verdict on some shoes of an equipment."""
    made = EQUIPMENT[name](seed)
    shoes: list[Shoe] = []
    while len(shoes) < count:
        shoes.append(next(made))
    pairs = [(shoe, references(shoe, shoes[:number])[:1]) for number, shoe in enumerate(shoes)]
    return analyse([(name, pairs)])[0]


def main() -> int:
    """Print a line for each equipment; return 1 if one does not pass."""
    command = CampaignCommand("equipment", __doc__, seed=1)
    command.option("--shoes", type=int, default=30, help="of each")
    given = command.begin()
    doubted = 0
    for name in watched("equipment", list(EQUIPMENT), unit="devices", prints=True):
        began = time.process_time()
        group = judged(name, given.shoes, given.seed)
        doubted += group.outcome != "passes"
        command.say(
            f"name={name.replace(' ', '_')} shoes={given.shoes} outcome={group.outcome} wealth={group.wealth:.3g} "
            f"failed={','.join(group.failed) or '-'} cpu_s={time.process_time() - began:.1f}"
        )
    return command.end(f"devices={len(EQUIPMENT)} doubted={doubted}", is_good=not doubted)


if __name__ == "__main__":
    sys.exit(main())
