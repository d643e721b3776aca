"""The service port over a real line: an honest device, and whatever else may answer there."""

import contextlib
import random
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

import cbor2
import pytest

from drivers.discovery import port_maker
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.errors import DeviceFailure
from firmware_bridge.update.service import SmpService
from firmware_bridge.update.smp_line import has_tag
from protocols.tdp.codes import BootState
from sim.firmware.build import class_id_of, maker_key
from sim.firmware.flash import NorFlash
from sim.firmware.image_check import BootTrust
from sim.firmware.lines import LineReader, to_lines
from sim.firmware.loader import BootLoader
from sim.firmware.server import SmpServer
from tests.firmware_bridge.update.client import HEADER, IMAGE, UPLOAD
from tests.firmware_bridge.update.loop import WHERE
from tests.firmware_bridge.update.night import MODEL, NEW, OLD
from tests.kit.waiting import PATIENCE_S

Answer = Callable[[bytes], bytes]
"""Gives the answer to a request."""
SHORT_S: Final = 0.3


class Line:
    """A TCP socket of this machine, at which somebody answers; one host at a time."""

    def __init__(self, answer: Answer) -> None:
        self._answer: Final = answer
        self._socket: Final = socket.create_server(("127.0.0.1", 0))
        self._thread: Final = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return "socket://{}:{}".format(*self._socket.getsockname())

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(PATIENCE_S)

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                host, _ = self._socket.accept()
                with host, contextlib.suppress(OSError):
                    while data := host.recv(65536):
                        host.sendall(self._answer(data))


@pytest.fixture
def lines() -> Iterator[Callable[[Answer], Line]]:
    made: list[Line] = []

    def make(answer: Answer) -> Line:
        made.append(Line(answer))
        return made[-1]

    yield make
    for line in made:
        line.close()


class Device:
    """The simulated device's own server."""

    def __init__(self) -> None:
        trust = BootTrust(maker_key().public_key(), class_id_of(MODEL))
        self.loader: Final = BootLoader(NorFlash(WHERE.geometry, random.Random(1)), WHERE, trust)
        self.loader.provision(OLD.image)
        self.resets = 0
        self._said: list[bytes] = []
        self.start()

    def start(self) -> None:
        self.server = SmpServer(self.loader, self.loader.boot(), self._said.append, self._reset)

    def answer(self, data: bytes) -> bytes:
        self.server.receive(data)
        said = b"".join(self._said)
        self._said.clear()
        return said

    def _reset(self) -> None:
        self.resets += 1


def service(line: Line, patience_s: float = 0.0) -> SmpService:
    return SmpService(port_maker(line.name), SHORT_S, patience_s)


def patient(line: Line) -> SmpService:
    return SmpService(port_maker(line.name), PATIENCE_S, 0.0)


def test_all_that_an_update_needs(lines: Callable[[Answer], Line]) -> None:
    device = Device()
    port = patient(lines(device.answer))
    (old,) = port.slots()
    assert (old.digest, old.version, old.active, old.confirmed, old.pending) == (
        OLD.digest,
        OLD.version,
        True,
        True,
        False,
    )
    port.upload(NEW.image)
    port.want_trial(NEW.digest)
    assert [slot.pending for slot in port.slots()] == [False, True]
    port.restart()
    assert device.resets == 1
    device.start()
    with pytest.raises(DeviceFailure, match="service_refused"):
        port.confirm(OLD.digest)
    port.confirm(NEW.digest)
    device.start()
    running = device.loader.boot()
    assert running is not None
    assert (running.approved.digest, running.state) == (NEW.digest, BootState.VERIFIED)
    port.erase()
    assert len(port.slots()) == 1


def test_refusals_have_the_number_with_which_the_device_refused(lines: Callable[[Answer], Line]) -> None:
    port = patient(lines(Device().answer))
    with pytest.raises(DeviceFailure, match=r"service_refused: the device refused with 33 "):
        port.want_trial(OLD.digest)
    with pytest.raises(DeviceFailure, match="service_refused: the device took no image"):
        port.upload(b"no image at all" * 10)


@pytest.mark.parametrize("wanted", [0, 1, 1 << 31])
def test_a_device_that_always_wants_the_same_bytes(lines: Callable[[Answer], Line], wanted: int) -> None:
    device, reader = Device(), LineReader()

    def answer(data: bytes) -> bytes:
        return b"".join(map(answered, reader.feed(data)))

    def answered(packet: bytes) -> bytes:
        first, _flags, _size, group, sequence, command = HEADER.unpack_from(packet)
        if (group, command) != (IMAGE, UPLOAD):
            return device.answer(to_lines(packet))
        body = cbor2.dumps({"off": wanted})
        return to_lines(HEADER.pack(first + 1, 0, len(body), group, sequence, command) + body)

    with pytest.raises(DeviceFailure, match=r"service_refused: the device wants byte \d+ again and again"):
        patient(lines(answer)).upload(NEW.image)


