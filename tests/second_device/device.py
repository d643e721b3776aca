"""The application of the device: sections 8, 10 and 12. What it is told goes in, messages for the stream come out."""

import random
from collections import OrderedDict
from dataclasses import asdict
from typing import Final

from tests.second_device.mechanism import Mechanism, Moving
from tests.second_device.messages import Message, MessageError, Type, Value, decode, encode
from tests.second_device.outbox import Outbox

HEARTBEAT_S: Final = 1.0
ANSWERS: Final = 32
"""Answers remembered; the page asks for 16."""

DIGEST: Final = b"\xd2" * 32
FIRMWARE: Final = "0.1"
CAPABILITIES: Final = 0b00_1111_1111
"""Shuffles, dispenses, reads, counts, sees the cut card, locks, takes returns, ejects; does not attest."""

KEEPS_EVENTS: Final = 1 << 9

REMEMBERS_ROOTS: Final = 1 << 10

DONE: Final = 0
"""In place of a reason: it was done."""

NOT_SUPPORTED: Final = 1
BAD_VALUE: Final = 2
BUSY: Final = 3
IN_FAULT: Final = 5
COVER_OPEN: Final = 6
OUT_OF_CARDS: Final = 7
EVENTS_PENDING: Final = 8
OLD_ID: Final = 9
ID_USED: Final = 10
SMALLER_TREE: Final = 11
OTHER_ROOT: Final = 12

MOVES_CARDS: Final = frozenset({Type.SHUFFLE, Type.DISPENSE, Type.UNLOCK, Type.EJECT, Type.ACCEPT_RETURN})
COMMAND_FIRST: Final = 0x50
COMMANDS: Final = frozenset(kind for kind in Type if kind >= COMMAND_FIRST)


