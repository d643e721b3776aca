"""TDP/1 frames and messages written by hand from docs/protocols/tdp.md, never by our codec."""

from typing import Final, NamedTuple

from protocols.errors import FrameReason
from protocols.tdp.codes import (
    BootReason,
    BootState,
    Capability,
    Condition,
    DeviceState,
    Face,
    FaultCode,
    Lamp,
    LampMode,
    RefusalReason,
)
from protocols.tdp.commands import (
    AcceptReturn,
    Attest,
    ClearFault,
    Dispense,
    Eject,
    EventAcknowledged,
    Lock,
    ReadMeters,
    RecallRoot,
    RememberRoot,
    SetLamp,
    Shuffle,
    Unlock,
)
from protocols.tdp.events import (
    CardDrawn,
    CardsReturned,
    CoverClosed,
    CoverOpened,
    CutCardDrawn,
    Fault,
    FaultCleared,
    KeyTurned,
    PacketDispensed,
    PowerRestored,
    ShuffleDone,
    ShuffleStarted,
    StackLoaded,
)
from protocols.tdp.framing import Frame, FrameKind
from protocols.tdp.messages import (
    Attestation,
    Done,
    Heartbeat,
    Hello,
    Message,
    Meters,
    Refused,
    RootRemembered,
    Status,
)


class GoldenFrame(NamedTuple):
    name: str
    plain: str
    wire: str
    frame: Frame


class GoldenMessage(NamedTuple):
    name: str
    wire: str
    message: Message


class RefusedMessage(NamedTuple):
    name: str
    raw: str
    offset: int
    reason: FrameReason


_CARD_FRAME: Final = (
    "00 05 01 03 07 29 01 01 03 12 10 01 01 02 05 01 01 02 02 02 01 01 0A 10 0A 18 01 63 FD 17 84 8F 00"
)
FRAMES: Final = (
    GoldenFrame(
        "open, host 7",
        "01 01 07 00 00 00 01 01 04 E0 01",
        "00 04 01 01 07 01 01 0A 01 01 04 E0 01 C3 28 C9 74 00",
        Frame(FrameKind.OPEN, 0x0700, payload=bytes([1, 1, 4, 224, 1])),
    ),
    GoldenFrame(
        "accept, device 41",
        "01 02 07 29 00 00 01 04 E0 01",
        "00 05 01 02 07 29 01 09 01 04 E0 01 EE 99 54 D3 00",
        Frame(FrameKind.ACCEPT, 0x0729, payload=bytes([1, 4, 224, 1])),
    ),
    GoldenFrame(
        "acknowledgement that confirms",
        "01 04 07 29 00 00",
        "00 05 01 04 07 29 01 05 3D 0B 46 46 00",
        Frame(FrameKind.ACK, 0x0729),
    ),
    GoldenFrame(
        "first data: a card",
        "01 03 07 29 00 00 00 12 10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 18 01 63",
        _CARD_FRAME,
        Frame(
            FrameKind.DATA,
            0x0729,
            0,
            0,
            bytes.fromhex("001210 00000005 00000002 0001 0000100A 18 01 63"),
        ),
    ),
    GoldenFrame(
        "data with the highest numbers",
        "01 03 FF FF FF FE A1",
        "00 0C 01 03 FF FF FF FE A1 1E 8E AA 67 00",
        Frame(FrameKind.DATA, 0xFFFF, 0xFF, 0xFE, b"\xa1"),
    ),
    GoldenFrame(
        "alive, one received",
        "01 04 07 29 00 01",
        "00 05 01 04 07 29 06 01 CF 60 C5 45 00",
        Frame(FrameKind.ACK, 0x0729, 0, 1),
    ),
    GoldenFrame(
        "three received, the next damaged",
        "01 05 07 29 00 03",
        "00 05 01 05 07 29 06 03 16 4A DA 1E 00",
        Frame(FrameKind.NAK, 0x0729, 0, 3),
    ),
    GoldenFrame(
        "reset, unknown session",
        "01 06 07 29 00 00 01 01 01",
        "00 05 01 06 07 29 01 08 01 01 01 AF 11 9A C0 00",
        Frame(FrameKind.RESET, 0x0729, payload=bytes([1, 1, 1])),
    ),
)
"""Both directions: decoded to the frame, and encoded to exactly these bytes."""

_NONCE_HEX: Final = " ".join(f"{value:02X}" for value in range(32))
_DIGEST_HEX: Final = " ".join(["D1"] * 32)
_LOG_HEX: Final = " ".join(f"{value:02X}" for value in range(0x40, 0x60))
_ROOT_HEX: Final = " ".join(["E5"] * 32)
_ZEROS_HEX: Final = " ".join(["00"] * 32)

