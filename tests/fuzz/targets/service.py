"""The host's end of a service port, against a device that answers anything (``docs/protocols/smp.md``)."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

import cbor2

from drivers.errors import PortLost
from firmware_bridge.update.errors import DeviceFailure
from firmware_bridge.update.service import SmpService
from sim.firmware.lines import LineReader, to_lines
from tests.firmware_bridge.update.client import HEADER
from tests.fuzz.target import Supply, Target, must

_ANSWERS_MAX: Final = 6


class AnsweringPort:
    """A port behind which the fuzzer answers: in bytes of its own, or in whole packets that fit the question."""

    name: Final = "a service port"

    def __init__(self, supply: Supply) -> None:
        self._supply: Final = supply
        self._reader: Final = LineReader()
        self._waiting = b""
        self._answers = 0
        self.is_open = False

    def open(self) -> None:
        self.is_open = True

    def read(self, timeout_s: float) -> bytes:  # noqa: ARG002  # nothing more will come in any time
        data, self._waiting = self._waiting, b""
        if not data:
            raise PortLost(self.name, "gone", "")
        return data

    def write(self, data: bytes) -> None:
        """Take lines of a question, and answer it when it is whole."""
        for packet in self._reader.feed(data):
            if self._supply.is_left and self._answers < _ANSWERS_MAX:
                self._answers += 1
                self._waiting += self._answer(packet)

    def wake(self) -> None:
        """Nobody waits."""

    def close(self) -> None:
        self.is_open = False

    def _answer(self, packet: bytes) -> bytes:
        first, _flags, _size, group, sequence, command = HEADER.unpack_from(packet)
        shape, body = self._supply.number(), self._supply.piece()
        if shape % 4 == 0:
            return body + b"\n"
        if shape % 4 == 1:
            return to_lines(body)
        return to_lines(HEADER.pack(first + 1, 0, len(body), group, sequence, command) + body)


def check_answers(data: bytes) -> None:
    """Whatever a device answers: slots, or trouble with a code and a remedy; and the port is let go."""
    ports: list[AnsweringPort] = []
    supply = Supply(data)

    def make_port() -> AnsweringPort:
        ports.append(AnsweringPort(supply))
        return ports[-1]

    service = SmpService(make_port, answer_s=1.0, patience_s=0.0)
    try:
        found = service.slots()
        assert all(type(slot.digest) is bytes for slot in found)
        service.want_trial(bytes(32))
        service.upload(bytes(600))
    except DeviceFailure as trouble:
        must(all((trouble.who, trouble.remedy)), f"{trouble} says not who can do what")
    assert not any(port.is_open for port in ports), "a port is left open"


def _said(**fields: object) -> bytes:
    body = cbor2.dumps(fields)
    return bytes([2, len(body)]) + body


def _seeds() -> Iterable[bytes]:
    parameters = _said(buf_size=1024, buf_count=1)
    slot = {"slot": 0, "version": "1.0.0", "hash": bytes(32), "active": True, "confirmed": True}
    states = _said(images=[slot])
    refused = _said(err={"group": 1, "rc": 33})
    return [
        parameters + states,
        parameters + states + parameters + states + parameters + _said(off=600),
        parameters + _said(rc=3),
        parameters + refused,
        parameters + states + parameters + refused,
        _said(buf_size=1, buf_count=1) + states,
        _said(buf_size=Decimal("1E+999999999"), buf_count=1),
        parameters + _said(images=[{**slot, "slot": Decimal("1E+999999999")}]),
        parameters + states + parameters + states + parameters + _said(off=Decimal("1E+999999999")),
        bytes([0, 5]) + b"\x06\x09AAA",
        bytes([1, 2]) + b"\x09\x00",
    ]


TARGETS: Final = {
    "smp-answers": Target(check_answers, _seeds, 300, 512, words=(b"images", b"hash", b"off", b"rc", b"err")),
}