class Device:
    """A shuffler, dispenser and shoe in one, while it has power."""

    def __init__(self, outbox: Outbox, rng: random.Random, serial: str = "SECOND-1") -> None:
        self._outbox = outbox
        self._serial = serial
        self._answers: OrderedDict[int, tuple[bytes, int]] = OrderedDict()
        self._boot_reason = 0
        self._started_at_s = 0.0
        self._heartbeat_at_s: float | None = None
        self._status = b""
        self._out = bytearray()
        self.lamps = [0, 0, 0]
        self.invalid: list[MessageError] = []
        self.mechanism = Mechanism(outbox, rng)

    @property
    def due_s(self) -> float | None:
        """When `tick` wants to be called."""
        operation = self.mechanism.operation
        times = [self._heartbeat_at_s, operation.ends_at_s if operation else None]
        return min((time for time in times if time is not None), default=None)

    def take_out(self) -> bytes:
        """Messages for the stream, of this session."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def power_on(self, now_s: float, reason: int) -> None:
        """Start a boot; answers and lamps of the one before are forgotten."""
        self._answers.clear()
        self.lamps = [0, 0, 0]
        self._boot_reason = reason
        self._started_at_s = now_s
        self.mechanism.power_on(reason)

    def power_off(self) -> None:
        self.session_ended()
        self.mechanism.power_off()

    def session_began(self, now_s: float) -> None:
        """``Hello``, ``Status``, and every event that is kept."""
        self._out.clear()  # of the session before
        keeps = KEEPS_EVENTS if self._outbox.keeps_events else 0
        self._out += encode(
            Type.HELLO,
            message_version=1,
            maker="Second Source",
            model="Shoe and dispenser",
            serial=self._serial,
            hardware=1,
            firmware=FIRMWARE,
            digest=DIGEST,
            security_counter=1,
            boot=self._outbox.memory.boot,
            boot_reason=self._boot_reason,
            capabilities=CAPABILITIES | REMEMBERS_ROOTS | keeps,
        )
        self._status = self._make_status()
        self._out += self._status
        self.mechanism.take_news()  # they are among those kept
        for event in self._outbox.pending:
            self._out += event
        self._heartbeat_at_s = now_s
        self._beat(now_s)

    def session_ended(self) -> None:
        """Lock; a packet that is being dispensed is finished."""
        self._heartbeat_at_s = None
        self.mechanism.lock()

    def tick(self, now_s: float) -> None:
        """Finish what is done by now, and tell what is new."""
        self.mechanism.tick(now_s)
        self.tell()
        self._beat(now_s)

    def _beat(self, now_s: float) -> None:
        if self._heartbeat_at_s is not None and now_s >= self._heartbeat_at_s:
            self._heartbeat_at_s = max(self._heartbeat_at_s + HEARTBEAT_S, now_s)
            self._out += encode(
                Type.HEARTBEAT,
                uptime_s=int(now_s - self._started_at_s),
                boot=self._outbox.memory.boot,
                last=self._outbox.memory.last,
                pending=len(self._outbox.pending),
            )

    def tell(self) -> None:
        """Put new events, and ``Status`` if it changed, into the session; without one they are kept, not told."""
        news = self.mechanism.take_news()
        if self._heartbeat_at_s is None:
            return
        for event in news:
            self._out += event
        status = self._make_status()
        if status != self._status:
            self._status = status
            self._out += status

    def message(self, body: bytes, now_s: float) -> None:
        """Take a message of the host, without its length."""
        try:
            message = decode(body)
        except MessageError as error:
            self.invalid.append(error)
            self._out += _refusal_of(body)
            return
        if message.type is Type.EVENT_ACKNOWLEDGED:
            self._outbox.acknowledged(message.number("boot"), message.number("number"))
            self.mechanism.room_came()
        elif message.type in COMMANDS:
            self._out += self._command(message, body, now_s)
        else:
            self.invalid.append(MessageError("not for a device", body))
        self.tell()

    def _command(self, message: Message, body: bytes, now_s: float) -> bytes:
        number = message.number("id")
        memory = self._outbox.memory
        if number in self._answers:
            command, reason = self._answers[number]
            if command != body:
                return encode(Type.REFUSED, id=number, reason=ID_USED)
            # What was asked for is told as it is now; what was done is not done again.
            return self._tell_asked(message) + _answer(number, reason) if reason == DONE else _answer(number, reason)
        if number <= memory.highest_id:
            return encode(Type.REFUSED, id=number, reason=OLD_ID)
        memory.highest_id = number
        self._outbox.save()  # before it is done: a command may be forgotten, never done twice
        reason = self._obstacle(message) or DONE
        self._answers[number] = (body, reason)
        if len(self._answers) > ANSWERS:
            self._answers.popitem(last=False)
        if reason == DONE:
            self._do(message, now_s)
            return self._tell_asked(message) + _answer(number, DONE)
        return _answer(number, reason)

    def _obstacle(self, message: Message) -> int | None:
        if message.type is Type.ATTEST:
            return NOT_SUPPORTED
        if message.type is Type.REMEMBER_ROOT:
            size, root = self._outbox.root_of(message.raw("log"))
            if message.number("size") < size:
                return SMALLER_TREE
            return OTHER_ROOT if message.number("size") == size and message.raw("root") != root else None
        if message.type is Type.CLEAR_FAULT:
            if self.mechanism.fault != (message.number("code"), message.number("module")):
                return BAD_VALUE
            if self.mechanism.cover_open:
                return COVER_OPEN
            return IN_FAULT if self.mechanism.is_fault_held else None
        return self._obstacle_to_moving(message) if message.type in MOVES_CARDS else None

    def _obstacle_to_moving(self, message: Message) -> int | None:
        wanted = message.number("cards") if message.type is Type.DISPENSE else 1
        unlocked = self.mechanism.permit > 0 and message.type is not Type.UNLOCK
        obstacles = (
            (self.mechanism.fault is not None, IN_FAULT),
            (self.mechanism.cover_open, COVER_OPEN),
            (self.mechanism.operation is not None or unlocked, BUSY),
            (self._outbox.is_full, EVENTS_PENDING),
            (self.mechanism.remaining < wanted and message.type is not Type.ACCEPT_RETURN, OUT_OF_CARDS),
        )
        return next((reason for is_so, reason in obstacles if is_so), None)

    def _do(self, message: Message, now_s: float) -> None:
        match message.type:
            case Type.SHUFFLE:
                self.mechanism.begin(Moving.SHUFFLING, now_s)
            case Type.DISPENSE:
                self.mechanism.begin(Moving.DISPENSING, now_s, message.number("cards"), message.number("permit"))
            case Type.ACCEPT_RETURN:
                self.mechanism.begin(Moving.RETURNING, now_s)
            case Type.EJECT:
                self.mechanism.eject(now_s)
            case Type.UNLOCK:
                self.mechanism.unlock(message.number("cards"), message.number("permit"))
            case Type.LOCK:
                self.mechanism.lock()
            case Type.CLEAR_FAULT:
                self.mechanism.clear_fault()
            case Type.SET_LAMP:
                self.lamps[message.number("lamp")] = message.number("mode")
            case Type.REMEMBER_ROOT:
                self._outbox.remember_root(message.raw("log"), message.number("size"), message.raw("root"))
            case _:
                pass  # ReadMeters, RecallRoot: `_tell_asked`

    def _tell_asked(self, message: Message) -> bytes:
        if message.type is Type.RECALL_ROOT:
            size, root = self._outbox.root_of(message.raw("log"))
            return encode(
                Type.ROOT_REMEMBERED,
                id=message.number("id"),
                log=message.raw("log"),
                size=size,
                root=root,
                logs=self._outbox.memory.logs,
            )
        if message.type is not Type.READ_METERS:
            return b""
        meters: dict[str, Value] = asdict(self._outbox.memory.meters)
        return encode(Type.METERS, id=message.number("id"), **meters)

    def _make_status(self) -> bytes:
        mechanism = self.mechanism
        conditions = (
            mechanism.permit == 0,
            mechanism.cover_open,
            mechanism.fault is not None,
            self._outbox.is_full,
            mechanism.cut_card_seen,
        )
        code, module = mechanism.fault or (0, 0)
        return encode(
            Type.STATUS,
            state=mechanism.moving,
            conditions=sum(1 << bit for bit, is_so in enumerate(conditions) if is_so),
            key=mechanism.key,
            stack=self._outbox.memory.stack,
            count=self._outbox.memory.count,
            fault=code,
            module=module,
        )


def _answer(number: int, reason: int) -> bytes:
    return encode(Type.DONE, id=number) if reason == DONE else encode(Type.REFUSED, id=number, reason=reason)


def _refusal_of(body: bytes) -> bytes:
    if body[0] < COMMAND_FIRST or len(body) < 5:
        return b""
    known = body[0] in {kind.value for kind in COMMANDS}
    return _answer(int.from_bytes(body[1:5]), BAD_VALUE if known else NOT_SUPPORTED)
