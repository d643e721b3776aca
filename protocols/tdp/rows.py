"""Each message type as a row (``docs/protocols/tdp.md``, sections 8 to 10)."""

import itertools
from typing import Any, Final

import construct

from protocols.errors import EncodeError, FrameError
from protocols.layouts import BitLayout
from protocols.tdp import codes, commands, events, messages
from protocols.tdp.fields import (
    Field,
    Tail,
    card,
    cards,
    lenient,
    octets,
    percent,
    rest,
    same,
    strict,
    text,
    u8,
    u16,
    u32,
    u64,
)

_TEXT: Final = 24
_DIGEST: Final = 32
_NONCE: Final = 32


class MessageSpec:
    def __init__(self, kind: int, message: type, *fields: Field, tail: Tail | None = None) -> None:
        self.kind: Final = kind
        self.type_byte: Final = bytes([kind])
        self.message: Final[type[Any]] = message
        self.fields: Final = fields
        self.tail: Final = tail
        self._layout: Final = BitLayout(*(field.name / field.part for field in fields))
        self._names: Final = tuple(field.name for field in fields)
        # Most numbers are what they are: nothing is called for them.
        self._reads: Final = tuple((field.name, field.read) for field in fields if field.read is not same)
        self._writes: Final = tuple((field.name, field.write) for field in fields if field.write is not same)
        fixed = self._layout.size
        self.least: Final = fixed + (tail.least if tail else 0)
        self.most: Final = fixed + (tail.most if tail else 0)

    def read(self, body: bytes) -> messages.Message:
        """``body`` follows the type byte.

        Raises:
            FrameError: too short, too long, or a value that is not allowed.
        """
        if not self.least <= len(body) <= self.most:
            raise FrameError(min(len(body), self.most), body, "length")
        fixed = self._layout.size
        values = self._layout.parse(body[:fixed])
        name = ""
        try:
            for name, read in self._reads:
                values[name] = read(values[name])
            if self.tail is not None:
                name = self.tail.name
                values[name] = self.tail.read(body[fixed:])
        except ValueError as error:
            raise FrameError(self._place_of(name), body, "payload") from error
        message: messages.Message = self.message(**values)
        return message

    def _place_of(self, name: str) -> int:
        before = itertools.takewhile(lambda field: field.name != name, self.fields)
        return sum(field.part.sizeof() for field in before)

    def write(self, message: messages.Message) -> bytes:
        """The bytes after the type byte.

        Raises:
            EncodeError: a value has no form in bytes.
        """
        try:
            values = {name: getattr(message, name) for name in self._names}
            for name, write in self._writes:
                values[name] = write(values[name])
            last = b"" if self.tail is None else self.tail.write(getattr(message, self.tail.name))
        except (ValueError, TypeError, AttributeError) as error:
            raise EncodeError(message, str(error)) from error
        return self._layout.build(values) + last


_EVENT: Final = (u32("boot"), u32("number"))
_ID: Final = u32("id")
_PERMIT: Final = u32("permit")
_LOG: Final = octets("log", _DIGEST)
_ROOT: Final = octets("root", _DIGEST)
_FAULT: Final = (lenient("code", codes.FaultCode), u8("module"))

