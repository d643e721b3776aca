"""The SMP server: framing, general errors, and every refusal of the image group."""

import hashlib
import random

import cbor2
import pytest

from protocols.mcuboot.codec import decode_image, digest_of
from protocols.mcuboot.image import ImageVersion
from sim.firmware.boot_record import BootRecord, Trial
from sim.firmware.build import class_id_of, key_of, maker_key, payload_of, signed
from sim.firmware.flash import NorFlash
from sim.firmware.image_check import BootTrust
from sim.firmware.images import ImageGroupError
from sim.firmware.lines import FRAME_MAX, LINE_MAX, LineReader, to_lines
from sim.firmware.loader import BootLoader
from sim.firmware.slots import FlashMap, FlashSlot
from tests.firmware_bridge.update.client import (
    ECHO,
    ERASE,
    HEADER,
    IMAGE,
    OS,
    PARAMETERS,
    READ,
    RESET,
    STATE,
    UPLOAD,
    WRITE,
    Client,
)

MODEL = "Reading shoe"
WHERE = FlashMap(slot_blocks=2)


def image(number: int, counter: int, *, signer: str = "maker", model: str = MODEL, size: int = 5000) -> bytes:
    return signed(payload_of(size, number), ImageVersion(1, number, 0), counter, model, key_of(signer))


def digest(data: bytes) -> bytes:
    return digest_of(decode_image(data))


OLD, NEW = image(0, 3), image(1, 5)


@pytest.fixture
def loader(seed: int) -> BootLoader:
    made = BootLoader(
        NorFlash(WHERE.geometry, random.Random(seed)), WHERE, BootTrust(maker_key().public_key(), class_id_of(MODEL))
    )
    made.provision(OLD)
    return made


@pytest.fixture
def client(loader: BootLoader) -> Client:
    return started(loader)


def started(loader: BootLoader) -> Client:
    return Client(loader, loader.boot())


def error(code: ImageGroupError) -> dict[str, object]:
    return {"err": {"group": IMAGE, "rc": int(code)}}


# --- lines ------------------------------------------------------------------------------------------------------------


def test_a_packet_as_lines() -> None:
    # CRC-16/XMODEM of "123456789" is 31C3: length 11, the digits, the check.
    assert to_lines(b"123456789") == b"\x06\x09AAsxMjM0NTY3ODkxww==\n"
    lines = to_lines(bytes(300)).split(b"\n")
    assert [line[:2] for line in lines] == [b"\x06\x09", b"\x04\x14", b"\x04\x14", b"\x04\x14", b""]
    assert all(len(line) + 1 <= LINE_MAX for line in lines)


@pytest.mark.parametrize("size", [0, 1, 87, 88, 89, 300, FRAME_MAX - 4])
def test_lines_are_read_as_they_were_written_in_any_pieces(size: int, seed: int) -> None:
    packet = random.Random(seed).randbytes(size)
    lines = to_lines(packet)
    assert LineReader().feed(lines) == [packet]
    reader = LineReader()
    assert [found for at in range(len(lines)) for found in reader.feed(lines[at : at + 1])] == [packet]
    assert reader.feed(b"console says something\r\n" + lines + lines) == [packet, packet]
    assert reader.dropped == 1


@pytest.mark.parametrize(
    "wrong",
    [
        b"\x04\x14AAsxMjM0NTY3ODkxww==\n",
        b"\x06\x09AAsxMjM0NTY3ODkwww==\n",
        b"\x06\x09AAsxMjM0NTY3ODkxww=\n",
        b"\x06\x09AAsxMj!M0NTY3ODkxww==\n",
        b"\x06\x09AAoxMjM0NTY3ODkxww==\n",
        b"\x06\x09AAEx\n",
        b"\x06\x09\n",
        b"\x06\x09" + b"A" * LINE_MAX + b"\n",
        to_lines(bytes(FRAME_MAX)),
        to_lines(bytes(300)).replace(b"\n", b"", 1),
    ],
)
def test_damaged_lines_are_dropped_and_the_next_packet_is_heard(wrong: bytes) -> None:
    reader = LineReader()
    assert reader.feed(wrong) == []
    assert reader.dropped
    assert reader.feed(to_lines(b"hears")) == [b"hears"]


def test_a_packet_broken_off_by_another_is_dropped() -> None:
    reader = LineReader()
    assert reader.feed(to_lines(bytes(300)).split(b"\n")[0] + b"\n" + to_lines(b"next")) == [b"next"]
    assert reader.dropped == 1


# --- packets ----------------------------------------------------------------------------------------------------------


def test_the_system_group(client: Client) -> None:
    assert client.ask(WRITE, OS, ECHO, d="as the shoe says") == {"r": "as the shoe says"}
    assert client.ask(READ, OS, PARAMETERS) == {"buf_size": 1024, "buf_count": 1}
    assert client.resets == 0
    assert client.ask(WRITE, OS, RESET) == {}
    assert client.resets == 1


