"""The power goes at every step of everything a device does: no card is lost or doubled, no event either."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from protocols.tdp.codes import Condition
from protocols.tdp.commands import AcceptReturn, ClearFault, Dispense, Eject, ReadMeters, Shuffle, Unlock
from protocols.tdp.events import CardsReturned, ShuffleDone, StackLoaded
from protocols.tdp.messages import Done, Meters
from sim.tdp.dispenser import Dispenser
from sim.tdp.hands import TdpKind
from sim.tdp.machine_faults import JamPlace
from sim.tdp.settings import TdpMachineSettings
from sim.tdp.shuffler_dealer import ShufflerDealer
from tests.sim.tdp.rig import Rig, told_cards

CARDS = 16
"""In the device; the rest lies in the rack. A step of feeding the fortieth card is as that of the fourth."""


def draw_four(rig: Rig) -> None:
    rig.send(Unlock, 4)
    rig.clock.advance(0.5)
    for _ in range(5):
        rig.hands.draw()
    rig.clock.advance(0.5)


def dispense(rig: Rig) -> None:
    rig.send(Dispense, 3)
    rig.clock.advance(2.0)
    rig.hands.draw()
    rig.clock.advance(1.0)


def take_back(rig: Rig) -> None:
    assert isinstance(rig.device, ShufflerDealer)
    rig.device.return_cards(rig.hands.felt.laid)
    rig.hands.felt.laid = []
    rig.send(AcceptReturn)
    rig.clock.advance(4.0)


def shuffle(rig: Rig) -> None:
    rig.send(Shuffle)
    rig.clock.advance(12.0)


def eject(rig: Rig) -> None:
    rig.send(Eject)
    rig.clock.advance(5.0)


def load(rig: Rig) -> None:
    rig.hands.load()
    rig.clock.advance(10.0)


def load_with_cut_card(rig: Rig) -> None:
    rig.hands.place_cut_card(CARDS - 2)
    load(rig)


def turn_key(rig: Rig) -> None:
    rig.hands.turn_key(1)
    rig.clock.advance(0.5)
    rig.hands.turn_key(0)
    rig.clock.advance(0.5)


def clear(rig: Rig) -> None:
    rig.hands.remedy(rig.device.faults[0])
    rig.send(ClearFault, 3, 2)
    rig.clock.advance(1.0)


def few(rig: Rig) -> None:
    felt = rig.hands.felt
    felt.stack, felt.rack = felt.stack[:CARDS], felt.stack[CARDS:]


def ready(rig: Rig) -> None:
    few(rig)
    rig.ready()


def ready_with_cut_card(rig: Rig) -> None:
    rig.hands.place_cut_card(CARDS - 2)
    ready(rig)


def ten_dealt(rig: Rig) -> None:
    ready(rig)
    rig.do(Unlock, 10)
    assert len(rig.draw_all()) == 10


def half_dealt(rig: Rig) -> None:
    ready(rig)
    rig.do(Dispense, 6)
    rig.rest()
    assert len(rig.draw_all()) == 6


def put_in(rig: Rig) -> None:
    few(rig)
    rig.load()


def one_packet_dealt(rig: Rig) -> None:
    ready(rig)
    rig.do(Dispense, 2)
    rig.rest()
    assert len(rig.draw_all(2)) == 2


def one_packet_taken_in_the_dark(rig: Rig) -> None:
    ready(rig)
    rig.do(Dispense, 2)
    rig.rest()
    rig.device.power_off()
    assert len([rig.hands.draw() for _ in range(2)]) == 2
    rig.device.power_on()
    rig.rest()


def jammed(rig: Rig) -> None:
    ready(rig)
    rig.device.mishaps.jam(JamPlace.EXIT)
    rig.do(Dispense, 3)
    rig.rest()


class Scenario(NamedTuple):
    kind: TdpKind
    before: Callable[[Rig], None]
    act: Callable[[Rig], None]


SCENARIOS = {
    "shoe, load": Scenario("shoe", few, load_with_cut_card),
    "shoe, draw": Scenario("shoe", ready_with_cut_card, draw_four),
    "shoe, key": Scenario("shoe", ready, turn_key),
    "dealer, load": Scenario("shuffler_dealer", few, load),
    "dealer, draw": Scenario("shuffler_dealer", ready, draw_four),
    "dealer, dispense": Scenario("shuffler_dealer", ready, dispense),
    "dealer, dispense again": Scenario("shuffler_dealer", one_packet_dealt, dispense),
    "dealer, dispense after a cut": Scenario("shuffler_dealer", one_packet_taken_in_the_dark, dispense),
    "dealer, return": Scenario("shuffler_dealer", ten_dealt, take_back),
    "dealer, eject": Scenario("shuffler_dealer", ready, eject),
    "dealer, clear": Scenario("shuffler_dealer", jammed, clear),
    "shuffler, load": Scenario("shuffler", few, load),
    "shuffler, shuffle": Scenario("shuffler", put_in, shuffle),
    "shuffler, shuffle the rest": Scenario("shuffler", half_dealt, shuffle),
    "shuffler, dispense": Scenario("shuffler", ready, dispense),
    "shuffler, eject": Scenario("shuffler", ready, eject),
}


def steps_of(scenario: Scenario, settings: TdpMachineSettings) -> int:
    rig = Rig(scenario.kind, settings)
    scenario.before(rig)
    before = rig.device.electronics.supply.steps
    scenario.act(rig)
    return rig.device.electronics.supply.steps - before


def cut_at(scenario: Scenario, settings: TdpMachineSettings, step: int) -> Rig:
    """Do it with the power going after so many steps, and let it come back."""
    rig = Rig(scenario.kind, settings)
    scenario.before(rig)
    rig.device.mishaps.cut_power_after(step)
    scenario.act(rig)
    assert not rig.device.is_powered
    assert rig.hands.cards_are_complete
    rig.clock.advance(3.0)
    rig.device.power_on()
    rig.rest()
    assert rig.status.conditions & Condition.LOCKED
    return rig


def recover(rig: Rig) -> None:
    """Do as a table does: clear, put back what lies about, deal all that is left."""
    rig.clear_all()
    while rig.hands.can_draw and not rig.status.conditions & Condition.COVER_OPEN:
        rig.hands.draw()
    rig.rest()


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_power_goes_at_every_step(name: str) -> None:
    scenario = SCENARIOS[name]
    settings = TdpMachineSettings()
    steps = steps_of(scenario, settings)
    assert steps >= 4
    for step in range(steps):
        rig = cut_at(scenario, settings, step)
        at_exit = rig.device.exit if isinstance(rig.device, Dispenser) and rig.device.is_exit_open else []
        ejected = any(isinstance(one, StackLoaded) and one.cards == 0 for one in rig.events)
        if not ejected:
            told = told_cards(rig.events)
            assert told == [one.told for one in [*rig.hands.out, *at_exit]], "told and out of the device: the same"
            assert rig.status.count == len(told)
        recover(rig)
        check(rig)


def check(rig: Rig) -> None:
    """Assert what must hold after whatever went wrong was put right."""
    assert rig.host.gaps == []
    keys = [one.key for one in rig.events]
    assert keys == sorted(set(keys))
    assert rig.hands.cards_are_complete
    assert not rig.device.faults
    if not any(isinstance(one, StackLoaded) and one.cards for one in rig.events):
        return
    memory = rig.device.electronics.memory
    in_entry = len(rig.device.entry.cards) if isinstance(rig.device, ShufflerDealer) else 0
    assert memory.counts.stack == rig.device.cards_left - in_entry
    assert len(memory.outbox.pending) == 0


def test_a_stack_on_its_way_in_is_told_whole_and_once() -> None:
    scenario = SCENARIOS["dealer, load"]
    for step in range(0, steps_of(scenario, TdpMachineSettings()), 3):
        rig = cut_at(scenario, TdpMachineSettings(), step)
        rig.rest()
        assert [one.cards for one in rig.events if isinstance(one, StackLoaded)] == [CARDS]


def test_cards_on_their_way_back_are_each_told_once() -> None:
    scenario = SCENARIOS["dealer, return"]
    for step in range(steps_of(scenario, TdpMachineSettings())):
        rig = cut_at(scenario, TdpMachineSettings(), step)
        assert isinstance(rig.device, ShufflerDealer)
        told_at_the_start = sum(one.cards for one in rig.events if isinstance(one, CardsReturned))
        assert told_at_the_start == 10 - len(rig.device.entry.cards)
        rig.do(AcceptReturn)
        rig.rest()
        told = [one.cards for one in rig.events if isinstance(one, CardsReturned)]
        assert sum(told) == 10
        assert rig.status.stack_cards == rig.device.cards_left == CARDS


def test_a_shuffle_that_the_power_ended_has_failed_and_is_begun_anew() -> None:
    scenario = SCENARIOS["shuffler, shuffle"]
    steps = steps_of(scenario, TdpMachineSettings())
    for step in range(3, steps, 2):
        rig = cut_at(scenario, TdpMachineSettings(), step)
        done = [one for one in rig.events if isinstance(one, ShuffleDone)]
        rig.do(ReadMeters)
        meters = rig.said(Meters)[-1]
        assert (meters.shuffles_done, meters.shuffles_failed) == ((1, 0) if done else (0, 1))
        rig.do(Shuffle)
        rig.rest()
        assert rig.events[-1] == ShuffleDone(rig.events[-1].boot, rig.events[-1].number, CARDS)


def test_a_command_sent_again_after_a_power_cut_is_not_done_twice() -> None:
    scenario = SCENARIOS["dealer, dispense"]
    for step in range(steps_of(scenario, TdpMachineSettings())):
        rig = cut_at(scenario, TdpMachineSettings(), step)
        assert rig.sent is not None
        assert isinstance(rig.order(rig.sent), Done)
        rig.rest()
        recover(rig)
        packets = told_cards(rig.events)
        assert len(packets) == (3 if step == 0 or packets else 0), "done anew only if nothing was kept of it"
        assert len(rig.hands.out) == len(packets)


@pytest.mark.parametrize("name", ["shoe, draw", "dealer, dispense"])
def test_a_device_that_forgets_its_events_shows_what_it_lost_as_a_gap(name: str) -> None:
    scenario = SCENARIOS[name]
    settings = TdpMachineSettings(keeps_events=False)
    gaps = 0
    for step in range(steps_of(scenario, settings)):
        rig = cut_at(scenario, settings, step)
        told = len(told_cards(rig.events))
        at_exit = rig.device.exit if isinstance(rig.device, Dispenser) and rig.device.is_exit_open else []
        if rig.host.gaps:
            gaps += 1
            assert told <= len(rig.hands.out) + len(at_exit)
        else:
            assert told == len(rig.hands.out) + len(at_exit)
        assert rig.hands.cards_are_complete
    assert gaps


@pytest.mark.parametrize("kind", ["shoe", "shuffler_dealer", "shuffler"])
def test_the_power_goes_again_at_every_step_of_a_start(kind: TdpKind) -> None:
    step = 0
    while True:
        rig = Rig(kind)
        ready(rig)
        if kind != "shoe":
            rig.do(Dispense, 2)
            rig.rest()
        rig.device.power_off()
        rig.hands.open_cover()  # so that there is something to tell
        rig.hands.close_cover()
        rig.hands.turn_key(3)
        rig.device.mishaps.cut_power_after(step)
        rig.device.power_on()
        rig.clock.advance(3.0)
        if rig.device.is_powered:
            break
        rig.device.power_on()
        rig.hands.turn_key(0)
        rig.rest()
        rig.draw_all()
        recover(rig)
        check(rig)
        step += 1
    assert step >= 4