REPORTS: Final = (
    MessageSpec(
        0x01,
        messages.Hello,
        u8("message_version"),
        text("maker", _TEXT),
        text("model", _TEXT),
        text("serial", _TEXT),
        u16("hardware_revision"),
        text("firmware_version", _TEXT),
        octets("image_digest", _DIGEST),
        u32("security_counter"),
        u32("boot_count"),
        lenient("boot_reason", codes.BootReason),
        strict("capabilities", codes.Capability, construct.Int32ub),
    ),
    MessageSpec(
        0x02,
        messages.Status,
        strict("state", codes.DeviceState),
        strict("conditions", codes.Condition, construct.Int16ub),
        u8("key_position"),
        u16("stack_cards"),
        u16("count"),
        lenient("fault_code", codes.FaultCode),
        u8("fault_module"),
    ),
    MessageSpec(0x03, messages.Heartbeat, u32("uptime_s"), u32("boot"), u32("last_number"), u16("pending")),
    MessageSpec(0x04, messages.Done, _ID),
    MessageSpec(0x05, messages.Refused, _ID, lenient("reason", codes.RefusalReason)),
    MessageSpec(
        0x06,
        messages.Meters,
        _ID,
        u32("shuffles_done"),
        u32("shuffles_failed"),
        u16("cards_per_shuffle"),
        u32("cards_read"),
        u32("cards_not_read"),
        u32("misfeeds"),
        u32("power_cycles"),
        u32("cover_openings"),
    ),
    MessageSpec(
        0x07,
        messages.Attestation,
        _ID,
        octets("nonce", _NONCE),
        octets("image_digest", _DIGEST),
        u32("security_counter"),
        strict("boot_state", codes.BootState),
        tail=rest("signature", messages.SIGNATURE_MAX),
    ),
    MessageSpec(0x08, messages.RootRemembered, _ID, _LOG, u64("size"), _ROOT, u32("logs")),
)

EVENTS: Final = (
    MessageSpec(
        0x10,
        events.CardDrawn,
        *_EVENT,
        u16("count"),
        _PERMIT,
        card("card"),
        strict("face", codes.Face),
        percent("confidence"),
    ),
    MessageSpec(0x11, events.PacketDispensed, *_EVENT, u16("count"), _PERMIT, tail=cards("cards", events.PACKET_MAX)),
    MessageSpec(0x12, events.CutCardDrawn, *_EVENT, u16("count")),
    MessageSpec(0x13, events.StackLoaded, *_EVENT, u16("cards")),
    MessageSpec(0x14, events.ShuffleStarted, *_EVENT),
    MessageSpec(0x15, events.ShuffleDone, *_EVENT, u16("cards")),
    MessageSpec(0x16, events.CardsReturned, *_EVENT, u16("cards")),
    MessageSpec(0x17, events.CoverOpened, *_EVENT, u8("cover")),
    MessageSpec(0x18, events.CoverClosed, *_EVENT, u8("cover")),
    MessageSpec(0x19, events.Fault, *_EVENT, *_FAULT),
    MessageSpec(0x1A, events.FaultCleared, *_EVENT, *_FAULT),
    MessageSpec(0x1B, events.KeyTurned, *_EVENT, u8("position")),
    MessageSpec(
        0x1C,
        events.PowerRestored,
        *_EVENT,
        u32("previous_boot"),
        u32("previous_last"),
        lenient("reason", codes.BootReason),
    ),
)

COMMANDS: Final = (
    MessageSpec(0x41, commands.EventAcknowledged, u32("boot"), u32("number")),
    MessageSpec(0x50, commands.Shuffle, _ID),
    MessageSpec(0x51, commands.Dispense, _ID, u8("cards"), _PERMIT),
    MessageSpec(0x52, commands.Unlock, _ID, u16("cards"), _PERMIT),
    MessageSpec(0x53, commands.Lock, _ID),
    MessageSpec(0x54, commands.AcceptReturn, _ID),
    MessageSpec(0x55, commands.Eject, _ID),
    MessageSpec(0x56, commands.ClearFault, _ID, *_FAULT),
    MessageSpec(0x57, commands.SetLamp, _ID, strict("lamp", codes.Lamp), strict("mode", codes.LampMode)),
    MessageSpec(0x58, commands.ReadMeters, _ID),
    MessageSpec(0x59, commands.Attest, _ID, octets("nonce", _NONCE)),
    MessageSpec(0x5A, commands.RememberRoot, _ID, _LOG, u64("size"), _ROOT),
    MessageSpec(0x5B, commands.RecallRoot, _ID, _LOG),
)

ROWS: Final = REPORTS + EVENTS + COMMANDS
