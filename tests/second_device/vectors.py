"""The vectors of `tdp-vectors.md`, copied from the page by hand, with what they mean as its tables say."""

from collections.abc import Mapping
from typing import Final

from tests.second_device.framing import Frame, Kind
from tests.second_device.messages import Type, Value

_CARD: Final = bytes.fromhex("00 12 10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 18 01 63")
_CARD_FRAME: Final = (
    "00 05 01 03 07 29 01 01 03 12 10 01 01 02 05 01 01 02 02 02 01 01 0A 10 0A 18 01 63 FD 17 84 8F 00"
)
FRAMES: Final[Mapping[str, tuple[str, Frame]]] = {
    "open, host 7": (
        "00 04 01 01 07 01 01 0A 01 01 04 E0 01 C3 28 C9 74 00",
        Frame(Kind.OPEN, 0x0700, payload=b"\x01\x01\x04\xe0\x01"),
    ),
    "accept, device 41": (
        "00 05 01 02 07 29 01 09 01 04 E0 01 EE 99 54 D3 00",
        Frame(Kind.ACCEPT, 0x0729, payload=b"\x01\x04\xe0\x01"),
    ),
    "acknowledgement that confirms": (
        "00 05 01 04 07 29 01 05 3D 0B 46 46 00",
        Frame(Kind.ACK, 0x0729),
    ),
    "first data: a card": (
        _CARD_FRAME,
        Frame(Kind.DATA, 0x0729, payload=_CARD),
    ),
    "data with the highest numbers": (
        "00 0C 01 03 FF FF FF FE A1 1E 8E AA 67 00",
        Frame(Kind.DATA, 0xFFFF, 0xFF, 0xFE, b"\xa1"),
    ),
    "alive, one received": (
        "00 05 01 04 07 29 06 01 CF 60 C5 45 00",
        Frame(Kind.ACK, 0x0729, acknowledgement=1),
    ),
    "three received, the next damaged": (
        "00 05 01 05 07 29 06 03 16 4A DA 1E 00",
        Frame(Kind.NAK, 0x0729, acknowledgement=3),
    ),
    "reset, unknown session": (
        "00 05 01 06 07 29 01 08 01 01 01 AF 11 9A C0 00",
        Frame(Kind.RESET, 0x0729, payload=b"\x01\x01\x01"),
    ),
}

NONCE: Final = bytes(range(32))
LOG: Final = bytes(range(0x40, 0x60))
_LOG: Final = LOG.hex(" ").upper()
_ROOT: Final = "E5 " * 32

