"""The croupier at TDP devices, act by act: the device has a host, the table says what a test says."""

import random

import pytest
from msgspec import UNSET

from protocols.tdp.codes import FaultCode
from protocols.tdp.commands import AcceptReturn, Dispense, Eject, Shuffle, Unlock
from protocols.tdp.events import CardsReturned, StackLoaded
from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    Closed,
    Equipment,
    Loaded,
    Resolve,
    Revealed,
    RoundClosed,
    Shuffled,
)
from regulations.events.notices import DeviceNoted
from regulations.events.outputs import AnyOutput, Dealt, Next
from regulations.events.vocabulary import EquipmentKind, Game
from sim.croupier.instructions import PATIENCE_S, HouseInstructions
from sim.croupier.machine_work import Asked
from sim.croupier.pace import Pace
from sim.croupier.routine import CroupierTraits
from sim.croupier.tdp_croupier import TdpCroupier
from sim.players import Players
from sim.tdp.hands import TdpHands, TdpKind, tdp_at
from sim.tdp.machine_faults import JamPlace
from sim.tdp.settings import TdpMachineSettings
from sim.wires.direct import DirectWire
from tests.sim.croupier.table import SHOE_OVER, irregular, resolved
from tests.sim.tdp.rig import Rig

BETWEEN = Next(do="draw", to="player", position=1, actions=["shoe_ended", "closed"])
PLAYER_1 = Next(do="draw", to="player", position=1)
NOTE = DeviceNoted(device="shoe", note="cover_opened")


class Scripted:
    """A croupier who takes no time, at a device with a stack in it."""

    def __init__(
        self,
        kind: TdpKind = "shoe",
        game: Game = "baccarat",
        *,
        ready: bool = True,
        spare: EquipmentKind | None = None,
        orders: HouseInstructions | None = None,
    ) -> None:
        self.rig = Rig(kind)
        if ready:
            self.rig.ready()
        self.clock = self.rig.clock
        self.hands = self.rig.hands
        self.device = self.hands.device
        self.said: list[AnyInput] = []
        self.asked: list[Asked] = []
        self.spare: TdpHands | None = None
        if spare is not None:
            wire = DirectWire(lambda _data: None)
            self.spare = tdp_at("shoe", wire, self.clock, 1, random.Random(3), felt=self.hands.felt)
        self.croupier = TdpCroupier(
            self.hands,
            CroupierTraits(
                say=self.said.append,
                rng=random.Random(1),
                clock=self.clock,
                game=game,
                players=Players(random.Random(2), game=game),
                pace=Pace(0),
                orders=orders or HouseInstructions(),
            ),
            self.asked.append,
            spare=(spare, self.spare) if spare is not None and self.spare is not None else None,
        )
        self.croupier.apply([Next(do="nothing" if not ready else "close_round", options={})])
        self.said.clear()

    def hear(self, *outputs: AnyOutput, to: AnyInput | None = None, after_s: float = 0.5) -> list[AnyInput]:
        before = len(self.said)
        self.croupier.apply(outputs, to)
        self.clock.advance(after_s)
        return self.said[before:]


def scripted(kind: TdpKind = "shoe", game: Game = "baccarat", **options: object) -> Scripted:
    table = Scripted(kind, game, **options)  # type: ignore[arg-type]  # they are those of the class
    table.croupier.apply([PLAYER_1])
    return table


def test_he_draws_as_soon_as_the_lock_lets_him_and_enters_nothing() -> None:
    table = scripted()
    assert table.hear(PLAYER_1) == []
    assert table.hands.history == [], "it is locked"
    table.rig.do(Unlock, 1)
    table.clock.advance(0.1)
    assert len(table.hands.history) == 1
    assert table.said == []
    # Nor does the croupier pull again while the table thinks about it.
    table.rig.do(Unlock, 1)
    table.clock.advance(0.1)
    assert len(table.hands.history) == 1