@pytest.mark.parametrize(
    ("operation", "group", "command", "body", "code"),
    [
        (READ, OS, ECHO, cbor2.dumps({"d": "x"}), 8),
        (READ, 9, 0, b"", 8),
        (WRITE, OS, ECHO, cbor2.dumps({}), 3),
        (WRITE, OS, ECHO, cbor2.dumps({"d": 1}), 3),
        (WRITE, OS, ECHO, cbor2.dumps([1]), 3),
        (WRITE, OS, ECHO, cbor2.dumps({1: "d"}), 3),
        (WRITE, OS, ECHO, b"\xa1", 3),
        (WRITE, IMAGE, UPLOAD, cbor2.dumps({"off": True, "data": b""}), 3),
        (WRITE, IMAGE, UPLOAD, cbor2.dumps({"off": 0, "data": "text"}), 3),
        (WRITE, IMAGE, UPLOAD, cbor2.dumps({"off": 0, "data": b""}), 3),
    ],
)
def test_requests_that_no_group_answers(
    client: Client, operation: int, group: int, command: int, body: bytes, code: int
) -> None:
    head = HEADER.pack(1 << 3 | operation, 0, len(body), group, 7, command)
    (answer,) = client.raw(head + body)
    assert answer[:8] == HEADER.pack(1 << 3 | operation + 1, 0, len(answer) - 8, group, 7, command)
    assert cbor2.loads(answer[8:]) == {"rc": code}


@pytest.mark.parametrize("packet", [b"", bytes(7), HEADER.pack(0, 0, 1, 0, 0, 0), HEADER.pack(1, 0, 0, 0, 0, 0)])
def test_what_is_no_request_is_not_answered(client: Client, packet: bytes) -> None:
    assert client.raw(packet) == []


# --- images -----------------------------------------------------------------------------------------------------------


def test_an_update_to_the_end(loader: BootLoader, client: Client) -> None:
    old = {"slot": 0, "version": "1.0.0", "hash": digest(OLD), "bootable": True, "permanent": False}
    running = {"pending": False, "confirmed": True, "active": True}
    assert client.states() == [{**old, **running}]
    assert client.upload(NEW, sha=hashlib.sha256(NEW).digest()) == {"off": len(NEW), "match": True}
    new = {"slot": 1, "version": "1.1.0", "hash": digest(NEW), "bootable": True, "permanent": False}
    waiting = {"pending": False, "confirmed": False, "active": False}
    assert client.states() == [{**old, **running}, {**new, **waiting}]
    assert client.test(digest(NEW))["images"] == [{**old, **running}, {**new, **waiting, "pending": True}]
    client = started(loader)
    on_trial = [{**old, **running, "active": False}, {**new, **waiting, "active": True}]
    assert client.states() == on_trial
    done = [{**old, **waiting, "bootable": False}, {**new, **running}]
    assert client.confirm()["images"] == done
    before = loader.flash.operations
    assert client.confirm()["images"] == done
    assert loader.flash.operations == before, "confirmed once"
    assert loader.record == BootRecord(FlashSlot.B, 5)


def test_an_upload_goes_on_where_it_was_and_pieces_out_of_turn_are_passed_over(client: Client) -> None:
    whole = {"len": len(NEW), "sha": hashlib.sha256(NEW).digest()}
    assert client.ask(WRITE, IMAGE, UPLOAD, off=0, data=NEW[:700], **whole) == {"off": 700}
    assert client.ask(WRITE, IMAGE, UPLOAD, off=0, data=NEW[:700], **whole) == {"off": 700}
    assert client.ask(WRITE, IMAGE, UPLOAD, off=1400, data=NEW[1400:2000]) == {"off": 700}
    assert client.ask(WRITE, IMAGE, UPLOAD, off=-1, data=b"x") == {"off": 700}
    assert client.upload(NEW, sha=whole["sha"]) == {"off": len(NEW), "match": True}
    assert [state["version"] for state in client.states()] == ["1.0.0", "1.1.0"]


@pytest.mark.parametrize("rest", [0, 1, 255])
def test_an_image_may_end_anywhere_in_a_page(loader: BootLoader, client: Client, rest: int) -> None:
    empty = len(image(1, 5, size=1000)) - 1000
    data = image(1, 5, size=4096 + rest - empty)
    assert len(data) == 4096 + rest
    assert client.upload(data, sha=hashlib.sha256(data).digest()) == {"off": len(data), "match": True}
    before = loader.flash.operations
    client.test(digest(data))
    assert loader.flash.operations == before + 1
    assert started(loader).states()[1]["active"]


def test_another_upload_takes_the_place_of_one_that_was_broken_off(client: Client) -> None:
    client.upload(image(3, 5, size=7000), until=3000)
    assert client.upload(NEW) == {"off": len(NEW)}
    assert [state["version"] for state in client.states()] == ["1.0.0", "1.1.0"]


