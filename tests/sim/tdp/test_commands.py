"""Each command done, each reason to refuse one, and that a command is done once."""

import hashlib
from collections.abc import Callable

import pytest

from protocols.tdp.codes import Capability, Condition, DeviceState, FaultCode, Lamp, LampMode, RefusalReason
from protocols.tdp.commands import (
    AcceptReturn,
    Attest,
    ClearFault,
    DeviceCommand,
    Dispense,
    Eject,
    Lock,
    ReadMeters,
    SetLamp,
    Shuffle,
    Unlock,
)
from protocols.tdp.endpoint import Endpoint
from protocols.tdp.messages import Attestation, Done, Hello, Meters, Refused, Status
from protocols.tdp.states import Role
from regulations.events.cards import DECK
from sim.tdp.hands import TdpKind, tdp_at
from sim.tdp.machine_faults import Module
from sim.tdp.settings import PLAIN, TdpMachineSettings
from sim.wires.direct import DirectWire
from tests.sim.tdp.rig import Rig, shape, told_cards

NO = RefusalReason
KINDS: tuple[TdpKind, ...] = ("shoe", "shuffler_dealer", "shuffler")


def loaded(kind: TdpKind, settings: TdpMachineSettings | None = None, *, acknowledges: bool = True) -> Rig:
    rig = Rig(kind, settings, acknowledges=acknowledges)
    rig.ready()
    return rig


@pytest.mark.parametrize(
    ("kind", "command", "fields"),
    [
        ("shoe", Shuffle, ()),
        ("shoe", Dispense, (1,)),
        ("shoe", AcceptReturn, ()),
        ("shoe", Eject, ()),
        ("shoe", Attest, (bytes(32),)),
        ("shuffler_dealer", Shuffle, ()),
        ("shuffler", Unlock, (1,)),
        ("shuffler", AcceptReturn, ()),
    ],
)
def test_what_a_machine_cannot_do_is_not_supported(
    kind: TdpKind, command: type[DeviceCommand], fields: tuple[object, ...]
) -> None:
    assert loaded(kind).refused(command, *fields) is NO.NOT_SUPPORTED


@pytest.mark.parametrize(
    ("prepare", "command", "fields", "reason"),
    [
        (lambda _: None, ClearFault, (4, 2), NO.BAD_VALUE),
        (lambda rig: rig.do(Dispense, 1), Dispense, (1,), NO.BUSY),
        (lambda rig: (rig.do(Dispense, 1), rig.rest()), Dispense, (1,), NO.BUSY),
        (lambda rig: (rig.do(Dispense, 1), rig.rest()), Unlock, (1,), NO.BUSY),
        (lambda rig: (rig.do(Dispense, 1), rig.rest()), Eject, (), NO.BUSY),
        (lambda rig: rig.do(Unlock, 1), Dispense, (1,), NO.BUSY),
        (lambda rig: rig.do(Unlock, 1), Eject, (), NO.BUSY),
        (lambda rig: rig.hands.turn_key(1), Dispense, (1,), NO.LOCKED),
        (lambda rig: rig.hands.open_cover(), Unlock, (1,), NO.COVER_OPEN),
        (lambda rig: rig.device.mishaps.block_sensor(), AcceptReturn, (), NO.FAULT),
        (lambda rig: rig.device.mishaps.block_sensor(), ClearFault, (10, 2), NO.FAULT),
        (lambda rig: (rig.device.mishaps.block_sensor(), rig.hands.open_cover()), ClearFault, (10, 2), NO.COVER_OPEN),
        (lambda rig: rig.device.limit_outbox(8), Unlock, (1,), NO.EVENTS_PENDING),
        (lambda rig: (rig.do(Eject), rig.rest(), rig.hands.remove_stack()), Dispense, (1,), NO.OUT_OF_CARDS),
        (lambda rig: (rig.do(Eject), rig.rest(), rig.hands.remove_stack()), Unlock, (1,), NO.OUT_OF_CARDS),
        (lambda rig: (rig.do(Eject), rig.rest(), rig.hands.remove_stack()), Eject, (), NO.OUT_OF_CARDS),
    ],
)
def test_each_reason_to_refuse(
    prepare: Callable[[Rig], object], command: type[DeviceCommand], fields: tuple[object, ...], reason: RefusalReason
) -> None:
    rig = loaded("shuffler_dealer")
    prepare(rig)
    assert rig.refused(command, *fields) is reason
    rig.rest()
    assert rig.hands.cards_are_complete


