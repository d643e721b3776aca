"""Packets and transfers: where they end, what is too much, what waits."""

import errno

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.usb.endpoints import Transfer
from sim.usb.functions import BULK_IN, BULK_OUT, INTERRUPT_IN, LIMIT_BYTES
from sim.usb.setup import Setup
from tests.sim.usb.buses import Host


@pytest.mark.parametrize(
    ("sent", "room", "reads"),
    [
        (5, 64, [5]),
        (63, 64, [63]),
        (64, 64, [64, 0]),
        (64, 128, [64]),
        (65, 64, [64, 1]),
        (65, 512, [65]),
        (128, 64, [64, 64, 0]),
        (128, 128, [128, 0]),
        (200, 128, [128, 72]),
        (200, 4096, [200]),
    ],
)
def test_a_transfer_ends_with_a_short_packet_an_empty_one_if_need_be(sent: int, room: int, reads: list[int]) -> None:
    host = Host()
    data = bytes(range(sent))
    host.device.send(data)
    done = [host.read(room) for _ in reads]
    assert [one.moved for one in done] == reads
    assert [one.status for one in done] == [0] * len(reads)
    assert b"".join(bytes(one.data) for one in done) == data
    assert host.read(room).status is None


def test_the_same_when_the_host_asked_first() -> None:
    host = Host()
    first, second = host.read(64), host.read(64)
    assert host.device.is_awaited(BULK_IN)
    host.device.send(bytes(64))
    assert (first.moved, second.moved) == (64, 0)
    assert host.ended == [first, second]
    assert not host.device.is_awaited(BULK_IN)


def test_two_messages_are_two_transfers() -> None:
    host = Host()
    host.device.send(b"one")
    host.device.send(b"")
    host.device.send(b"two")
    assert [bytes(host.read(512).data) for _ in range(2)] == [b"one", b"two"]
    assert host.read(512).status is None


def test_a_packet_that_does_not_fit_is_an_overflow_and_stays() -> None:
    host = Host()
    host.device.send(bytes(5))
    assert host.read(4).status == errno.EOVERFLOW
    assert host.read(64).moved == 5


def test_a_host_that_does_not_read_costs_bytes_beyond_a_limit_and_the_rest_is_whole() -> None:
    host = Host()
    host.device.send(bytes(LIMIT_BYTES - 10))
    host.device.send(bytes(range(15)))
    host.device.send(b"none")
    assert host.wire.lost_bytes == 5 + 4
    assert host.read(LIMIT_BYTES).moved == LIMIT_BYTES - 10
    assert host.read(64).data == bytes(range(10))


def test_a_transfer_that_is_given_up_takes_nothing_with_it() -> None:
    host = Host()
    given_up = host.read(64)
    assert host.device.cancel(given_up)
    assert given_up.status == errno.ECONNRESET
    assert not host.device.cancel(given_up)
    host.device.send(b"card")
    assert host.read(64).data == b"card"
    assert given_up not in host.ended


def test_out_in_order_and_whole() -> None:
    host = Host()
    for data in (b"a" * 64, b"b" * 65, b""):
        assert host.write(data).status == 0
    assert host.device.consume() == (b"a" * 64 + b"b" * 65, False)


def test_out_waits_when_the_device_has_no_room_in_whole_packets() -> None:
    host = Host()
    assert host.write(bytes(LIMIT_BYTES - 100)).status == 0
    waits = host.write(bytes(200))
    assert (waits.status, waits.moved) == (None, 64)
    behind = host.write(b"behind")
    assert behind.status is None
    data, is_more = host.device.consume()
    assert len(data) == LIMIT_BYTES - 100 + 64
    assert is_more
    assert [one.status for one in (waits, behind)] == [0, 0]
    assert waits.moved == 200
    assert host.ended[-2:] == [waits, behind]
    assert host.device.consume() == (bytes(136) + b"behind", False)