def test_what_came_otherwise_than_it_was_announced_is_told(client: Client) -> None:
    assert client.upload(NEW, sha=hashlib.sha256(OLD).digest()) == {"off": len(NEW), "match": False}


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"len": 8193}, ImageGroupError.TOO_LARGE),
        ({"len": 0}, ImageGroupError.INVALID_LENGTH),
        ({"len": 5000, "data": b"\x7fELF"}, ImageGroupError.INVALID_MAGIC),
        ({"len": 5000, "data": NEW[:3]}, ImageGroupError.INVALID_MAGIC),
        ({"len": 5000, "image": 1}, ImageGroupError.INVALID_SLOT),
        ({"len": 600}, ImageGroupError.DATA_OVERRUN),
        ({"off": 700}, ImageGroupError.INVALID_LENGTH),
    ],
)
def test_uploads_that_are_refused(client: Client, fields: dict[str, object], code: ImageGroupError) -> None:
    asked: dict[str, object] = {"off": 0, "data": NEW[:700], **fields}
    assert client.ask(WRITE, IMAGE, UPLOAD, **asked) == error(code)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (image(1, 5, signer="thief"), ImageGroupError.INVALID_TLV),
        (image(1, 5, model="Shuffler"), ImageGroupError.INVALID_TLV),
        (image(1, 2), ImageGroupError.CURRENT_VERSION_IS_NEWER),
        (NEW[:200] + b"!" + NEW[201:], ImageGroupError.INVALID_HASH),
        (NEW[:24], ImageGroupError.INVALID_HEADER),
    ],
)
def test_images_that_are_not_tried(loader: BootLoader, client: Client, data: bytes, code: ImageGroupError) -> None:
    client.upload(data)
    assert client.test(digest(NEW)) == error(code)
    assert loader.record.trial is Trial.NONE


def test_trials_and_confirmations_that_are_refused(loader: BootLoader, client: Client) -> None:
    assert client.test(digest(OLD)) == error(ImageGroupError.TEST_TO_ACTIVE_DENIED)
    client.upload(NEW)
    assert client.test(bytes(32)) == error(ImageGroupError.HASH_NOT_FOUND)
    assert client.ask(WRITE, IMAGE, STATE) == error(ImageGroupError.HASH_NOT_FOUND)
    denied = client.ask(WRITE, IMAGE, STATE, hash=digest(NEW), confirm=True)
    assert denied == error(ImageGroupError.CONFIRMATION_DENIED), "nobody has seen it running"
    client.test(digest(NEW))
    before = loader.flash.operations
    assert "images" in client.test(digest(NEW))
    assert loader.flash.operations == before, "it is wanted already"
    assert client.upload(image(2, 6)) == error(ImageGroupError.ALREADY_PENDING)
    client = started(loader)
    assert client.test(digest(NEW)) == error(ImageGroupError.TEST_TO_ACTIVE_DENIED)
    assert client.upload(image(2, 6)) == error(ImageGroupError.NO_FREE_SLOT), "the way back is not written over"
    assert client.ask(WRITE, IMAGE, ERASE) == error(ImageGroupError.NO_FREE_SLOT)
    assert client.ask(WRITE, IMAGE, ERASE, slot=0) == error(ImageGroupError.NO_FREE_SLOT)


def test_erasing_gives_up_a_trial_and_spares_what_runs(loader: BootLoader, client: Client) -> None:
    client.upload(NEW)
    client.test(digest(NEW))
    assert client.ask(WRITE, IMAGE, ERASE, slot=0) == error(ImageGroupError.INVALID_SLOT)
    assert client.ask(WRITE, IMAGE, ERASE, slot=1) == {}
    assert loader.flash.read(WHERE.at(FlashSlot.B), WHERE.slot_bytes) == b"\xff" * WHERE.slot_bytes
    assert loader.record == BootRecord(FlashSlot.A, 3)
    assert [state["slot"] for state in client.states()] == [0]


def test_a_client_of_the_first_version_gets_its_errors(loader: BootLoader) -> None:
    client = Client(loader, loader.boot(), version=0)
    assert client.test(digest(OLD)) == {"rc": 6}
    assert client.ask(WRITE, IMAGE, UPLOAD, off=0, data=b"abcd", len=9) == {"rc": 3}


def test_a_boot_loader_without_an_image_is_updated_as_well(loader: BootLoader) -> None:
    loader.flash.program(256, bytes(256))
    client = started(loader)
    assert client.states() == []
    assert client.confirm() == error(ImageGroupError.CONFIRMATION_DENIED)
    client.upload(NEW)
    client.test(digest(NEW))
    client = started(loader)
    assert [state["active"] for state in client.states()] == [True]
    client.confirm()
    assert loader.record == BootRecord(FlashSlot.B, 5)