MESSAGES: Final[Mapping[str, tuple[str, Type, dict[str, Value]]]] = {
    "hello": (
        (
            "00 91 01 01"
            " 41 63 6D 65 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
            " 53 68 75 66 66 6C 65 72 20 39 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
            " 53 4E 2D 30 30 31 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
            " 00 03"
            " 31 2E 34 2E 30 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
            " D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1"
            " 00 00 00 07 00 00 00 05 01 00 00 02 0F"
        ),
        Type.HELLO,
        {
            "message_version": 1,
            "maker": "Acme",
            "model": "Shuffler 9",
            "serial": "SN-001",
            "hardware": 3,
            "firmware": "1.4.0",
            "digest": b"\xd1" * 32,
            "security_counter": 7,
            "boot": 5,
            "boot_reason": 1,
            "capabilities": 0x20F,
        },
    ),
    "status: fault, cover open": (
        "00 0B 02 05 00 07 01 01 9F 00 01 08 02",
        Type.STATUS,
        {"state": 5, "conditions": 7, "key": 1, "stack": 415, "count": 1, "fault": 8, "module": 2},
    ),
    "status: no place for an event": (
        "00 0B 02 05 00 0D 00 01 9F 00 01 0E 00",
        Type.STATUS,
        {"state": 5, "conditions": 13, "key": 0, "stack": 415, "count": 1, "fault": 14, "module": 0},
    ),
    "heartbeat": (
        "00 0F 03 00 00 0E 10 00 00 00 05 00 00 01 00 00 02",
        Type.HEARTBEAT,
        {"uptime_s": 3600, "boot": 5, "last": 256, "pending": 2},
    ),
    "done": ("00 05 04 00 00 00 09", Type.DONE, {"id": 9}),
    "refused: not supported": ("00 06 05 00 00 00 09 01", Type.REFUSED, {"id": 9, "reason": 1}),
    "refused: bad value": ("00 06 05 00 00 00 09 02", Type.REFUSED, {"id": 9, "reason": 2}),
    "refused: locked": ("00 06 05 00 00 00 09 04", Type.REFUSED, {"id": 9, "reason": 4}),
    "refused: smaller tree": ("00 06 05 00 00 00 09 0B", Type.REFUSED, {"id": 9, "reason": 11}),
    "refused: other root": ("00 06 05 00 00 00 09 0C", Type.REFUSED, {"id": 9, "reason": 12}),
    "refused: a later reason": ("00 06 05 00 00 00 09 FE", Type.REFUSED, {"id": 9, "reason": 254}),
    "meters": (
        (
            "00 23 06 00 00 00 0A"
            " 00 00 03 E8 00 00 00 02 01 A0 00 06 59 0C 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 06"
        ),
        Type.METERS,
        {
            "id": 10,
            "shuffles_done": 1000,
            "shuffles_failed": 2,
            "cards_per_shuffle": 416,
            "cards_read": 416012,
            "cards_not_read": 3,
            "misfeeds": 4,
            "power_cycles": 5,
            "cover_openings": 6,
        },
    ),
    "attestation": (
        (
            "00 4D 07 00 00 00 0B"
            " 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F"
            " D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1 D1"
            " 00 00 00 07 01 AB CD EF"
        ),
        Type.ATTESTATION,
        {
            "id": 11,
            "nonce": NONCE,
            "digest": b"\xd1" * 32,
            "security_counter": 7,
            "boot_state": 1,
            "signature": b"\xab\xcd\xef",
        },
    ),
    "root remembered": (
        f"00 51 08 00 00 00 0D {_LOG} 00 00 00 01 00 00 12 68 {_ROOT} 00 00 00 03",
        Type.ROOT_REMEMBERED,
        {"id": 13, "log": LOG, "size": 0x1_0000_1268, "root": b"\xe5" * 32, "logs": 3},
    ),
    "nothing remembered": (
        f"00 51 08 00 00 00 0D {_LOG} {'00 ' * 40} 00 00 00 03",
        Type.ROOT_REMEMBERED,
        {"id": 13, "log": LOG, "size": 0, "root": bytes(32), "logs": 3},
    ),
    "8 of spades drawn, face down": (
        "00 12 10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 18 01 63",
        Type.CARD_DRAWN,
        {"boot": 5, "number": 2, "count": 1, "permit": 0x100A, "card": 0x18, "face": 1, "confidence": 99},
    ),
    "unread card drawn": (
        "00 12 10 00 00 00 05 00 00 00 03 00 02 00 00 00 00 00 00 00",
        Type.CARD_DRAWN,
        {"boot": 5, "number": 3, "count": 2, "permit": 0, "card": 0, "face": 0, "confidence": 0},
    ),
    "packet of three, the second unread": (
        "00 12 11 00 00 00 05 00 00 00 04 00 05 00 00 10 0B 2A 00 4D",
        Type.PACKET_DISPENSED,
        {"boot": 5, "number": 4, "count": 5, "permit": 0x100B, "cards": b"\x2a\x00\x4d"},
    ),
    "cut card": (
        "00 0B 12 00 00 00 05 00 00 00 05 01 00",
        Type.CUT_CARD_DRAWN,
        {"boot": 5, "number": 5, "count": 256},
    ),
    "stack of 416": (
        "00 0B 13 00 00 00 05 00 00 00 06 01 A0",
        Type.STACK_LOADED,
        {"boot": 5, "number": 6, "cards": 416},
    ),
    "shuffle started": ("00 09 14 00 00 00 05 00 00 00 07", Type.SHUFFLE_STARTED, {"boot": 5, "number": 7}),
    "shuffle of 52 done": (
        "00 0B 15 00 00 00 05 00 00 00 08 00 34",
        Type.SHUFFLE_DONE,
        {"boot": 5, "number": 8, "cards": 52},
    ),
    "three returned": (
        "00 0B 16 00 00 00 05 00 00 00 09 00 03",
        Type.CARDS_RETURNED,
        {"boot": 5, "number": 9, "cards": 3},
    ),
    "cover opened": (
        "00 0A 17 00 00 00 05 00 00 00 0A 01",
        Type.COVER_OPENED,
        {"boot": 5, "number": 10, "cover": 1},
    ),
    "cover closed": (
        "00 0A 18 00 00 00 05 00 00 00 0B 01",
        Type.COVER_CLOSED,
        {"boot": 5, "number": 11, "cover": 1},
    ),
    "double feed": (
        "00 0B 19 00 00 00 05 00 00 00 0C 04 02",
        Type.FAULT,
        {"boot": 5, "number": 12, "code": 4, "module": 2},
    ),
    "a fault of a later version": (
        "00 0B 19 00 00 00 05 00 00 00 0D C8 02",
        Type.FAULT,
        {"boot": 5, "number": 13, "code": 200, "module": 2},
    ),
    "double feed cleared": (
        "00 0B 1A 00 00 00 05 00 00 00 0E 04 02",
        Type.FAULT_CLEARED,
        {"boot": 5, "number": 14, "code": 4, "module": 2},
    ),
    "key turned": (
        "00 0A 1B 00 00 00 05 00 00 00 0F 02",
        Type.KEY_TURNED,
        {"boot": 5, "number": 15, "position": 2},
    ),
    "power restored": (
        "00 12 1C 00 00 00 06 00 00 00 01 00 00 00 05 00 00 00 0F 02",
        Type.POWER_RESTORED,
        {"boot": 6, "number": 1, "previous_boot": 5, "previous_last": 15, "boot_reason": 2},
    ),
    "power restored, nothing since": (
        "00 12 1C 00 00 00 07 00 00 00 01 00 00 00 05 00 00 00 0F 01",
        Type.POWER_RESTORED,
        {"boot": 7, "number": 1, "previous_boot": 5, "previous_last": 15, "boot_reason": 1},
    ),
    "first start of all": (
        "00 12 1C 00 00 00 01 00 00 00 01 00 00 00 00 00 00 00 00 01",
        Type.POWER_RESTORED,
        {"boot": 1, "number": 1, "previous_boot": 0, "previous_last": 0, "boot_reason": 1},
    ),
    "event acknowledged": (
        "00 09 41 00 00 00 05 00 00 00 0F",
        Type.EVENT_ACKNOWLEDGED,
        {"boot": 5, "number": 15},
    ),
    "shuffle": ("00 05 50 00 00 00 01", Type.SHUFFLE, {"id": 1}),
    "dispense three": ("00 0A 51 00 00 00 02 03 00 00 10 0B", Type.DISPENSE, {"id": 2, "cards": 3, "permit": 0x100B}),
    "unlock four": ("00 0B 52 00 00 00 03 00 04 00 00 10 0A", Type.UNLOCK, {"id": 3, "cards": 4, "permit": 0x100A}),
    "lock": ("00 05 53 00 00 00 04", Type.LOCK, {"id": 4}),
    "accept return": ("00 05 54 00 00 00 05", Type.ACCEPT_RETURN, {"id": 5}),
    "eject": ("00 05 55 00 00 00 06", Type.EJECT, {"id": 6}),
    "clear fault": ("00 07 56 00 00 00 07 04 02", Type.CLEAR_FAULT, {"id": 7, "code": 4, "module": 2}),
    "blink": ("00 07 57 00 00 00 08 00 02", Type.SET_LAMP, {"id": 8, "lamp": 0, "mode": 2}),
    "read meters": ("00 05 58 00 00 00 0A", Type.READ_METERS, {"id": 10}),
    "attest": (
        (
            "00 25 59 00 00 00 0B"
            " 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F"
        ),
        Type.ATTEST,
        {"id": 11, "nonce": NONCE},
    ),
    "remember a root": (
        f"00 4D 5A 00 00 00 0C {_LOG} 00 00 00 01 00 00 12 68 {_ROOT}",
        Type.REMEMBER_ROOT,
        {"id": 12, "log": LOG, "size": 0x1_0000_1268, "root": b"\xe5" * 32},
    ),
    "recall a root": (f"00 25 5B 00 00 00 0D {_LOG}", Type.RECALL_ROOT, {"id": 13, "log": LOG}),
}

NOT_TO_BE_TAKEN: Final[Mapping[str, str]] = {
    "type unknown": "99 00 00 00 01",
    "too short": "04 00 00 00",
    "too long": "04 00 00 00 09 00",
    "no such card": "10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 5E 01 63",
    "suit without rank": "10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 10 01 63",
    "no such face": "10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 18 03 63",
    "101 %": "10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 18 01 65",
    "packet of none": "11 00 00 00 05 00 00 00 04 00 05 00 00 10 0B",
    "packet with no card": "11 00 00 00 05 00 00 00 04 00 05 00 00 10 0B 2A 4E",
    "packet of 33": "11 00 00 00 05 00 00 00 04 00 21 00 00 10 0B" + " 18" * 33,
    "no such state": "02 07 00 06 01 01 A0 00 01 08 02",
    "no such lamp": "57 00 00 00 08 03 02",
}