def test_a_wire_asks_for_another_turn_while_the_host_has_more() -> None:
    host = Host()
    heard = bytearray()
    turns: list[int] = []
    host.wire.listen(heard.extend)
    host.wire.on_wake(lambda: turns.append(len(heard)))
    host.write(bytes(LIMIT_BYTES))
    host.write(bytes(3))
    host.wire.pump()
    host.wire.pump()
    assert len(heard) == LIMIT_BYTES + 3
    # One for each transfer, and one because there was more.
    assert turns == [0, 0, LIMIT_BYTES]


def test_out_given_up_keeps_what_the_device_has() -> None:
    host = Host()
    host.write(bytes(LIMIT_BYTES - 64))
    waits = host.write(b"x" * 100)
    assert host.device.cancel(waits)
    assert waits.moved == 64
    assert host.device.consume() == (bytes(LIMIT_BYTES - 64) + b"x" * 64, False)


def test_a_notice_says_once_that_bytes_wait() -> None:
    host = Host()
    notice = host.read(8, INTERRUPT_IN)
    assert notice.status is None
    host.device.send(b"card")
    assert notice.data == b"\x01"
    again = host.read(8, INTERRUPT_IN)
    assert again.status is None
    host.device.send(b"another")
    assert again.data == b"\x01"
    third = host.read(8, INTERRUPT_IN)
    assert host.read(64).data == b"card"
    # The other one still waits: a host that reads once for each notice must hear of it.
    assert third.data == b"\x01"
    last = host.read(8, INTERRUPT_IN)
    assert host.read(64).data == b"another"
    assert last.status is None


def test_no_notice_of_bytes_that_a_pending_read_took_or_that_are_read_by_now() -> None:
    host = Host()
    host.read(64)
    host.device.send(b"card")
    host.device.send(b"another")
    host.read(64)
    assert host.read(8, INTERRUPT_IN).status is None


def test_no_notice_of_the_empty_packet_behind_a_full_one() -> None:
    host = Host()
    host.device.send(bytes(64))
    assert host.read(8, INTERRUPT_IN).data == b"\x01"
    host.read(64)
    assert host.read(8, INTERRUPT_IN).status is None
    assert host.read(64).moved == 0


def test_a_write_that_waits_for_room_ends_with_the_cable_and_with_a_stall() -> None:
    host = Host()
    host.write(bytes(LIMIT_BYTES))
    stalled = host.write(b"x")
    assert host.device.is_awaited(BULK_OUT)
    host.device.halt(BULK_OUT)
    assert stalled.status == errno.EPIPE
    host.device.control(Setup(0x02, 1, 0, BULK_OUT))
    waits = host.write(b"x")
    host.device.unplug()
    assert waits.status == errno.ENODEV
    assert not host.device.is_awaited(BULK_OUT)


@given(
    st.lists(st.one_of(st.binary(max_size=300), st.sampled_from([bytes(64), bytes(128)])), max_size=20),
    st.lists(st.integers(1, 5).map(lambda packets: packets * 64), min_size=1, max_size=40),
    st.booleans(),
)
def test_whatever_is_sent_comes_in_order_however_it_is_read(
    messages: list[bytes], rooms: list[int], host_first: bool
) -> None:
    """A message ends a read, and no read spans two messages."""
    host = Host()
    reads: list[Transfer] = []
    if host_first:
        reads += [host.read(room) for room in rooms]
    for message in messages:
        host.device.send(message)
    while len(reads) < len(rooms) or (reads and reads[-1].status is not None):
        reads.append(host.read(rooms[len(reads) % len(rooms)]))
    done = [bytes(one.data) for one in reads if one.status == 0]
    assert b"".join(done) == b"".join(messages)
    ends = {sum(map(len, messages[:count])) for count in range(len(messages) + 1)}
    at = 0
    for data in done:
        assert not any(at < end < at + len(data) for end in ends)
        at += len(data)
    assert host.device.function.lost_bytes == 0
