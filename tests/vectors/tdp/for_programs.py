"""The vectors as JSON, for whoever writes a device in another language: made of those that were worked out by hand."""

import json
from enum import Enum
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from conformance.tdp.damage import crc32c, header, on_the_line
from protocols.tdp.codec import LENGTH_BYTES, encode_message
from protocols.tdp.codes import BootState
from protocols.tdp.framing import FrameKind
from protocols.tdp.messages import Attestation
from protocols.tdp.timing import ALIVE_AFTER_S, GIVE_UP_S, RETRY_S
from tests.vectors.tdp import golden

FILE: Final = Path(__file__).parents[3] / "protocols" / "tdp" / "vectors.json"
LONGEST: Final = bytes(range(224))
SESSION: Final = 0x0729
RESETS: Final = ("unknown session", "closed", "no common version", "other security", "lost")
SEED: Final = bytes(range(32))
"""The private key of the attestation: nobody's, and known to everybody."""
WRITTEN: Final = bytes.fromhex("00050400000009")
"""``Done`` for command 9, with its length."""


def text() -> str:
    """The file."""
    return json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n"


def vectors() -> dict[str, Any]:
    return {
        "format": "TDP/1 vectors 1",
        "page": "docs/protocols/tdp.md",
        "frames": _frames(),
        "bad_frames": [{"why": why, "wire": _hex(wire), "reason": reason} for why, wire, reason in _bad_frames()],
        "messages": [
            {
                "name": vector.name,
                "wire": vector.wire,
                "type": type(vector.message).__name__,
                "fields": {name: _plain(value) for name, value in _fields(vector.message)},
            }
            for vector in golden.MESSAGES
        ],
        "bad_messages": [
            {"why": vector.name, "raw": vector.raw, "reason": vector.reason, "refused": _refused(vector.raw)}
            for vector in golden.REFUSED
        ],
        "attestation": _attestation(),
        "timelines": _timelines(),
    }


def _frames() -> list[dict[str, object]]:
    told = [(vector.name, bytes.fromhex(vector.wire), vector.frame) for vector in golden.FRAMES]
    rows = [
        {
            "name": name,
            "wire": _hex(wire),
            "kind": frame.kind.name,
            "session": frame.session,
            "sequence": frame.sequence,
            "acknowledgement": frame.acknowledgement,
            "payload": _hex(frame.payload),
        }
        for name, wire, frame in told
    ]
    more = [(f"reset, {what}", FrameKind.RESET, bytes([reason, 1, 1])) for reason, what in enumerate(RESETS, 1)]
    more += [("the longest", FrameKind.DATA, LONGEST)]
    known = {row["name"] for row in rows}
    rows += [
        {
            "name": name,
            "wire": _hex(on_the_line(header(kind, SESSION, payload))),
            "kind": kind.name,
            "session": SESSION,
            "sequence": 0,
            "acknowledgement": 0,
            "payload": _hex(payload),
        }
        for name, kind, payload in more
        if name not in known
    ]
    return rows


def _bad_frames() -> list[tuple[str, bytes, str]]:
    sound = header(FrameKind.ACK, SESSION)
    wire = on_the_line(sound)
    return [
        ("225 bytes of payload", on_the_line(header(FrameKind.DATA, SESSION, LONGEST + b"\xe0")), "length"),
        ("a run beyond the end", wire[:1] + bytes([wire[1] + 40]) + wire[2:], "noise"),
        ("nine bytes, with a right check", on_the_line(sound[:5]), "truncated"),
        ("another check", on_the_line(sound, check=crc32c(sound) ^ 1), "bcc"),
        ("the check's bytes the other way round", on_the_line(sound, check=_turned(crc32c(sound))), "bcc"),
        ("version 2", on_the_line(header(FrameKind.ACK, SESSION, version=2)), "type"),
        ("kind 7", on_the_line(header(7, SESSION)), "type"),
    ]


def _turned(check: int) -> int:
    return int.from_bytes(check.to_bytes(4, "big"), "little")


def _attestation() -> dict[str, str]:
    nonce, digest, counter, state = bytes(range(32)), b"\xd1" * 32, 7, BootState.VERIFIED
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    signed = b"TDP/1 attestation\0" + nonce + digest + counter.to_bytes(4, "big") + bytes([state])
    signature = key.sign(signed)
    return {
        "private_key": _hex(SEED),
        "public_key": _hex(key.public_key().public_bytes_raw()),
        "signed": _hex(signed),
        "signature": _hex(signature),
        "wire": _hex(encode_message(Attestation(11, nonce, digest, counter, state, signature))),
    }


def _timelines() -> list[dict[str, object]]:
    opens = on_the_line(header(FrameKind.OPEN, 0x0700, bytes([1, 1, 4, 224, 0])))
    accepts = on_the_line(header(FrameKind.ACCEPT, SESSION, bytes([1, 4, 224, 0])))
    confirms = on_the_line(header(FrameKind.ACK, SESSION))
    data = on_the_line(header(FrameKind.DATA, SESSION, WRITTEN))
    alive = on_the_line(header(FrameKind.ACK, SESSION))
    complaint = on_the_line(header(FrameKind.NAK, SESSION))
    acknowledges = on_the_line(header(FrameKind.ACK, SESSION)[:5] + b"\x01")
    lost = on_the_line(header(FrameKind.RESET, SESSION, bytes([5, 1, 1])))
    opened = [(0, "to", opens), (0, "from", accepts), (10, "to", confirms), (10, "from", data)]
    retry, silent, gives_up = (round(1000 * seconds) for seconds in (RETRY_S, ALIVE_AFTER_S, GIVE_UP_S))
    kept_alive = [(at, "to", alive) for at in range(10 + silent, 10 + gives_up, silent)]
    again = [(at, "from", data) for at in range(10 + retry, 10 + gives_up, retry)]
    unheard = sorted([*kept_alive, *again, (10 + gives_up, "from", lost)], key=lambda step: step[0])
    return [
        _timeline(
            "acknowledged at once, then quiet", [*opened, (20, "to", acknowledges), (10 + silent, "from", alive)]
        ),
        _timeline("asked for again", [*opened, (60, "to", complaint), (60, "from", data), (70, "to", acknowledges)]),
        _timeline("never acknowledged, though the host is heard", [*opened, *unheard]),
    ]


def _timeline(name: str, steps: list[tuple[int, str, bytes]]) -> dict[str, object]:
    return {
        "name": name,
        "terms": {"window": 4, "payload": 224, "security": 0},
        "written": _hex(WRITTEN),
        "steps": [{"at_ms": at, f"{way}_device": _hex(wire)} for at, way, wire in steps],
    }


def _refused(raw: str) -> int | None:
    body = bytes.fromhex(raw)
    if len(body) < 1 + 4 or body[0] < 0x50:
        return None
    return 1 if body[0] > 0x5B else 2


def _fields(message: Any) -> list[tuple[str, object]]:  # noqa: ANN401  any message, as it is written down
    return [(name, getattr(message, name)) for name in type(message).__match_args__]


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return _hex(value)
    if isinstance(value, Enum):
        return value.value
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _hex(data: bytes) -> str:
    return data.hex(" ").upper()


def message_bytes(wire: str) -> bytes:
    """The bytes of a message's vector without its length."""
    return bytes.fromhex(wire)[LENGTH_BYTES:]
