"""Messages: golden bytes both ways, what is refused, and finding them in the stream."""

from dataclasses import replace

import pytest

from protocols.errors import EncodeError, FrameError
from protocols.garbage import Garbage, NotUnderstood
from protocols.tdp.codec import MESSAGE_MAX, decode_message, encode_message, refusal_for
from protocols.tdp.codes import Capability, Condition, DeviceState, Face, RefusalReason
from protocols.tdp.commands import Attest, Dispense, Unlock
from protocols.tdp.events import PACKET_MAX, CardDrawn, DeviceEvent, EventKey, PacketDispensed, ShuffleStarted
from protocols.tdp.messages import Attestation, Done, Hello, Message, Refused, Status
from protocols.tdp.reader import MessageReader
from protocols.tdp.rows import EVENTS, ROWS
from regulations.events.cards import DECK
from tests.vectors.tdp import golden

WIRES = [bytes.fromhex(vector.wire) for vector in golden.MESSAGES]
MESSAGES = [vector.message for vector in golden.MESSAGES]
DONE = bytes.fromhex("00 05 04 00 00 00 09")
HELLO = next(message for message in MESSAGES if isinstance(message, Hello))
ATTESTATION = next(message for message in MESSAGES if isinstance(message, Attestation))


@pytest.mark.parametrize("vector", golden.MESSAGES, ids=lambda vector: vector.name)
def test_golden_messages_both_ways(vector: golden.GoldenMessage) -> None:
    wire = bytes.fromhex(vector.wire)
    assert len(wire) == 2 + int.from_bytes(wire[:2], "big")
    assert decode_message(wire[2:]) == vector.message
    assert encode_message(vector.message) == wire


def test_every_type_has_a_golden_message_and_fits() -> None:
    assert {type(message) for message in MESSAGES} == {row.message for row in ROWS}
    assert len({row.kind for row in ROWS}) == len(ROWS)
    assert max(row.most for row in ROWS) + 1 <= MESSAGE_MAX


@pytest.mark.parametrize("vector", golden.REFUSED, ids=lambda vector: vector.name)
def test_what_must_not_be_taken_is_refused_with_its_place(vector: golden.RefusedMessage) -> None:
    raw = bytes.fromhex(vector.raw)
    with pytest.raises(FrameError) as caught:
        decode_message(raw)
    assert (caught.value.offset, caught.value.raw, caught.value.reason) == (vector.offset, raw, vector.reason)


@pytest.mark.parametrize(
    "message",
    [
        CardDrawn(1, 1, 65536, "AS", Face.UP, 1),
        CardDrawn(-1, 1, 1, "AS", Face.UP, 1),
        CardDrawn(1, 1, 1, "AS", Face.UP, 101),
        CardDrawn(1, 1, 1, "1S", Face.UP, 1),  # type: ignore[arg-type]  # what a typed caller cannot write
        PacketDispensed(1, 1, 0, ()),
        PacketDispensed(1, 1, 33, DECK[: PACKET_MAX + 1]),
        replace(HELLO, maker="Á"),
        replace(HELLO, maker="tab\t"),
        replace(HELLO, maker="x" * 25),
        replace(HELLO, maker=None),  # type: ignore[arg-type]  # as above
        replace(HELLO, image_digest=b"short"),
        replace(ATTESTATION, signature=bytes(513)),
        Attest(1, bytes(31)),
        Dispense(1, 256),
        Unlock(1 << 32, 1),
        EventKey(1, 1),  # no message at all
    ],
)
def test_what_has_no_form_cannot_be_encoded(message: Message) -> None:
    with pytest.raises(EncodeError):
        encode_message(message)


def test_a_value_that_would_be_read_differently_cannot_be_encoded() -> None:
    with pytest.raises(EncodeError, match="would be read as"):
        encode_message(replace(HELLO, firmware_version=_Text("1.0")))