def test_what_a_device_calls_its_version_is_fit_for_a_terminal(lines: Callable[[Answer], Line]) -> None:
    reader = LineReader()
    slot = {"slot": 0, "version": "\x1b[2J1.0\n" + "9" * 100, "hash": bytes(32)}

    def answered(packet: bytes) -> bytes:
        first, _flags, _size, group, sequence, command = HEADER.unpack_from(packet)
        body = cbor2.dumps({"images": [slot]} if group == IMAGE else {"buf_size": 1024, "buf_count": 1})
        return to_lines(HEADER.pack(first + 1, 0, len(body), group, sequence, command) + body)

    (found,) = patient(lines(lambda data: b"".join(map(answered, reader.feed(data))))).slots()
    assert found.version == "?[2J1.0?" + "9" * 24


def test_a_console_on_the_same_line_is_passed_over(lines: Callable[[Answer], Line]) -> None:
    device = Device()
    port = patient(lines(lambda data: b"uart:~$ log 17\r\n\x06\x09!!!\n" + device.answer(data)))
    assert len(port.slots()) == 1


def test_silence(lines: Callable[[Answer], Line]) -> None:
    port = service(lines(lambda _data: b""))
    for ask in (port.slots, port.restart):
        with pytest.raises(DeviceFailure) as caught:
            ask()
        assert caught.value.code == UpdateCode.SERVICE_SILENT
        assert "key" in caught.value.remedy


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        name = "socket://{}:{}".format(*gone.getsockname())
    with pytest.raises(DeviceFailure, match="service_silent"):
        SmpService(port_maker(name), SHORT_S, 0.0).slots()


@pytest.mark.parametrize(
    "answer",
    [
        lambda _data: b"\xff\x00garbage\n",
        lambda _data: b"\x06\x09AAAA\n",
        lambda _data: b"\x06\x09" + b"A" * 200 + b"\n",
        lambda _data: b"\x06\x09not base64\n",
        lambda _data: b"x" * 10_000,
        lambda _data: to_lines(b""),
        lambda _data: to_lines(b"\x09\x00"),
        lambda _data: to_lines(bytes.fromhex("0900000600010000") + b"\xbf\xff"),
        lambda _data: to_lines(bytes.fromhex("ffffffffffffffff")),
        lambda data: data,
    ],
    ids=["noise", "no length", "too long", "no base64", "no end", "empty", "half", "no cbor", "ones", "an echo"],
)
def test_garbage(lines: Callable[[Answer], Line], answer: Answer) -> None:
    with pytest.raises(DeviceFailure) as caught:
        service(lines(answer)).slots()
    assert caught.value.code in {UpdateCode.SERVICE_GARBAGE, UpdateCode.SERVICE_SILENT}
    assert caught.value.who == "technician"


def test_answers_to_other_questions(lines: Callable[[Answer], Line]) -> None:
    device = Device()
    first: list[bytes] = []

    def answer(data: bytes) -> bytes:
        said = device.answer(data)
        first.append(said)
        return first[0]

    with pytest.raises(DeviceFailure, match="service_garbage"):
        service(lines(answer)).slots()


def test_a_damaged_answer_is_asked_for_again(lines: Callable[[Answer], Line]) -> None:
    device = Device()
    left = [3]

    def answer(data: bytes) -> bytes:
        said = device.answer(data)
        if left[0]:
            left[0] -= 1
            return said[:-10] + b"\n"
        return said

    assert len(service(lines(answer), PATIENCE_S).slots()) == 1


@pytest.mark.parametrize("seed", range(20))
def test_answers_with_changed_bits_raise_nothing_else(lines: Callable[[Answer], Line], seed: int) -> None:
    device, rng = Device(), random.Random(seed)

    def answer(data: bytes) -> bytes:
        packets = LineReader().feed(device.answer(data))
        changed = bytearray(packets[0])
        for _ in range(rng.randrange(1, 4)):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        return to_lines(bytes(changed))  # its own check is right: what is wrong comes from the device

    with contextlib.suppress(DeviceFailure):
        for slot in service(lines(answer)).slots():
            assert isinstance(slot.digest, bytes)


@pytest.mark.parametrize("other", [7, -(2**40), 1.5, None, True, "x" * 300, bytes(70_000), [], {"a": [1, {"b": b"c"}]}])
def test_an_answer_with_a_tag_is_found_whatever_stands_around_it(other: object) -> None:
    for tagged in (Decimal("1E+999999999"), 2**70, datetime(2026, 11, 21, tzinfo=UTC)):
        assert has_tag(cbor2.dumps({"images": [other, {"slot": tagged}, other]}))
    assert not has_tag(cbor2.dumps({"images": [other, {"slot": 1}, other]}))


def test_what_looks_like_a_tag_in_a_text_is_none() -> None:
    """Of a length that is told, and in pieces of which each tells its own."""
    for body in (
        b"\x43\xc4\x82\x1a",
        b"\x5f\x43\xc4\x82\x1a\x41\xc0\xff",
        b"\x58\x03\xc4\x82\x1a",
        b"\x1a\xc4\xc4\xc4\xc4",
    ):
        assert not has_tag(body)
        assert has_tag(body + b"\xc0\x60")