def test_he_takes_what_a_machine_told_before_before_he_does_anything_else() -> None:
    table = scripted("shuffler", "q_poker")
    table.rig.send(Dispense, 3)
    shown = Next(do="reveal", to="croupier")
    # The table has heard of the three cards before the shutter opens.
    told = [Dealt(card=None, to="croupier", position=position) for position in (1, 2, 3)]
    assert table.hear(*told, shown, after_s=0.1) == []
    table.clock.advance(1.0)
    assert len(table.hands.history) == 3
    assert table.said == [Revealed(who="croupier")], "the machine has read them: they need no names"


def test_a_card_that_was_not_read_is_named_when_it_is_asked_for() -> None:
    table = scripted()
    table.device.reader.fail_next()
    table.rig.do(Unlock, 1)
    table.hear(PLAYER_1)
    (out,) = table.hands.history
    (said,) = table.hear(*irregular("unread_card", "identify", "void"))
    assert said == Resolve(irregularity=1, action="identify", by=["croupier", "supervisor"], card=out.card)


def test_a_second_card_that_the_machine_did_not_notice_is_entered_by_him() -> None:
    table = scripted()
    table.device.double_feed_next(noticed=False)
    table.rig.do(Unlock, 1)
    table.hear(PLAYER_1)
    first, second = table.hands.history
    dealt = Dealt(card=first.card, to="player", position=1)
    assert table.hear(dealt, Next(do="draw", to="banker", position=1)) == [CardDrawn(card=second.card)]


def test_of_two_cards_at_the_exit_one_is_too_many() -> None:
    table = scripted("shuffler_dealer")
    table.device.double_feed_next(noticed=False)
    table.rig.do(Dispense, 1)
    assert table.hear(PLAYER_1, after_s=2.0) == [CardDrawn(card=table.hands.history[1].card)]


def test_a_stuck_card_is_taken_out_and_entered_and_the_button_pressed() -> None:
    table = scripted()
    table.device.mishaps.jam(JamPlace.EXIT)
    table.rig.do(Unlock, 1)
    table.hear(PLAYER_1)
    assert FaultCode.STUCK_AT_EXIT in table.device.faults
    before = list(table.hands.felt.laid)
    assert table.hear(*irregular("device_fault", "void", "continue")[:1], Next(do="resolve", actions=["void"])) == []
    assert not table.device.faults
    (stuck,) = table.hands.felt.laid[len(before) :]
    well = Next(do="resolve", irregularity=1, actions=["continue", "void"])
    assert table.hear(well) == [Resolve(irregularity=1, action="continue", by=["croupier"])]
    assert table.hear(resolved("continue"), PLAYER_1) == [CardDrawn(card=stuck)]


def test_where_continuing_is_no_way_he_mends_and_takes_another_at_once() -> None:
    table = scripted()
    table.device.open_cover()
    (said,) = table.hear(*irregular("device_fault", "void"))
    assert said == Resolve(irregularity=1, action="void", by=["croupier", "supervisor"])
    assert not table.device.is_cover_open


def test_the_key_is_turned_back_and_the_power_switched_on() -> None:
    table = scripted()
    table.device.turn_key(1)
    table.hear(*irregular("device_fault", "continue", "void")[:1], Next(do="resolve", actions=["void"]))
    assert table.device.key == 0
    table.device.power_off()
    table.hear(PLAYER_1)
    assert table.device.is_powered


def test_what_devices_say_meanwhile_is_no_answer_to_him() -> None:
    table = scripted()
    (said,) = table.hear(Next(do="close_round"))
    assert said == RoundClosed()
    assert table.hear(Next(do="close_round"), to=NOTE) == [], "it has been said"
    between = table.hear(BETWEEN, to=RoundClosed())
    assert [type(one) for one in between] == [BetsClosed]


def test_in_baccarat_he_closes_the_bets_also_where_there_are_none() -> None:
    table = scripted("shuffler_dealer", orders=HouseInstructions(games=None))
    for _ in range(40):
        (said,) = table.hear(BETWEEN)
        assert isinstance(said, BetsClosed)
        if not said.seats:
            return
        table.hear(Next(do="close_round"), to=said)
        table.said.clear()
    pytest.fail("the players bet in every round")


