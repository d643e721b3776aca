"""Chance in the machines, and machines at the mercy of chance. All of it repeats with ``CARDSHOE_TEST_SEED``."""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from protocols.tdp.codes import FaultCode
from protocols.tdp.commands import AcceptReturn, DeviceCommand, Dispense, Eject, Lock, Shuffle, Unlock
from protocols.tdp.events import CardDrawn, PacketDispensed, StackLoaded
from regulations.events.cards import DECK
from sim.draws import ShoeMisuse
from sim.tdp.carousel import Carousel
from sim.tdp.hands import TdpKind
from sim.tdp.machine_faults import JamPlace
from tests.sim.tdp.rig import Rig, told_cards

ACTS = 120
CHI_SQUARE_MAX = 110.0
"""Of 51 degrees of freedom: exceeded by chance less than once in 100000 times, as the other."""
SUIT = 13
CHI_SQUARE_MAX_OF_A_SUIT = 48.0


def chi_square(counts: Counter[str], cards: int = len(DECK)) -> float:
    expected = counts.total() / cards
    return sum((counts[card] - expected) ** 2 / expected for card in DECK[:cards])


@pytest.mark.parametrize("shelves", [19, 38])
@pytest.mark.parametrize("place", [0, 30])
def test_any_card_may_come_from_a_carousel_at_any_place(seed: int, shelves: int, place: int) -> None:
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(2000):
        carousel = Carousel(shelves, 6, rng)
        for card in DECK:
            carousel.put(card)
        out: list[str] = []
        while len(out) <= place:
            out += carousel.eject()
        counts[out[place]] += 1
    assert chi_square(counts) < CHI_SQUARE_MAX


def test_a_carousel_has_an_end(seed: int) -> None:
    carousel = Carousel(2, 1, random.Random(seed))
    assert carousel.is_empty
    assert carousel.eject() == []
    carousel.put("AS")
    carousel.put("2S")
    assert carousel.capacity == 2
    with pytest.raises(ValueError, match="2 shelves are full"):
        carousel.put("3S")
    assert sorted([*carousel.eject(), *carousel.remove_cards()]) == ["2S", "AS"]


def test_any_card_may_come_first_from_a_shuffler(seed: int) -> None:
    counts: Counter[str] = Counter()
    rig = Rig("shuffler", seed=seed)
    felt = rig.hands.felt
    felt.stack, felt.rack = felt.stack[:SUIT], felt.stack[SUIT:]
    rig.load()
    for _ in range(300):
        rig.do(Shuffle)
        rig.clock.advance(3.5)
        assert not rig.device.is_busy
        counts[rig.device.cards[0]] += 1
    assert chi_square(counts, SUIT) < CHI_SQUARE_MAX_OF_A_SUIT


def test_used_cards_come_again_before_all_others_have_come(seed: int) -> None:
    rig = Rig("shuffler_dealer", decks=2, seed=seed)
    rig.ready()
    overtaken = 0
    for _ in range(5):
        rig.do(Unlock, 20)
        used = [one.card for one in rig.draw_all()]
        rig.hands.collect()
        rig.hands.return_cards()
        rig.do(AcceptReturn)
        rig.rest()
        rig.do(Unlock, 60)
        next_ones = [one.card for one in rig.draw_all()]
        overtaken += any(card in used for card in next_ones)
        rig.hands.collect()
        rig.hands.return_cards()
        rig.do(AcceptReturn)
        rig.rest()
    assert overtaken >= 3
    assert rig.device.cards_left == 104