class _Text(str):
    """Text that is written but not equal to what is read back."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = str.__hash__


def test_every_card_has_a_byte_of_its_own() -> None:
    codes = {encode_message(CardDrawn(1, 1, 1, card, Face.UP, 100))[17] for card in [None, *DECK]}
    assert len(codes) == 53


def test_bits_of_later_versions_are_kept() -> None:
    hello = replace(HELLO, capabilities=Capability(0x80000001))
    assert decode_message(encode_message(hello)[2:]) == hello
    status = Status(DeviceState.IDLE, Condition(0x8001), 0, 0, 0, 0, 0)
    assert decode_message(encode_message(status)[2:]) == status


def test_an_event_keeps_the_bytes_in_which_it_came_and_only_those() -> None:
    told = {type(vector.message): vector for vector in golden.MESSAGES if isinstance(vector.message, DeviceEvent)}
    assert set(told) == {row.message for row in EVENTS}
    for vector in told.values():
        wire = bytes.fromhex(vector.wire)
        event = decode_message(wire[2:])
        assert isinstance(event, DeviceEvent)
        assert event.raw == wire
        assert event == vector.message
        changed = replace(event, number=event.number + 1)
        assert changed.raw == b""  # those were another event's


def test_events_are_ordered_as_they_happened() -> None:
    keys = [EventKey(2, 1), EventKey(1, 2), EventKey(1, 1)]
    assert sorted(keys) == [EventKey(1, 1), EventKey(1, 2), EventKey(2, 1)]
    assert ShuffleStarted(1, 2).key == EventKey(1, 2)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_pieces_of_any_size_give_the_same_messages(size: int) -> None:
    stream = b"".join(WIRES)
    reader = MessageReader()
    items = [item for at in range(0, len(stream), size) for item in reader.feed(stream[at : at + size])]
    assert items == MESSAGES
    assert (reader.messages, reader.unreadable, reader.broken, reader.pending) == (len(MESSAGES), 0, False, b"")


def test_an_unknown_message_is_passed_over() -> None:
    reader = MessageReader()
    unknown = bytes.fromhex("00 03 99 01 02")
    assert reader.feed(unknown + DONE) == [NotUnderstood(unknown[2:], "type", "99"), Done(9)]
    assert (reader.messages, reader.unreadable, reader.broken) == (1, 1, False)


@pytest.mark.parametrize("length", [0, MESSAGE_MAX + 1, 0xFFFF])
def test_an_impossible_length_is_the_end(length: int) -> None:
    reader = MessageReader()
    bad = length.to_bytes(2, "big") + b"rest"
    assert reader.feed(DONE + bad) == [Done(9), Garbage(bad, "length")]
    assert reader.broken
    assert reader.feed(DONE) == [Garbage(DONE, "length")]
    assert reader.feed(b"") == []


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("7A 00 00 00 09", RefusalReason.NOT_SUPPORTED),
        ("FF 00 00 00 09 01 02 03", RefusalReason.NOT_SUPPORTED),
        ("53 00 00 00 09 00", RefusalReason.BAD_VALUE),
        ("51 00 00 00 09", RefusalReason.BAD_VALUE),
        ("57 00 00 00 09 03 02", RefusalReason.BAD_VALUE),
    ],
    ids=["unknown type", "unknown type, longer", "too long", "too short", "no such lamp"],
)
def test_a_command_that_cannot_be_read_is_refused_by_its_id(raw: str, reason: RefusalReason) -> None:
    assert refusal_for(bytes.fromhex(raw)) == Refused(9, reason)


@pytest.mark.parametrize(
    "raw",
    ["53 00 00 00", "", "7A", "4F 00 00 00 09", "41 00 00 00 05", "04 00 00", "53 00 00 00 09"],
    ids=["no whole id", "nothing", "a type alone", "below the commands", "an acknowledgement", "a report", "sound"],
)
def test_what_is_no_command_or_is_sound_is_not_refused(raw: str) -> None:
    assert refusal_for(bytes.fromhex(raw)) is None


def test_of_what_must_not_be_taken_the_commands_are_refused() -> None:
    refused = {vector.name: refusal_for(bytes.fromhex(vector.raw)) for vector in golden.REFUSED}
    assert {name: answer for name, answer in refused.items() if answer is not None} == {
        "type unknown": Refused(1, RefusalReason.NOT_SUPPORTED),
        "no such lamp": Refused(8, RefusalReason.BAD_VALUE),
    }
