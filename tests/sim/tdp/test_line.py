"""A device's first bytes, written by hand from docs/protocols/tdp.md, and how it keeps a session."""

from itertools import pairwise

from protocols.tdp.codes import Capability, Condition, DeviceState
from protocols.tdp.commands import Unlock
from protocols.tdp.endpoint import EndpointLost, EndpointReady
from protocols.tdp.messages import Heartbeat, Hello, Status
from sim.tdp.identity import SimIdentity
from sim.tdp.settings import TdpMachineSettings
from tests.sim.tdp.rig import Rig

ACME = SimIdentity(
    maker="Acme",
    model="Shoe 3",
    serial="SN-001",
    hardware_revision=3,
    firmware_version="1.4.0",
    image_digest=b"\xd1" * 32,
    security_counter=7,
)
# By section 8: length, type, message version; maker, model, serial, each filled up to 24 bytes; hardware revision;
# firmware version; digest; security counter; boot count; boot reason; capabilities 2, 3, 4, 5, 9 and 10.
HELLO = (
    "00 91 01 01"
    "41 63 6D 65" + "00" * 20 + "53 68 6F 65 20 33" + "00" * 18 + "53 4E 2D 30 30 31" + "00" * 18 + "00 03"
    "31 2E 34 2E 30" + "00" * 19 + "D1" * 32 + "00 00 00 07 00 00 00 01 01 00 00 06 3C"
)
STATUS_EMPTY = "00 0B 02 00 00 01 00 00 00 00 00 00 00"  # idle, locked
POWER_RESTORED = "00 12 1C 00 00 00 01 00 00 00 01 00 00 00 00 00 00 00 00 01"
COVER_OPENED = "00 0A 17 00 00 00 01 00 00 00 02 00"
COVER_CLOSED = "00 0A 18 00 00 00 01 00 00 00 03 00"
STACK_OF_52 = "00 0B 13 00 00 00 01 00 00 00 04 00 34"
STATUS_COVER_OPEN = "00 0B 02 00 00 03 00 00 00 00 00 00 00"
STATUS_LOADED = "00 0B 02 01 00 01 00 00 34 00 00 00 00"
DONE_1 = "00 05 04 00 00 00 01"
STATUS_UNLOCKED = "00 0B 02 01 00 00 00 00 34 00 00 00 00"
STATUS_DRAWN = "00 0B 02 01 00 01 00 00 33 00 01 00 00"
ACE_OF_SPADES = (
    "00 12 10 00 00 00 01 00 00 00 05 00 01 00 00 10 0A 11 01 63"  # count 1, permit, spades 1, face down, 99 %
)
ALL = [
    HELLO,
    STATUS_EMPTY,
    POWER_RESTORED,
    COVER_OPENED,
    STATUS_COVER_OPEN,
    COVER_CLOSED,
    STACK_OF_52,
    STATUS_LOADED,
    DONE_1,
    STATUS_UNLOCKED,
    ACE_OF_SPADES,
    STATUS_DRAWN,
]


def stream(line: list[bytes]) -> bytes:
    """The device's stream, read off the line by section 3 and by nothing of ours; each frame counts once."""
    data = bytearray()
    expected = 0
    for coded in b"".join(line).split(b"\0"):
        frame = bytearray()
        at = 0
        while at < len(coded):
            run = coded[at]
            frame += coded[at + 1 : at + run]
            at += run
            frame += b"\0" if at < len(coded) else b""
        if frame:
            assert crc_32c(frame[:-4]) == int.from_bytes(frame[-4:], "big")
            assert frame[0] == 1
            if frame[1] == 3 and frame[4] == expected:
                expected += 1
                data += frame[6:-4]
    return bytes(data)


def crc_32c(data: bytes | bytearray) -> int:
    register = 0xFFFFFFFF
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ (0x82F63B78 if register & 1 else 0)
    return register ^ 0xFFFFFFFF


def without_heartbeats(data: bytes) -> list[bytes]:
    records = []
    while data:
        end = 2 + int.from_bytes(data[:2], "big")
        if data[2] != 3:
            records.append(data[:end])
        data = data[end:]
    return records


def test_golden_bytes_of_a_shoe_from_its_first_byte_to_its_first_card() -> None:
    rig = Rig(settings=TdpMachineSettings(identity=ACME))
    rig.hands.place_cut_card(14)
    rig.load()  # in the order of a new deck
    rig.do(Unlock, 1, 0x100A)
    assert rig.hands.draw().cards[0].card == "AS"
    rig.rest()
    records = without_heartbeats(stream(rig.line))
    assert records == [bytes.fromhex(one) for one in ALL]


def test_every_session_begins_with_hello_and_status_and_heartbeats_come_each_second() -> None:
    rig = Rig()
    first, second = rig.host.said[:2]
    assert isinstance(first, Hello)
    assert isinstance(second, Status)
    assert first.boot_count == 1
    assert first.capabilities == (
        Capability.READS_CARDS
        | Capability.COUNTS_CARDS
        | Capability.DETECTS_CUT_CARD
        | Capability.LOCKS
        | Capability.KEEPS_EVENTS
        | Capability.REMEMBERS_ROOTS
    )
    assert second.conditions == Condition.LOCKED
    assert second.state is DeviceState.IDLE
    before = len(rig.said(Heartbeat))
    rig.clock.advance(10.0)
    beats = rig.said(Heartbeat)[before:]
    assert [later.uptime_s - sooner.uptime_s for sooner, later in pairwise(beats)] == [1] * 9
    assert {(one.boot, one.last_number, one.pending) for one in beats} == {(1, 1, 0)}


def test_status_is_said_only_when_something_changed() -> None:
    rig = Rig()
    before = len(rig.said(Status))
    rig.clock.advance(20.0)
    assert len(rig.said(Status)) == before
    rig.hands.turn_key(2)
    rig.rest()
    assert rig.status.key_position == 2
    assert len(rig.said(Status)) == before + 1


def test_an_unplugged_device_locks_and_comes_back_within_two_seconds() -> None:
    rig = Rig()
    rig.load()
    rig.do(Unlock, 5)
    assert rig.hands.can_draw
    rig.wire.unplug()
    rig.clock.advance(2.0)
    assert any(isinstance(one, EndpointLost) for one in rig.host.happened)
    assert rig.hands.draw().cards == ()
    rig.wire.replug()
    sessions = sum(isinstance(one, EndpointReady) for one in rig.host.happened)
    rig.clock.advance(2.0)
    assert sum(isinstance(one, EndpointReady) for one in rig.host.happened) == sessions + 1
    assert rig.status.conditions == Condition.LOCKED


def test_noise_and_reports_from_the_host_change_nothing() -> None:
    rig = Rig()
    rig.load()
    rig.wire.from_host(b"\x00\x07noise\x00\xff\xff\x00")
    rig.host.endpoint.send(Heartbeat(1, 1, 1, 1))  # a host has no business to say that
    rig.host.flush()
    rig.rest()
    rig.do(Unlock, 1)
    assert rig.hands.can_draw


def test_a_device_without_power_hears_and_says_nothing() -> None:
    rig = Rig(on=False)
    rig.clock.advance(5.0)
    assert rig.line == []
    assert not rig.host.endpoint.ready
    rig.hands.make_ready()
    rig.hands.make_ready()  # once more changes nothing
    rig.rest()
    assert rig.said(Hello)[-1].boot_count == 1
    rig.device.power_off()
    rig.device.power_off()
    lines = len(rig.line)
    rig.clock.advance(5.0)
    assert len(rig.line) == lines