def test_a_packet_larger_than_the_wire_allows_is_a_bad_value() -> None:
    rig = loaded("shuffler_dealer")
    assert rig.device.why_not(Dispense(1, 33)) is NO.BAD_VALUE
    assert rig.device.why_not(Dispense(1, 0)) is NO.BAD_VALUE
    assert rig.device.why_not(Unlock(1, 0)) is NO.BAD_VALUE
    assert rig.device.why_not(Unlock(1, 65535)) is None
    assert rig.device.why_not(Unlock(1, 65536)) is NO.BAD_VALUE


def test_the_empty_shoe_is_out_of_cards() -> None:
    assert Rig().refused(Unlock, 1) is NO.OUT_OF_CARDS


def test_a_shuffler_deals_only_what_it_has_shuffled() -> None:
    rig = Rig("shuffler")
    assert rig.refused(Shuffle) is NO.OUT_OF_CARDS
    rig.load()
    assert rig.refused(Dispense, 3) is NO.OUT_OF_CARDS
    rig.do(Shuffle)
    rig.rest()
    rig.do(Dispense, 3)
    rig.rest()
    assert len(rig.draw_all()) == 3


def test_unlock_lets_so_many_be_drawn_and_lock_none() -> None:
    rig = loaded("shoe")
    assert rig.hands.draw().cards == ()
    rig.do(Unlock, 3)
    assert not rig.device.is_locked
    assert [len(rig.hands.draw().cards) for _ in range(4)] == [1, 1, 1, 0]
    rig.rest()
    assert rig.status.conditions == Condition.LOCKED
    rig.do(Unlock, 3)
    rig.do(Lock)
    assert rig.hands.draw().cards == ()
    assert rig.hands.cards_are_complete


def test_the_key_locks_and_unlocking_it_does_not_unlock_the_mouth() -> None:
    rig = loaded("shoe")
    rig.do(Unlock, 3)
    rig.hands.turn_key(1)
    rig.hands.turn_key(0)
    rig.rest()
    assert shape(rig.events[-2:]) == [("KeyTurned", 1), ("KeyTurned", 0)]
    assert rig.hands.draw().cards == ()


def test_the_shuffler_dealer_deals_packets_single_cards_and_by_hand() -> None:
    rig = loaded("shuffler_dealer")
    rig.do(Dispense, 3)
    rig.rest()
    assert len(rig.draw_all(3)) == 3
    rig.do(Dispense, 1)
    rig.rest()
    assert len(rig.draw_all(1)) == 1
    rig.do(Unlock, 20)
    assert len(rig.draw_all()) == 20
    kinds = [type(one).__name__ for one in rig.events[1:]]
    assert kinds == ["StackLoaded", "PacketDispensed", "CardDrawn"] + ["CardDrawn"] * 20
    assert [one.told for one in rig.hands.out] == told_cards(rig.events) == [one.card for one in rig.hands.out]
    assert (rig.status.count, rig.status.stack_cards) == (24, 28)
    assert rig.hands.cards_are_complete


def test_used_cards_go_back_before_or_after_the_host_asks_for_them() -> None:
    rig = loaded("shuffler_dealer")
    rig.do(Unlock, 10)
    rig.draw_all()
    rig.hands.collect(keep=5)
    assert rig.hands.return_cards() == 5
    rig.rest()
    assert rig.status.stack_cards == 42, "not before the host asks"
    assert shape(rig.events_after(lambda: rig.do(AcceptReturn))) == [("CardsReturned", 5)]
    rig.do(AcceptReturn)
    rig.rest()
    assert rig.status.state is DeviceState.RETURNING
    rig.hands.collect()
    assert shape(rig.events_after(rig.hands.return_cards)) == [("CardsReturned", 5)]
    assert rig.status.stack_cards == rig.device.cards_left == 52
    assert rig.status.count == 10


@pytest.mark.parametrize("ending", ["lock", "unlock", "dispense", "cover", "unplug", "fault"])
def test_waiting_for_used_cards_ends_with_what_comes_next(ending: str) -> None:
    rig = loaded("shuffler_dealer")
    rig.do(AcceptReturn)
    rig.rest()
    match ending:
        case "lock":
            rig.do(Lock)
        case "unlock":
            rig.do(Unlock, 1)
        case "dispense":
            rig.do(Dispense, 2)
        case "cover":
            rig.hands.open_cover()
        case "unplug":
            rig.wire.unplug()
            rig.clock.advance(2.0)
            rig.wire.replug()
        case _:
            rig.device.mishaps.block_sensor()
    rig.rest()
    assert ("CardsReturned", 0) in shape(rig.events)
    assert rig.status.state is not DeviceState.RETURNING


