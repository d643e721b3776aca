"""The host's end of TLS against a device that sends anything, in plain bytes or in records of its own."""

import ssl
import subprocess
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from protocols.tdp.states import Role
from protocols.tdp.tls import Plaintext, Secured, TlsFailed, TlsStream
from tests.fuzz.target import Supply, Target, must

RECORD_MAX: Final = 5 + (1 << 14) + 256
"""A record of TLS 1.3 with its header: more never waits undecrypted."""
NAME: Final = "shuffler-001"
"""The name in the device's certificate."""
_ROUNDS_MAX: Final = 4
_STEPS_MAX: Final = 40
_AFTER_THE_END: Final = b"\x0c\xff" + b"x" * 255 + b"\xff"
"""64 KiB that nobody reads any more."""
_KEY: Final = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def _subject(name: str) -> list[str]:
    return ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-days", "2"]


@cache
def contexts() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Host and device, each with a certificate made just now, which is all that the other trusts."""
    made: dict[str, ssl.SSLContext] = {}
    with tempfile.TemporaryDirectory(prefix="cardshoe-fuzz-") as name:
        folder = Path(name)
        for end in ("host", NAME):
            subprocess.run(
                ["openssl", "req", "-x509", *_KEY, "-keyout", f"{end}.key", "-out", f"{end}.pem", *_subject(end)],
                cwd=folder,
                check=True,
                capture_output=True,
                timeout=30,
            )
        for end, other, protocol in (
            ("host", NAME, ssl.PROTOCOL_TLS_CLIENT),
            (NAME, "host", ssl.PROTOCOL_TLS_SERVER),
        ):
            context = made[end] = ssl.SSLContext(protocol)
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(folder / f"{other}.pem")
            context.load_cert_chain(folder / f"{end}.pem", folder / f"{end}.key")
    return made["host"], made[NAME]


def check_plain_bytes(data: bytes) -> None:
    """Bytes that are no handshake: ``TlsFailed`` or silence, and once failed, failed for ever."""
    host = TlsStream(Role.HOST, contexts()[0], NAME)
    supply = Supply(data)
    try:
        while supply.is_left:
            assert host.receive(supply.piece()) == [], "bytes of nobody came through"
    except TlsFailed as failed:
        must(failed.why, "the error says nothing")
        host.bytes_to_send()
        _must_stay_failed(host)
    assert not host.secured
    host.close()


def check_session(data: bytes) -> None:
    """Two ends, and a line that changes, cuts, repeats and adds: what comes through is what was sent, in order."""
    host, device = TlsStream(Role.HOST, contexts()[0], NAME), TlsStream(Role.DEVICE, contexts()[1])
    supply = Supply(data)
    is_early = bool(supply.number() & 1)
    said = heard = b""
    try:
        if not is_early:
            for _ in range(_ROUNDS_MAX):
                device.receive(host.bytes_to_send())
                host.receive(device.bytes_to_send())
            assert host.secured
        for _ in range(_STEPS_MAX):
            if not supply.is_left:
                break
            way, says = _step(device, supply)
            said += says
            for event in host.receive(way):
                assert not isinstance(event, Secured) or event.peer_certificate
                heard += event.data if isinstance(event, Plaintext) else b""
            assert said.startswith(heard), "what came through is not what was sent"
            assert host.waiting <= RECORD_MAX, "the buffer grows"
            device.receive(host.bytes_to_send())
    except TlsFailed as failed:
        must(failed.why, "the error says nothing")
        for end in (host, device):
            if failed.role is end.role:
                _must_stay_failed(end)


def _step(device: TlsStream, supply: Supply) -> tuple[bytes, bytes]:
    says = b""
    what = supply.number()
    if what & 1 and device.secured and not device.closed:
        says = supply.piece() or b"card"
        device.send(says)
    if what & 2:
        device.close()
    way = device.bytes_to_send()
    match what >> 2 & 7:
        case 0 if way:
            at = supply.number(2) % len(way)
            way = way[:at] + bytes([way[at] ^ supply.number()]) + way[at + 1 :]
        case 1:
            way = way[: supply.number(2)]
        case 2:
            way += way
        case 3:
            way += supply.piece() * (1 + supply.number())
        case _:
            pass
    return way, says


def _must_stay_failed(end: TlsStream) -> None:
    for again in (b"", b"\x16\x03\x03\x00\x00"):
        try:
            end.receive(again)
        except TlsFailed:
            continue
        raise AssertionError("TLS goes on after it failed")


def _plain_seeds() -> Iterable[bytes]:
    hello = bytes.fromhex("160303002a020000260303") + bytes(range(32)) + bytes.fromhex("00130100")
    records = (hello, bytes.fromhex("15030300020228"), bytes.fromhex("1603037fff00"), bytes.fromhex("140303000101"))
    return [bytes([len(record)]) + record for record in records]


def _session_seeds() -> Iterable[bytes]:
    return [
        b"\x00\x1d\x04card\x1c\x1d\x03two",
        b"\x00\x1d\x04card\x1e\x0f\x20" + b"x" * 32 + b"\xff",
        b"\x00\x01\x04card\x00\x07\x01\x1c",
        b"\x00\x09\x04card\x1c",
        b"\x01\x1c\x1c\x1d\x04card",
        b"\x00\x1e" + _AFTER_THE_END * 2,
    ]


TARGETS: Final = {
    "tls-plain-bytes": Target(check_plain_bytes, _plain_seeds, short_runs=150),
    "tls-session": Target(check_session, _session_seeds, short_runs=150, max_bytes=2048),
}
