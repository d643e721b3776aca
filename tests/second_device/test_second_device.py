"""The second device's frames and messages against the page, and that it shares nothing with ours."""

import ast
import random
import sys
from pathlib import Path

import pytest

from tests.second_device import framing, messages
from tests.second_device.framing import Frame, FrameReader, Kind, NotCobsError, Skipped, cobs, crc32c, encode, uncobs
from tests.second_device.link import DeviceLink
from tests.second_device.mechanism import Mechanism
from tests.second_device.messages import ImpossibleLengthError, MessageError, MessageReader, Type, Value
from tests.second_device.outbox import Outbox
from tests.second_device.session import Security, State
from tests.second_device.vectors import FRAMES, MESSAGES, NOT_TO_BE_TAKEN

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "protocols" / "tdp.md"
VECTORS = PAGE.with_name("tdp-vectors.md")

ALIVE = Frame(Kind.ACK, 0x0729)


def bits_reversed_crc(data: bytes) -> int:
    """CRC-32C by its definition, bit for bit, as a check on the one with a table."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def sealed(body: bytes) -> bytes:
    """A frame of any content with a sound check, as on the line."""
    return b"\0" + cobs(body + bits_reversed_crc(body).to_bytes(4)) + b"\0"


def test_imports_only_the_standard_library_and_itself() -> None:
    allowed = {*sys.stdlib_module_names, "pytest"}
    for path in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                ours = name == "tests.second_device" or name.startswith("tests.second_device.")
                assert ours or name.split(".")[0] in allowed, f"{path.name} imports {name}"


def test_every_vector_of_the_page_is_here() -> None:
    section = PAGE.read_text(encoding="utf-8").split("## 13. Test vectors")[1].split("## 14.")[0]
    section += VECTORS.read_text(encoding="utf-8").split("Messages, with their length:")[1]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.count("`") == 2 and "|" in line]
    in_page = {name.strip(): "".join(raw.strip("` ").split()) for name, raw in rows}
    here = {name: raw for name, (raw, _) in FRAMES.items()} | {name: raw for name, (raw, _, _) in MESSAGES.items()}
    here |= NOT_TO_BE_TAKEN
    assert in_page == {name: "".join(raw.split()) for name, raw in here.items()}


@pytest.mark.parametrize("name", FRAMES)
def test_frame_vectors_both_ways(name: str) -> None:
    text, frame = FRAMES[name]
    assert list(FrameReader().feed(bytes.fromhex(text))) == [frame]
    assert encode(frame) == bytes.fromhex(text)


@pytest.mark.parametrize("name", MESSAGES)
def test_message_vectors_both_ways(name: str) -> None:
    text, kind, fields = MESSAGES[name]
    (body,) = MessageReader().feed(bytes.fromhex(text))
    message = messages.decode(body)
    assert message.type is kind
    assert message.fields == fields
    assert messages.encode(kind, **fields) == bytes.fromhex(text)


@pytest.mark.parametrize("name", NOT_TO_BE_TAKEN)
def test_message_not_to_be_taken(name: str) -> None:
    with pytest.raises(MessageError):
        messages.decode(bytes.fromhex(NOT_TO_BE_TAKEN[name]))


@pytest.mark.parametrize(
    "text",
    [
        "51 00 00 00 01 00",
        "51 00 00 00 01 21",
        "52 00 00 00 01 00 00",
        "57 00 00 00 01 00 03",
        "10 00 00 00 05 00 00 00 02 00 01 08 01 63",
        "10 00 00 00 05 00 00 00 02 00 01 1E 01 63",
        "07" + " 00" * 72 + " 03",
    ],
    ids=["dispense 0", "dispense 33", "unlock 0", "lamp mode 3", "rank without suit", "rank 14", "boot state 3"],
)
def test_value_not_allowed(text: str) -> None:
    with pytest.raises(MessageError):
        messages.decode(bytes.fromhex(text))


def test_text_with_control_byte_or_gap() -> None:
    text, kind, fields = MESSAGES["hello"]
    body = bytearray.fromhex(text)[2:]
    for at, byte in ((2, 0x1F), (2, 0x00), (2, 0x7F), (30, 0x80)):
        broken = bytes(body[:at]) + bytes((byte,)) + bytes(body[at + 1 :])
        with pytest.raises(MessageError):
            messages.decode(broken)
    longest: dict[str, Value] = fields | {"maker": "M" * 24}
    assert messages.decode(messages.encode(kind, **longest)[2:]).fields["maker"] == "M" * 24


def test_messages_lie_across_pieces(seed: int) -> None:
    rng = random.Random(seed)
    stream = b"".join(bytes.fromhex(text) for text, _, _ in MESSAGES.values())
    reader = MessageReader()
    kinds = []
    while stream:
        size = rng.randrange(1, 9)
        kinds += [messages.decode(body).type for body in reader.feed(stream[:size])]
        stream = stream[size:]
    assert kinds == [kind for _, kind, _ in MESSAGES.values()]


@pytest.mark.parametrize("length", [0, 1025, 0xFFFF])
def test_impossible_length(length: int) -> None:
    with pytest.raises(ImpossibleLengthError):
        list(MessageReader().feed(length.to_bytes(2)))


def test_the_longest_message_of_an_unknown_type_is_skipped() -> None:
    reader = MessageReader()
    unknown, lock = reader.feed((1024).to_bytes(2) + b"\x99" * 1024 + bytes.fromhex("00 05 53 00 00 00 04"))
    with pytest.raises(MessageError, match="unknown type"):
        messages.decode(unknown)
    assert messages.decode(lock).type is Type.LOCK


def test_check_of_the_page() -> None:
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(b"") == 0


def test_check_by_table_and_by_definition(seed: int) -> None:
    rng = random.Random(seed)
    for size in range(0, 240, 7):
        data = rng.randbytes(size)
        assert crc32c(data) == bits_reversed_crc(data)


@pytest.mark.parametrize(
    ("plain", "encoded"),
    [
        ("", "01"),
        ("00", "01 01"),
        ("00 00", "01 01 01"),
        ("11 22 00 33", "03 11 22 02 33"),
        ("11 22 33 44", "05 11 22 33 44"),
        ("11 00 00 00", "02 11 01 01 01"),
    ],
)
def test_cobs(plain: str, encoded: str) -> None:
    assert cobs(bytes.fromhex(plain)) == bytes.fromhex(encoded)
    assert uncobs(bytes.fromhex(encoded)) == bytes.fromhex(plain)


def test_cobs_worked_out_on_the_page() -> None:
    plain = "01 01 07 00 00 00 01 01 04 E0 01 C3 28 C9 74"
    worked_out = "04 01 01 07 01 01 0A 01 01 04 E0 01 C3 28 C9 74"
    assert cobs(bytes.fromhex(plain)) == bytes.fromhex(worked_out)


def test_cobs_there_and_back(seed: int) -> None:
    rng = random.Random(seed)
    for size in range(240):
        data = bytes(rng.choice((0, 0, 1, 0xFF)) for _ in range(size))
        assert 0 not in cobs(data)
        assert len(cobs(data)) == size + 1
        assert uncobs(cobs(data)) == data


def test_no_run_of_a_frame_is_as_long_as_254() -> None:
    assert len(cobs(b"\x01" * 253)) == 254
    with pytest.raises(ValueError, match="254"):
        cobs(b"\x01" * 254)


@pytest.mark.parametrize("text", ["05 11 22 33", "02", "FF 11"])
def test_not_cobs(text: str) -> None:
    with pytest.raises(NotCobsError):
        uncobs(bytes.fromhex(text))


OPEN_BODY = "01 01 07 00 00 00 01 01 04 E0 01"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"\0" + b"\x01" * 236 + b"\0", "length"),
        (b"\0\x05\x11\x22\0", "noise"),
        (sealed(bytes(5)), "truncated"),
        (sealed(bytes.fromhex(OPEN_BODY)).replace(b"\xe0", b"\xe1"), "bcc"),
        (sealed(bytes.fromhex("02" + OPEN_BODY[2:])), "type"),
        (sealed(bytes.fromhex("01 07" + OPEN_BODY[5:])), "type"),
        (sealed(bytes.fromhex("01 00" + OPEN_BODY[5:])), "type"),
        # Two faults at once: no field is believed before the check.
        (sealed(bytes.fromhex("02" + OPEN_BODY[2:])).replace(b"\xe0", b"\xe1"), "bcc"),
    ],
)
def test_malformed_by_reason(raw: bytes, reason: str) -> None:
    found = list(FrameReader().feed(raw + encode(ALIVE)))
    assert [each.reason for each in found[:-1] if isinstance(each, Skipped)] == [reason]
    assert found[-1] == ALIVE  # damage costs one frame


def test_235_bytes_are_not_too_long() -> None:
    longest = Frame(Kind.DATA, 0x0101, 0x01, 0x01, b"\x01" * 224)
    raw = encode(longest)
    assert len(raw) == 237
    assert list(FrameReader().feed(raw)) == [longest]


def test_noise_without_end_is_given_out_as_it_comes() -> None:
    reader = FrameReader()
    assert list(reader.feed(b"\x55" * 235)) == []
    assert list(reader.feed(b"\x55")) == [Skipped("length", b"\x55" * 236)]
    assert framing.decode(b"\x55" * 236) == Skipped("length", b"\x55" * 236)
    assert list(reader.feed(b"\x55" * 1000)) == [Skipped("length", b"\x55" * 1000)]
    assert list(reader.feed(encode(ALIVE))) == [ALIVE]


def test_halves_never_join() -> None:
    raw = encode(ALIVE)
    reader = FrameReader()
    assert list(reader.feed(raw[:10])) == []
    assert reader.line_lost() == Skipped("truncated", raw[1:10])
    found = list(reader.feed(raw[10:] + raw))
    assert found[-1] == ALIVE
    assert ALIVE not in found[:-1]


def test_each_byte_for_itself_and_every_single_damage(seed: int) -> None:
    rng = random.Random(seed)
    good = [frame for _, frame in FRAMES.values()]
    raw = b"".join(encode(frame) for frame in good)
    reader = FrameReader()
    assert [found for byte in raw for found in reader.feed(bytes((byte,)))] == good
    for at in range(len(raw)):
        damaged = bytearray(raw)
        damaged[at] ^= rng.randrange(1, 256)
        found = [each for each in FrameReader().feed(bytes(damaged)) if isinstance(each, Frame)]
        assert len(found) >= len(good) - 1
        assert all(each in good for each in found)


def test_payload_over_224_bytes_cannot_be_framed() -> None:
    assert framing.PAYLOAD_MAX == 224
    raw = encode(Frame(Kind.DATA, 1, payload=b"\0" * 225))
    (skipped,) = FrameReader().feed(raw)
    assert isinstance(skipped, Skipped)
    assert skipped.reason == "length"


@pytest.mark.parametrize("offer", ["6566 04E0 00", "0101 04E0 01", "0101 0110 00"])
def test_an_offer_of_the_established_session_is_a_copy_whatever_it_offers(offer: str) -> None:
    device = DeviceLink(Security.PLAIN, 0x29)
    device.open()
    device.receive(encode(Frame(Kind.OPEN, 0x0700, payload=bytes.fromhex("0101 04E0 00"))), 0.0)
    device.receive(encode(ALIVE), 0.1)
    device.take_line()
    device.receive(encode(Frame(Kind.OPEN, 0x0700, payload=bytes.fromhex(offer))), 0.2)
    assert (device.state, device.take_line()) == (State.OPEN, b"")


@pytest.mark.parametrize(("before", "after"), [(0x7FFF, 0x8000), (0xFFFF, 0)])
def test_the_count_has_two_bytes(before: int, after: int, seed: int) -> None:
    outbox = Outbox(None, keeps_events=True)
    mechanism = Mechanism(outbox, random.Random(seed))
    mechanism.load(1)
    mechanism.unlock(1, 0)
    outbox.memory.count = before
    mechanism.draw()
    assert messages.decode(outbox.pending[-1][2:]).number("count") == outbox.memory.count == after