def test_cards_put_in_while_others_are_fed_are_counted_with_them() -> None:
    rig = loaded("shuffler_dealer")
    rig.do(Unlock, 10)
    rig.draw_all()
    rig.hands.collect(keep=6)
    rig.hands.return_cards()
    rig.do(AcceptReturn)
    rig.clock.advance(1.0)  # fed, and within the second in which more may come
    rig.hands.collect()
    rig.hands.return_cards()
    rig.rest()
    assert shape(rig.events[-1:]) == [("CardsReturned", 10)]


@pytest.mark.parametrize("kind", ["shuffler_dealer", "shuffler"])
def test_eject_gives_out_the_whole_stack_and_no_order(kind: TdpKind) -> None:
    rig = loaded(kind)
    rig.do(Dispense, 2)
    rig.rest()
    rig.draw_all(2)
    rig.do(Eject)
    rig.rest()
    assert shape(rig.events[-1:]) == [("StackLoaded", 0)]
    assert rig.hands.can_draw
    assert rig.hands.remove_stack() == 50
    assert rig.hands.remove_stack() == 0
    assert len(set(rig.hands.felt.stack)) == 50
    rig.rest()
    assert (rig.status.stack_cards, rig.status.count, rig.status.state) == (0, 0, DeviceState.IDLE)


def test_a_shuffler_shuffles_again_what_it_has_not_dealt() -> None:
    rig = loaded("shuffler")
    rig.do(Dispense, 12)
    rig.rest()
    dealt = rig.draw_all()
    assert len(dealt) == 12
    rig.do(Shuffle)
    rig.rest()
    assert shape(rig.events[-1:]) == [("ShuffleDone", 40)]
    rig.hands.collect()
    rig.hands.return_cards()
    assert rig.hands.load() == 12
    rig.rest()
    rig.do(Shuffle)
    rig.rest()
    assert shape(rig.events[-2:]) == [("ShuffleStarted",), ("ShuffleDone", 52)]
    rig.do(Dispense, 32)
    rig.rest()
    assert len(rig.draw_all()) == 32
    assert rig.refused(Dispense, 21) is NO.OUT_OF_CARDS


def test_a_shuffler_that_does_not_deal() -> None:
    rig = loaded("shuffler", TdpMachineSettings(dispenses=False, remembers_roots=False))
    assert rig.said(Hello)[0].capabilities == (
        Capability.SHUFFLES | Capability.COUNTS_CARDS | Capability.EJECTS | Capability.KEEPS_EVENTS
    )
    assert rig.refused(Dispense, 1) is NO.NOT_SUPPORTED


@pytest.mark.parametrize("kind", KINDS)
def test_a_device_that_does_not_read_tells_cards_without_faces(kind: TdpKind) -> None:
    rig = loaded(kind, TdpMachineSettings(reads=False))
    assert not rig.said(Hello)[0].capabilities & Capability.READS_CARDS
    if kind == "shuffler":
        rig.do(Dispense, 4)
    else:
        rig.do(Unlock, 4)
    rig.rest()
    assert [one.told for one in rig.draw_all()] == [None] * 4
    rig.do(ReadMeters)
    assert (rig.said(Meters)[0].cards_read, rig.said(Meters)[0].cards_not_read) == (0, 0)
    assert not rig.device.faults


def test_lamps() -> None:
    rig = Rig()
    rig.do(SetLamp, Lamp.READY, LampMode.BLINK)
    assert rig.device.lamps == {Lamp.READY: LampMode.BLINK}
    rig.device.power_cycle()
    assert rig.device.lamps == {}


def test_meters_count_since_the_device_was_made() -> None:
    rig = loaded("shuffler")
    rig.device.reader.fail_next()
    rig.do(Dispense, 5)
    rig.rest()
    rig.draw_all()
    rig.device.power_cycle()
    rig.rest()
    rig.do(ReadMeters)
    assert rig.said(Meters)[-1] == Meters(
        id=rig.id() - 1,
        shuffles_done=1,
        shuffles_failed=0,
        cards_per_shuffle=52,
        cards_read=4,
        cards_not_read=1,
        misfeeds=0,
        power_cycles=2,
        cover_openings=1,
    )