MESSAGES: Final = (
    GoldenMessage(
        "hello",
        "00 91 01 01"
        " 41 63 6D 65 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
        " 53 68 75 66 66 6C 65 72 20 39 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
        " 53 4E 2D 30 30 31 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
        " 00 03"
        " 31 2E 34 2E 30 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
        f" {_DIGEST_HEX}"
        " 00 00 00 07 00 00 00 05 01 00 00 02 0F",
        Hello(
            1,
            "Acme",
            "Shuffler 9",
            "SN-001",
            3,
            "1.4.0",
            b"\xd1" * 32,
            7,
            5,
            BootReason.POWER_ON,
            Capability.SHUFFLES
            | Capability.DISPENSES
            | Capability.READS_CARDS
            | Capability.COUNTS_CARDS
            | Capability.KEEPS_EVENTS,
        ),
    ),
    GoldenMessage(
        "status: fault, cover open",
        "00 0B 02 05 00 07 01 01 9F 00 01 08 02",
        Status(
            DeviceState.FAULT,
            Condition.LOCKED | Condition.COVER_OPEN | Condition.FAULT,
            1,
            415,
            1,
            FaultCode.COVER_OPEN,
            2,
        ),
    ),
    GoldenMessage(
        "status: no place for an event",
        "00 0B 02 05 00 0D 00 01 9F 00 01 0E 00",
        Status(
            DeviceState.FAULT,
            Condition.LOCKED | Condition.FAULT | Condition.OUTBOX_FULL,
            0,
            415,
            1,
            FaultCode.MEMORY_ERROR,
            0,
        ),
    ),
    GoldenMessage("heartbeat", "00 0F 03 00 00 0E 10 00 00 00 05 00 00 01 00 00 02", Heartbeat(3600, 5, 256, 2)),
    GoldenMessage("done", "00 05 04 00 00 00 09", Done(9)),
    GoldenMessage("refused: not supported", "00 06 05 00 00 00 09 01", Refused(9, RefusalReason.NOT_SUPPORTED)),
    GoldenMessage("refused: bad value", "00 06 05 00 00 00 09 02", Refused(9, RefusalReason.BAD_VALUE)),
    GoldenMessage("refused: locked", "00 06 05 00 00 00 09 04", Refused(9, RefusalReason.LOCKED)),
    GoldenMessage("refused: smaller tree", "00 06 05 00 00 00 09 0B", Refused(9, RefusalReason.SMALLER_TREE)),
    GoldenMessage("refused: other root", "00 06 05 00 00 00 09 0C", Refused(9, RefusalReason.OTHER_ROOT)),
    GoldenMessage("refused: a later reason", "00 06 05 00 00 00 09 FE", Refused(9, 254)),
    GoldenMessage(
        "meters",
        "00 23 06 00 00 00 0A 00 00 03 E8 00 00 00 02 01 A0 00 06 59 0C"
        " 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 06",
        Meters(10, 1000, 2, 416, 416012, 3, 4, 5, 6),
    ),
    GoldenMessage(
        "attestation",
        f"00 4D 07 00 00 00 0B {_NONCE_HEX} {_DIGEST_HEX} 00 00 00 07 01 AB CD EF",
        Attestation(11, bytes(range(32)), b"\xd1" * 32, 7, BootState.VERIFIED, b"\xab\xcd\xef"),
    ),
    GoldenMessage(
        "root remembered",
        f"00 51 08 00 00 00 0D {_LOG_HEX} 00 00 00 01 00 00 12 68 {_ROOT_HEX} 00 00 00 03",
        RootRemembered(13, bytes(range(0x40, 0x60)), 0x1_0000_1268, b"\xe5" * 32, 3),
    ),
    GoldenMessage(
        "nothing remembered",
        f"00 51 08 00 00 00 0D {_LOG_HEX} 00 00 00 00 00 00 00 00 {_ZEROS_HEX} 00 00 00 03",
        RootRemembered(13, bytes(range(0x40, 0x60)), 0, bytes(32), 3),
    ),
    GoldenMessage(
        "8 of spades drawn, face down",
        "00 12 10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 18 01 63",
        CardDrawn(5, 2, 1, "8S", Face.DOWN, 99, 0x100A),
    ),
    GoldenMessage(
        "unread card drawn",
        "00 12 10 00 00 00 05 00 00 00 03 00 02 00 00 00 00 00 00 00",
        CardDrawn(5, 3, 2, None, Face.UNKNOWN, 0),
    ),
    GoldenMessage(
        "packet of three, the second unread",
        "00 12 11 00 00 00 05 00 00 00 04 00 05 00 00 10 0B 2A 00 4D",
        PacketDispensed(5, 4, 5, ("TH", None, "KC"), 0x100B),
    ),
    GoldenMessage("cut card", "00 0B 12 00 00 00 05 00 00 00 05 01 00", CutCardDrawn(5, 5, 256)),
    GoldenMessage("stack of 416", "00 0B 13 00 00 00 05 00 00 00 06 01 A0", StackLoaded(5, 6, 416)),
    GoldenMessage("shuffle started", "00 09 14 00 00 00 05 00 00 00 07", ShuffleStarted(5, 7)),
    GoldenMessage("shuffle of 52 done", "00 0B 15 00 00 00 05 00 00 00 08 00 34", ShuffleDone(5, 8, 52)),
    GoldenMessage("three returned", "00 0B 16 00 00 00 05 00 00 00 09 00 03", CardsReturned(5, 9, 3)),
    GoldenMessage("cover opened", "00 0A 17 00 00 00 05 00 00 00 0A 01", CoverOpened(5, 10, 1)),
    GoldenMessage("cover closed", "00 0A 18 00 00 00 05 00 00 00 0B 01", CoverClosed(5, 11, 1)),
    GoldenMessage("double feed", "00 0B 19 00 00 00 05 00 00 00 0C 04 02", Fault(5, 12, FaultCode.DOUBLE_FEED, 2)),
    GoldenMessage("a fault of a later version", "00 0B 19 00 00 00 05 00 00 00 0D C8 02", Fault(5, 13, 200, 2)),
    GoldenMessage(
        "double feed cleared",
        "00 0B 1A 00 00 00 05 00 00 00 0E 04 02",
        FaultCleared(5, 14, FaultCode.DOUBLE_FEED, 2),
    ),
    GoldenMessage("key turned", "00 0A 1B 00 00 00 05 00 00 00 0F 02", KeyTurned(5, 15, 2)),
    GoldenMessage(
        "power restored",
        "00 12 1C 00 00 00 06 00 00 00 01 00 00 00 05 00 00 00 0F 02",
        PowerRestored(6, 1, 5, 15, BootReason.BROWN_OUT),
    ),
    GoldenMessage(
        "power restored, nothing since",
        "00 12 1C 00 00 00 07 00 00 00 01 00 00 00 05 00 00 00 0F 01",
        PowerRestored(7, 1, 5, 15, BootReason.POWER_ON),
    ),
    GoldenMessage(
        "first start of all",
        "00 12 1C 00 00 00 01 00 00 00 01 00 00 00 00 00 00 00 00 01",
        PowerRestored(1, 1, 0, 0, BootReason.POWER_ON),
    ),
    GoldenMessage("event acknowledged", "00 09 41 00 00 00 05 00 00 00 0F", EventAcknowledged(5, 15)),
    GoldenMessage("shuffle", "00 05 50 00 00 00 01", Shuffle(1)),
    GoldenMessage("dispense three", "00 0A 51 00 00 00 02 03 00 00 10 0B", Dispense(2, 3, 0x100B)),
    GoldenMessage("unlock four", "00 0B 52 00 00 00 03 00 04 00 00 10 0A", Unlock(3, 4, 0x100A)),
    GoldenMessage("lock", "00 05 53 00 00 00 04", Lock(4)),
    GoldenMessage("accept return", "00 05 54 00 00 00 05", AcceptReturn(5)),
    GoldenMessage("eject", "00 05 55 00 00 00 06", Eject(6)),
    GoldenMessage("clear fault", "00 07 56 00 00 00 07 04 02", ClearFault(7, FaultCode.DOUBLE_FEED, 2)),
    GoldenMessage("blink", "00 07 57 00 00 00 08 00 02", SetLamp(8, Lamp.ATTENTION, LampMode.BLINK)),
    GoldenMessage("read meters", "00 05 58 00 00 00 0A", ReadMeters(10)),
    GoldenMessage("attest", f"00 25 59 00 00 00 0B {_NONCE_HEX}", Attest(11, bytes(range(32)))),
    GoldenMessage(
        "remember a root",
        f"00 4D 5A 00 00 00 0C {_LOG_HEX} 00 00 00 01 00 00 12 68 {_ROOT_HEX}",
        RememberRoot(12, bytes(range(0x40, 0x60)), 0x1_0000_1268, b"\xe5" * 32),
    ),
    GoldenMessage("recall a root", f"00 25 5B 00 00 00 0D {_LOG_HEX}", RecallRoot(13, bytes(range(0x40, 0x60)))),
)
"""Every type of message with its length, both directions."""