def test_he_loads_and_says_nothing_unless_the_device_stays_silent() -> None:
    table = scripted(ready=False)
    assert table.hear(Next(do="load")) == []
    assert table.rig.events[-1:] == [StackLoaded(1, 4, 52)]
    table.clock.advance(2 * PATIENCE_S)
    assert table.said == [Loaded(cards=52)]


def test_a_machine_shuffles_when_he_asks_for_it_and_he_asks_again_if_nobody_heard() -> None:
    table = scripted("shuffler", "q_poker", ready=False)
    assert table.hear(Next(do="load"), after_s=2.0) == []
    assert table.hear(Next(do="shuffle"), after_s=0.5) == []
    assert table.asked == ["shuffle"]
    table.clock.advance(1.0)
    assert table.asked == ["shuffle"] * 2
    table.rig.do(Shuffle)
    table.clock.advance(3.0)
    assert table.asked == ["shuffle"] * 2, "it is at work"


def test_used_cards_go_into_the_entry() -> None:
    table = scripted("shuffler_dealer")
    table.rig.do(Dispense, 4)
    table.rig.rest()
    told = [Dealt(card=None, to="player", position=position) for position in (1, 2, 3, 4)]
    assert table.hear(*told, Next(do="close_round")) == [RoundClosed()]
    assert len(table.hands.felt.rack) == 4
    assert table.hear(Next(do="return_cards"), to=RoundClosed()) == []
    table.rig.do(AcceptReturn)
    table.rig.rest()
    assert isinstance(table.rig.events[-1], CardsReturned)
    assert table.hands.cards_are_complete
    assert table.said[-1] == RoundClosed(), "the machine counts them"


def test_a_machine_that_does_not_come_back_is_replaced() -> None:
    orders = HouseInstructions(games=None, replug_patience_s=1.0)
    table = scripted(spare="shoe", orders=orders)
    lost = irregular("device_lost", "continue", "void", "end_shoe")[:1]
    assert table.hear(*lost, Next(do="resolve", irregularity=1, actions=["void", "end_shoe"])) == []
    table.clock.advance(1.0)
    (said,) = table.said
    assert said == Resolve(irregularity=1, action="end_shoe", by=["croupier", "supervisor"])
    assert table.hear(resolved("end_shoe"), SHOE_OVER, Next(do="shuffle")) == [Equipment(equipment="shoe")]
    (shuffled,) = table.hear(Next(do="shuffle"), to=Equipment(equipment="shoe"))
    assert shuffled == Shuffled(by="croupier")
    assert table.device.cards_left == 0, "taken out by hand"
    assert table.spare is not None
    assert table.hear(Next(do="load")) == []
    assert table.spare.device.cards_left == 52


def test_without_a_spare_he_closes() -> None:
    table = scripted(orders=HouseInstructions(replug_patience_s=1.0))
    lost = irregular("device_lost", "continue", "void", "end_shoe")[:1]
    table.hear(*lost, Next(do="resolve", irregularity=1, actions=["void", "end_shoe"]), after_s=2.0)
    assert table.hear(resolved("end_shoe"), SHOE_OVER, Next(do="shuffle")) == [Closed()]


def test_a_stack_is_fetched_from_the_machine_that_shuffled_it() -> None:
    rig = Rig("shuffler", TdpMachineSettings(dispenses=False))
    rig.ready()
    wire = DirectWire(lambda _data: None)
    shoe = tdp_at("shoe", wire, rig.clock, 1, random.Random(3), felt=rig.hands.felt)
    said: list[AnyInput] = []
    asked: list[Asked] = []
    croupier = TdpCroupier(
        shoe,
        CroupierTraits(say=said.append, rng=random.Random(1), clock=rig.clock, game="casino_war", pace=Pace(0)),
        asked.append,
        shuffler=rig.hands,
    )
    croupier.apply([Next(do="cut", options={})])
    rig.clock.advance(0.5)
    assert (asked, said) == (["eject"], [])
    rig.do(Eject)
    rig.rest()
    assert [type(one).__name__ for one in said] == ["Cut"]
    assert len(rig.hands.felt.stack) == 52
    assert getattr(said[0], "device", UNSET) is UNSET