def test_attestation_signs_what_the_page_says() -> None:
    rig = Rig(settings=TdpMachineSettings(signer=lambda data: hashlib.sha256(data).digest()))
    assert rig.said(Hello)[0].capabilities & Capability.ATTESTS
    nonce = bytes(range(32))
    rig.do(Attest, nonce)
    (attestation,) = rig.said(Attestation)
    hello = rig.said(Hello)[0]
    signed = b"TDP/1 attestation\x00" + nonce + hello.image_digest + b"\x00\x00\x00\x01" + b"\x01"
    assert attestation.signature == hashlib.sha256(signed).digest()
    assert (attestation.nonce, attestation.image_digest) == (nonce, hello.image_digest)


# --- done once ------------------------------------------------------------------------------------------------------


def test_the_same_command_again_is_answered_alike_and_not_done_again() -> None:
    rig = loaded("shuffler_dealer")
    command = Dispense(rig.id(), 2)
    assert rig.order(command) == Done(command.id)
    rig.rest()
    rig.draw_all(2)
    assert rig.order(command) == Done(command.id)
    rig.rest()
    assert not rig.hands.can_draw
    assert rig.order(Dispense(command.id, 3)) == Refused(command.id, NO.CONFLICTING_ID)
    meters = ReadMeters(rig.id())
    assert rig.order(meters) == rig.order(meters) == Done(meters.id)
    assert [one.id for one in rig.said(Meters)] == [meters.id] * 2, "asked twice, told twice"
    for _ in range(16):
        rig.do(Lock)
    assert rig.order(command) == Refused(command.id, NO.OLD_ID)


@pytest.mark.parametrize("keeps", [True, False])
def test_answers_are_kept_over_power_cuts_or_at_least_their_ids(keeps: bool) -> None:
    rig = loaded("shuffler_dealer", TdpMachineSettings(keeps_answers=keeps))
    command = Dispense(rig.id(), 2)
    rig.order(command)
    rig.rest()
    rig.draw_all(2)
    rig.device.power_cycle()
    rig.rest()
    assert rig.order(command) == (Done(command.id) if keeps else Refused(command.id, NO.OLD_ID))
    rig.rest()
    assert not rig.hands.can_draw
    assert rig.status.count == 2


def test_a_fault_is_cleared_once_its_cause_is_gone() -> None:
    rig = loaded("shoe")
    rig.device.mishaps.block_sensor()
    rig.rest()
    assert (rig.status.fault_code, rig.status.fault_module) == (FaultCode.SENSOR_BLOCKED, Module.EXIT)
    assert rig.status.state is DeviceState.FAULT
    assert rig.refused(ClearFault, FaultCode.SENSOR_BLOCKED, Module.EXIT) is NO.FAULT
    rig.hands.remedy(FaultCode.SENSOR_BLOCKED)
    rig.do(ClearFault, FaultCode.SENSOR_BLOCKED, Module.EXIT)
    rig.rest()
    assert shape(rig.events[-4:]) == [("Fault", 10, 2), ("CoverOpened", 0), ("CoverClosed", 0), ("FaultCleared", 10, 2)]
    assert rig.status.conditions == Condition.LOCKED


def test_of_several_reasons_the_worst_is_given() -> None:
    rig = loaded("shuffler_dealer")
    rig.device.limit_outbox(8)
    rig.hands.turn_key(1)
    assert rig.refused(Dispense, 53) is NO.BAD_VALUE
    assert rig.refused(Dispense, 32) is NO.LOCKED
    rig.hands.open_cover()
    assert rig.refused(Dispense, 32) is NO.COVER_OPEN
    rig.device.mishaps.block_sensor()
    assert rig.refused(Dispense, 32) is NO.FAULT
    assert rig.refused(Shuffle) is NO.NOT_SUPPORTED


def test_unlock_replaces_and_may_be_for_more_cards_than_there_are() -> None:
    rig = loaded("shoe")
    rig.do(Unlock, 1)
    rig.do(Unlock, 2)
    assert len(rig.draw_all()) == 2
    rig.do(Unlock, 65535)
    assert len(rig.draw_all()) == 50
    assert not rig.device.faults
    assert rig.refused(Unlock, 1) is NO.OUT_OF_CARDS


