"""The vectors for programs are those that were worked out, and both of our devices keep to them."""

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from protocols.errors import FrameError
from protocols.garbage import Garbage
from protocols.tdp.codec import LENGTH_BYTES, decode_message, encode_message, refusal_for
from protocols.tdp.framing import Frame, FrameDecoder, FrameKind, encode_frame
from protocols.tdp.handshake import ResetReason, Security, Terms
from protocols.tdp.link import Link
from protocols.tdp.messages import Attestation
from protocols.tdp.states import Role
from tests.second_device import session as second
from tests.second_device.link import DeviceLink
from tests.vectors.tdp.for_programs import FILE, message_bytes, text

STORED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
STEP_MS = 5


def test_the_file_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "python -m tests.vectors.tdp"


def test_every_kind_and_every_reason_is_there() -> None:
    assert {frame["kind"] for frame in STORED["frames"]} == {kind.name for kind in FrameKind}
    resets = [frame for frame in STORED["frames"] if frame["kind"] == "RESET"]
    assert {bytes.fromhex(frame["payload"])[0] for frame in resets} == set(ResetReason)
    assert max(len(bytes.fromhex(frame["payload"])) for frame in STORED["frames"]) == 224
    assert {frame["reason"] for frame in STORED["bad_frames"]} == {"length", "noise", "truncated", "bcc", "type"}


@pytest.mark.parametrize("vector", STORED["frames"], ids=lambda vector: vector["name"])
def test_frames(vector: dict[str, Any]) -> None:
    payload = bytes.fromhex(vector["payload"])
    kind = FrameKind[vector["kind"]]
    frame = Frame(kind, vector["session"], vector["sequence"], vector["acknowledgement"], payload)
    wire = bytes.fromhex(vector["wire"])
    assert encode_frame(frame) == wire
    assert list(FrameDecoder().feed(wire)) == [frame]


@pytest.mark.parametrize("vector", STORED["bad_frames"], ids=lambda vector: vector["why"])
def test_bad_frames(vector: dict[str, Any]) -> None:
    found = list(FrameDecoder().feed(bytes.fromhex(vector["wire"])))
    assert {item.reason for item in found if isinstance(item, Garbage)} == {vector["reason"]}
    assert not [item for item in found if isinstance(item, Frame)]


@pytest.mark.parametrize("vector", STORED["messages"], ids=lambda vector: vector["name"])
def test_messages(vector: dict[str, Any]) -> None:
    message = decode_message(message_bytes(vector["wire"]))
    assert type(message).__name__ == vector["type"]
    assert encode_message(message) == bytes.fromhex(vector["wire"])


@pytest.mark.parametrize("vector", STORED["bad_messages"], ids=lambda vector: vector["why"])
def test_bad_messages(vector: dict[str, Any]) -> None:
    raw = bytes.fromhex(vector["raw"])
    with pytest.raises(FrameError) as caught:
        decode_message(raw)
    assert caught.value.reason == vector["reason"]
    refusal = refusal_for(raw)
    assert (None if refusal is None else refusal.reason) == vector["refused"]


def test_the_attestation_is_signed_by_its_key() -> None:
    told = STORED["attestation"]
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(told["public_key"]))
    key.verify(bytes.fromhex(told["signature"]), bytes.fromhex(told["signed"]))
    message = decode_message(bytes.fromhex(told["wire"])[LENGTH_BYTES:])
    assert isinstance(message, Attestation)
    assert message.signature == bytes.fromhex(told["signature"])
    counter = message.security_counter.to_bytes(4)
    assert bytes.fromhex(told["signed"]).endswith(message.image_digest + counter + bytes([message.boot_state]))


class Ours:
    """The link of the product, at the device's end."""

    def __init__(self) -> None:
        self.link = Link(Role.DEVICE, 40, Terms(security=Security.PLAIN))
        self.link.open(0.0)

    def move(self, data: bytes, written: bytes, now_s: float) -> bytes:
        """Take bytes and time; write once a session stands; return what goes onto the line."""
        before = self.link.session
        self.link.receive(data, now_s)
        if before is None and self.link.session is not None:
            self.link.send(written)
        return self.link.bytes_to_send(now_s)


class Seconds:
    """The link of the second device."""

    def __init__(self) -> None:
        self.link = DeviceLink(second.Security.PLAIN, 41)
        self.link.open()

    def move(self, data: bytes, written: bytes, now_s: float) -> bytes:
        """As ``Ours``."""
        if data:
            self.link.receive(data, now_s)
        if any(isinstance(one, second.Stands) for one in self.link.take_happened()):
            self.link.write(written, now_s)
        self.link.tick(now_s)
        return self.link.take_line()


@pytest.mark.parametrize("device", [Ours, Seconds])
@pytest.mark.parametrize("vector", STORED["timelines"], ids=lambda vector: vector["name"])
def test_timelines(vector: dict[str, Any], device: type[Ours] | type[Seconds]) -> None:
    end = device()
    written = bytes.fromhex(vector["written"])
    heard = [(step["at_ms"], bytes.fromhex(step["to_device"])) for step in vector["steps"] if "to_device" in step]
    expected = [
        (step["at_ms"], bytes.fromhex(step["from_device"])) for step in vector["steps"] if "from_device" in step
    ]
    said: list[tuple[int, bytes]] = []
    for at_ms in range(0, expected[-1][0] + 2 * STEP_MS, STEP_MS):
        data = b"".join(wire for when, wire in heard if when == at_ms)
        out = end.move(data, written, at_ms / 1000)
        frames = FrameDecoder().feed(out)
        said += [(at_ms, encode_frame(one)) for one in frames if isinstance(one, Frame)]
    assert [wire.hex(" ") for _at, wire in said] == [wire.hex(" ") for _at, wire in expected]
    for (at_ms, _wire), (when, _expected) in zip(said, expected, strict=True):
        assert when <= at_ms <= when + STEP_MS