REFUSED: Final = (
    RefusedMessage("nothing", "", 0, "length"),
    RefusedMessage("type unknown", "99 00 00 00 01", 0, "type"),
    RefusedMessage("too short", "04 00 00 00", 4, "length"),
    RefusedMessage("too long", "04 00 00 00 09 00", 5, "length"),
    RefusedMessage("no such card", "10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 5E 01 63", 15, "payload"),
    RefusedMessage("suit without rank", "10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 10 01 63", 15, "payload"),
    RefusedMessage("no such face", "10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 18 03 63", 16, "payload"),
    RefusedMessage("101 %", "10 00 00 00 05 00 00 00 02 00 01 00 00 10 0A 18 01 65", 17, "payload"),
    RefusedMessage("packet of none", "11 00 00 00 05 00 00 00 04 00 05 00 00 10 0B", 15, "length"),
    RefusedMessage("packet with no card", "11 00 00 00 05 00 00 00 04 00 05 00 00 10 0B 2A 4E", 15, "payload"),
    RefusedMessage("packet of 33", "11 00 00 00 05 00 00 00 04 00 21 00 00 10 0B" + " 18" * 33, 47, "length"),
    RefusedMessage("no such state", "02 07 00 06 01 01 A0 00 01 08 02", 1, "payload"),
    RefusedMessage("no such lamp", "57 00 00 00 08 03 02", 5, "payload"),
)
"""Messages, without their length, that must not be taken."""