class Muddle:
    """A host and hands that do anything at any time."""

    def __init__(self, kind: TdpKind, seed: int) -> None:
        self.chance = random.Random(seed)
        self.rig = Rig(kind, seed=seed)
        self.acts: tuple[Callable[[], object], ...] = (
            self.draw, self.draw, self.command, self.command, self.command, self.command, self.put_in, self.take_out,
            self.put_back, self.cover, self.key, self.jam, self.misfeed, self.cable, self.power, self.power_later,
            self.mend, self.mend, self.mend, self.wait, self.wait,
        )  # fmt: skip

    def draw(self) -> None:
        for _ in range(self.chance.randrange(1, 9)):
            self.rig.hands.draw()

    def command(self) -> None:
        commands: tuple[DeviceCommand, ...] = (
            Dispense(1, 1), Dispense(1, 3), Dispense(1, 20), Unlock(1, 5), Unlock(1, 40), Lock(1), Shuffle(1),
            AcceptReturn(1), Eject(1),
        )  # fmt: skip
        which = self.chance.choice(commands)
        if self.rig.host.endpoint.ready:
            self.rig.send(type(which), *([which.cards] if isinstance(which, Dispense | Unlock) else []))

    def put_in(self) -> None:
        if self.rig.hands.felt.stack and not self.rig.device.cards:
            self.rig.hands.load()

    def take_out(self) -> None:
        if self.chance.random() < 0.2:
            self.rig.hands.felt.gather(self.rig.device.unload())
        self.rig.hands.remove_stack()

    def put_back(self) -> None:
        self.rig.hands.collect()
        self.rig.hands.return_cards()

    def cover(self) -> None:
        self.chance.choice((self.rig.hands.open_cover, self.rig.hands.close_cover, self.rig.hands.close_cover))()

    def key(self) -> None:
        self.rig.hands.turn_key(self.chance.choice((0, 0, 1)))

    def jam(self) -> None:
        places = self.rig.device.places
        self.rig.device.mishaps.jam(self.chance.choice(places or (JamPlace.EXIT,)))

    def misfeed(self) -> None:
        device = self.rig.device
        self.chance.choice(
            (device.double_feed_next, device.reader.fail_next, device.reader.foreign_next, device.mishaps.block_sensor)
        )()

    def cable(self) -> None:
        self.chance.choice((self.rig.wire.unplug, self.rig.wire.replug, self.rig.wire.replug))()

    def power(self) -> None:
        self.chance.choice((self.rig.device.power_off, self.rig.device.power_on, self.rig.device.power_cycle))()

    def power_later(self) -> None:
        self.rig.device.mishaps.cut_power_after(self.chance.randrange(30))

    def mend(self) -> None:
        for code in self.rig.device.faults:
            if not self.rig.device.can_clear(code):
                try:
                    self.rig.hands.remedy(code)
                except ShoeMisuse:
                    assert code is FaultCode.OUT_OF_CARDS
        self.rig.hands.close_cover()
        self.rig.device.press_clear()

    def wait(self) -> None:
        self.rig.clock.advance(self.chance.uniform(0.0, 10.0))

    def play(self) -> None:
        rig = self.rig
        rig.ready()
        for _ in range(ACTS):
            self.chance.choice(self.acts)()
            rig.clock.advance(self.chance.choice((0.0, 0.05, 0.3)))
            assert rig.hands.cards_are_complete
        rig.device.power_on()
        rig.device.power_cycle()  # no power cut waits any more
        rig.wire.replug()
        rig.device.power_on()
        rig.hands.turn_key(0)
        rig.rest()


@pytest.mark.parametrize("kind", ["shoe", "shuffler_dealer", "shuffler"])
@pytest.mark.parametrize("run", range(6))
def test_whatever_happens_no_card_and_no_event_is_lost_or_doubled(kind: TdpKind, run: int, seed: int) -> None:
    muddle = Muddle(kind, seed + run)
    muddle.play()
    rig = muddle.rig
    assert rig.host.gaps == []
    assert rig.device.electronics.memory.outbox.pending == ()
    keys = [one.key for one in rig.events]
    assert keys == sorted(set(keys))
    for boot in {key.boot for key in keys}:
        numbers = [key.number for key in keys if key.boot == boot]
        assert numbers == list(range(1, len(numbers) + 1))
    left = 0
    for event in rig.events:
        if isinstance(event, StackLoaded):
            left = 0
        elif isinstance(event, CardDrawn | PacketDispensed):
            more = event.count - left
            assert more - len(told_cards([event])) in {0, 1}, "one more where two came together"
            left = event.count