def test_used_cards_may_go_back_while_the_mouth_is_unlocked() -> None:
    rig = loaded("shuffler_dealer")
    rig.do(Unlock, 10)
    rig.draw_all(4)
    rig.hands.collect()
    rig.hands.return_cards()
    rig.do(AcceptReturn)
    assert not rig.hands.can_draw, "not while cards are fed"
    rig.rest()
    assert len(rig.draw_all()) == 6


@pytest.mark.parametrize("restarted", [True, False])
def test_a_session_that_ends_in_any_way_locks(restarted: bool) -> None:
    rig = loaded("shoe")
    rig.do(Unlock, 5)
    if restarted:
        rig.host.endpoint = Endpoint(Role.HOST, 900, PLAIN)  # a host that knows nothing of the session before
        rig.host.endpoint.open(rig.clock.now_s())
    else:
        rig.host.endpoint.close()
    rig.host.flush()
    rig.clock.advance(1.0)
    assert not rig.hands.can_draw
    if restarted:
        rig.rest()
        assert rig.status.conditions == Condition.LOCKED
        rig.do(Unlock, 1)
        assert rig.hands.can_draw


def test_a_shuffler_shuffles_for_a_shoe_at_the_same_table() -> None:
    rig = loaded("shuffler", TdpMachineSettings(dispenses=False))
    felt = rig.hands.felt
    heard: list[bytes] = []
    wire = DirectWire(heard.append)
    shoe = tdp_at("shoe", wire, rig.clock, 1, rig.rng, felt=felt)
    shoe.make_ready()
    rig.do(Eject)
    rig.rest()
    assert rig.hands.remove_stack() == 52
    shoe.cut(rig.rng)
    shoe.place_cut_card(7)
    assert shoe.load() == 52
    assert shoe.device.cards_left == 52
    assert felt.is_complete([*shoe.device.cards, *rig.device.cards])
    assert shoe.device.cards != tuple(DECK)


def test_a_machine_dispenses_until_its_exit_is_empty() -> None:
    rig = loaded("shuffler_dealer")
    rig.do(Dispense, 2)
    rig.rest()
    assert rig.status.state is DeviceState.DISPENSING
    before = len(rig.said(Status))
    rig.draw_all(1)
    assert len(rig.said(Status)) == before
    rig.draw_all(1)
    assert [one.state for one in rig.said(Status)[before:]] == [DeviceState.LOADED]
    rig.do(Eject)
    rig.rest()
    rig.hands.remove_stack()
    rig.rest()
    assert [one.state for one in rig.said(Status)[-2:]] == [DeviceState.DISPENSING, DeviceState.IDLE]


def test_a_carousel_may_be_filled_to_the_last_place() -> None:
    rig = Rig("shuffler_dealer", TdpMachineSettings(shelves=2, shelf_cards=26))
    rig.ready()
    assert shape(rig.events[-1:]) == [("StackLoaded", 52)]


@pytest.mark.parametrize(("shelves", "shelf_cards", "buffer_cards"), [(1, None, 8), (2, 0, 8), (2, None, 0)])
def test_no_machine_is_so_small(shelves: int, shelf_cards: int | None, buffer_cards: int) -> None:
    with pytest.raises(ValueError, match="2 shelves or more"):
        TdpMachineSettings(shelves=shelves, shelf_cards=shelf_cards, buffer_cards=buffer_cards)


def test_a_command_whose_answer_found_no_session_is_answered_in_the_next() -> None:
    rig = loaded("shoe")
    command = SetLamp(rig.id(), Lamp.ERROR, LampMode.ON)
    rig.host.endpoint.send(command)
    now_s = rig.clock.now_s()
    data = rig.host.endpoint.bytes_to_send(now_s)
    rig.host.endpoint.close()
    rig.wire.from_host(data + rig.host.endpoint.bytes_to_send(now_s))  # both at once
    assert rig.device.lamps == {Lamp.ERROR: LampMode.ON}
    assert not rig.device.electronics.is_in_session
    rig.host.endpoint.open(now_s)
    rig.host.flush()
    rig.rest()
    assert rig.order(command) == Done(command.id)


@pytest.mark.parametrize("kind", KINDS)
def test_hands_shuffle_what_no_machine_does(kind: TdpKind) -> None:
    rig = loaded(kind)
    rig.hands.shuffle(rig.rng)
    rig.rest()
    assert rig.hands.shuffles_itself is (kind != "shoe")
    assert len(rig.hands.felt.stack) == (52 if kind == "shoe" else 0)
    assert rig.device.cards_left == (0 if kind == "shoe" else 52)
