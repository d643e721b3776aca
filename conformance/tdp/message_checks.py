"""Sections 7 and 8: messages, and what a device says of itself."""

import itertools
from functools import reduce
from operator import or_
from typing import Final

from conformance.check import Checks
from conformance.check_result import require, unmet
from conformance.tdp.limits import ANSWER_S, NOTHING_S, QUIET_S, SLACK_S
from conformance.tdp.rig import TdpRig, heartbeats
from conformance.tdp.session import HostSession
from protocols.garbage import Garbage
from protocols.tdp.codec import LENGTH_BYTES, MESSAGE_MAX, encode_message
from protocols.tdp.codes import BootReason, Capability, Condition, DeviceState
from protocols.tdp.commands import ReadMeters
from protocols.tdp.framing import Frame, FrameKind
from protocols.tdp.handshake import ResetReason
from protocols.tdp.messages import Done, Hello, Refused, Status

CHECKS: Final[Checks[TdpRig]] = Checks("messages")

_STREAM: Final = "7. Messages in the stream"
_REPORTS: Final = "8. Reports: device to host"
_READER: Final = "the reader of messages: it knows each one's length, so what it cannot read it can skip"
_BEATS_S: Final = 2.3
_BEAT_S: Final = 1.0
_PRESS_S: Final = 2.0
_KNOWN_CONDITIONS: Final = reduce(or_, Condition)
_KNOWN_CAPABILITIES: Final = reduce(or_, Capability)


@CHECKS.check(_REPORTS, "what goes out first in a session")
def hello_then_status(rig: TdpRig) -> None:
    """Hello is the device's first message in every session and comes once, Status is its second."""
    for _ in range(2):
        session = rig.open()
        rig.greeted(session)
        first = [type(taken.message).__name__ for taken in session.log[:2]]
        require(first == [Hello.__name__, Status.__name__], "Hello, then Status", ", then ".join(first))
        rig.wait_for_silence(session)
        hellos = sum(isinstance(taken.message, Hello) for taken in session.log)
        require(hellos == 1, "Hello once in a session", f"{hellos} times")
        rig.hang_up()


@CHECKS.check(_REPORTS, "the fields of Hello")
def hello_is_plausible(rig: TdpRig) -> None:
    """Hello has message version 1, maker, model, serial number, firmware version, and a boot count of 1 or more."""
    rig.ready()
    hello = rig.hello
    raw = encode_message(hello)
    require(hello.message_version == 1, "message version 1", hello.message_version, raw)
    for name in ("maker", "model", "serial", "firmware_version"):
        require(getattr(hello, name).strip(), f"a {name.replace('_', ' ')}", "an empty text", raw)
    require(hello.boot_count >= 1, "a boot count of 1 or more", hello.boot_count, raw)
    if hello.boot_reason not in set(BootReason):
        rig.bench.observe(f"boot reason {hello.boot_reason} is not in the list")
    if hello.capabilities & ~_KNOWN_CAPABILITIES:
        rig.bench.observe(f"capability bits {int(hello.capabilities):#x} go beyond the list")
    if len(set(hello.image_digest)) == 1:
        rig.bench.observe("the image digest is one byte repeated: no digest of an image")


@CHECKS.check(_REPORTS, "Hello: what it says does not change while the device runs")
def hello_stays_the_same(rig: TdpRig) -> None:
    """In every session of one boot Hello says the same."""
    hellos = []
    for _ in range(3):
        rig.ready()
        hellos.append(rig.hello)
        rig.hang_up()
    different = [hello for hello in hellos if hello != hellos[0]]
    require(not different, f"{hellos[0]}", different, encode_message(different[0]) if different else b"")


@CHECKS.check(_REPORTS, "Status: its fields must agree with each other")
def status_is_consistent(rig: TdpRig) -> None:
    """Status has the condition "fault" exactly if it has a fault code; in state "fault" it has both."""
    session = rig.ready()
    status = session.status
    if status is None:
        unmet("Status", "none")
    raw = encode_message(status)
    fault = Condition.FAULT in status.conditions
    require(fault == bool(status.fault_code), "condition 2 exactly if there is a fault code", status, raw)
    require(fault or status.state is not DeviceState.FAULT, "condition 2 in state 5", status, raw)
    require(bool(status.fault_code) or not status.fault_module, "fault module 0 without a fault", status, raw)
    if status.conditions & ~_KNOWN_CONDITIONS:
        rig.bench.observe(f"conditions {int(status.conditions):#x} go beyond the list")


@CHECKS.check(_REPORTS, "Heartbeat: sent by the application, each second, whatever else it does")
def heartbeat_each_second(rig: TdpRig) -> None:
    """Heartbeat comes every second, with uptime, boot count, the number of the last event, and how many wait."""
    session = rig.ready()
    session.pump(_BEATS_S)
    beats = heartbeats(session)
    times = [at_s for at_s, _beat in beats]
    gaps = [after - before for before, after in itertools.pairwise(times)]
    seen = ", ".join(f"{gap:.2f}" for gap in gaps)
    require(len(beats) > int(_BEATS_S), f"3 heartbeats in {_BEATS_S:g} s, the first at once", len(beats))
    even = all(_BEAT_S - SLACK_S <= gap <= _BEAT_S + SLACK_S for gap in gaps)
    require(even, "a second between two heartbeats", f"{seen} s")
    uptimes = [beat.uptime_s for _at_s, beat in beats]
    grown = uptimes[-1] - uptimes[0]
    require(uptimes == sorted(uptimes) and abs(grown - (len(beats) - 1)) <= 1, "uptime in seconds", uptimes)
    last = rig.ledger.last
    for _at_s, beat in beats:
        raw = encode_message(beat)
        require(beat.boot == rig.hello.boot_count, f"boot {rig.hello.boot_count}, as in Hello", beat, raw)
        if last is not None and last.boot == beat.boot:
            require(beat.last_number == last.number, f"last number {last.number}", beat, raw)
    require(beats[-1][1].pending == 0, "nothing pending: every event was acknowledged", beats[-1][1])


@CHECKS.check(_REPORTS, "Heartbeat: the first at once, so that the host knows whether it has every event")
def first_heartbeat_at_once(rig: TdpRig) -> None:
    """The first Heartbeat of a session comes at once after Status and the events that were kept."""
    session = rig.open()
    rig.greeted(session)
    session.pump(ANSWER_S, lambda: bool(heartbeats(session)))
    require(heartbeats(session), f"Heartbeat within {ANSWER_S:g} s", "none")
    took_s = heartbeats(session)[0][0] - session.log[0].at_s
    require(took_s <= SLACK_S, "Heartbeat at once after Status and the events kept", f"{took_s:.2f} s after Hello")


@CHECKS.check(_STREAM, _READER)
def unknown_type_skipped(rig: TdpRig) -> None:
    """A message of an unknown type that is no command is skipped, and the next one is answered."""
    session = rig.ready()
    for raw in (b"\x7e", b"\x4f\x00\x00\x00\x01", b"\x42" + bytes(MESSAGE_MAX - 1)):
        _skipped(rig, session, raw)


@CHECKS.check(_STREAM, _READER)
def wrong_length_skipped(rig: TdpRig) -> None:
    """A message of a wrong length that is no command, or a command too short for an id, is skipped."""
    session = rig.ready()
    for raw in (b"\x58\x00\x00\x00", b"\x41\x00\x00", b"\x41" + bytes(9), b"\x52"):
        _skipped(rig, session, raw)


@CHECKS.check(_STREAM, "messages of the other direction: what only a device says is not for a device")
def reports_skipped(rig: TdpRig) -> None:
    """A message that only a device sends is skipped by a device, and the next one is answered."""
    session = rig.ready()
    for message in (rig.hello, Done(1), Refused(1, 1)):
        _skipped(rig, session, encode_message(message)[LENGTH_BYTES:])


@CHECKS.check(_STREAM, "a length that cannot be: nothing after it can be found, so the session must end")
def length_zero_ends_the_session(rig: TdpRig) -> None:
    """A length of 0 ends the session."""
    _ends(rig, 0)


@CHECKS.check(_STREAM, "a length that cannot be: nothing after it can be found, so the session must end")
def length_1025_ends_the_session(rig: TdpRig) -> None:
    """A length above 1024 ends the session."""
    _ends(rig, MESSAGE_MAX + 1)


@CHECKS.check(_STREAM, "the close of a session by its reader: RESET 2, also for a session accepted beside it")
def impossible_length_closes_both_sessions(rig: TdpRig) -> None:
    """An impossible length ends the session by RESET 2, and a session accepted beside it, which is unknown then."""
    session = rig.ready()
    accept = rig.accepted_beside(session)
    before = len(rig.line.heard)
    session.send_bytes(bytes(LENGTH_BYTES))
    session.pump(_PRESS_S)
    require(session.ended == ResetReason.CLOSED, "RESET 2 for the session", f"RESET {session.ended}")
    rig.line.all_for(QUIET_S)
    resets = [one.frame for one in rig.line.heard[before:] if one.frame.kind is FrameKind.RESET]
    closed = any(one.session == accept.session and one.payload[:1] == bytes([ResetReason.CLOSED]) for one in resets)
    require(closed, "RESET 2 for the accepted session", resets)
    rig.forget_session()
    for number, what in ((accept.session, "accepted session, which has ended as well"), (session.number, "session")):
        rig.line.send(Frame(FrameKind.ACK, number))
        heard = [frame for frame in rig.line.all_for(NOTHING_S) if frame.session == number]
        reasons = [frame.payload[:1] for frame in heard if frame.kind is FrameKind.RESET]
        unknown = bytes([ResetReason.UNKNOWN_SESSION]) in reasons
        require(unknown, f"RESET 1 for a frame of the {what}", heard)
    rig.ready()


@CHECKS.check(_STREAM, "the reader must keep half a message until the rest comes")
def message_in_pieces(rig: TdpRig) -> None:
    """A message may lie across frames: one whose bytes come one in a frame is answered."""
    session = rig.ready()
    command = ReadMeters(rig.new_id(session))
    for byte in session.sealed(encode_message(command)):
        session.send_raw(bytes([byte]))
        session.pump(ANSWER_S, lambda: session.idle)
    session.wait_for_reply(command)


@CHECKS.check(_STREAM, "several messages in one frame: each is read")
def messages_in_one_frame(rig: TdpRig) -> None:
    """Messages follow each other without padding: three in one frame are all read."""
    session = rig.ready()
    last = rig.ledger.last
    alone = session.do(ReadMeters(rig.new_id(session)))
    commands = [ReadMeters(rig.new_id(session)) for _ in range(3)]
    session.send_bytes(b"".join(encode_message(command) for command in commands))
    for command in commands:
        answer = session.wait_for_reply(command)
        require(type(answer) is type(alone), f"{type(alone).__name__}, as for one alone", answer)
    require(last == rig.ledger.last, "no event by it", rig.ledger.last)


def _skipped(rig: TdpRig, session: HostSession, raw: bytes) -> None:
    session.forget()
    command = ReadMeters(rig.new_id(session))
    bad = len(raw).to_bytes(2, "big") + raw
    session.send_bytes(bad)  # by itself: a small device need not take more than one message in a record of TLS
    session.send(command)
    session.wait_for_reply(command)
    others = [
        taken.message
        for taken in session.inbox
        if isinstance(taken.message, Done | Refused | Garbage) and getattr(taken.message, "id", None) != command.id
    ]
    require(not others, "no answer to a message that cannot be read", others, bad)
    require(session.ended is None, "the session continues", f"RESET {session.ended}", bad)


def _ends(rig: TdpRig, length: int) -> None:
    session = rig.ready()
    raw = length.to_bytes(2, "big") + b"\x58\x00"
    session.send_bytes(raw)
    session.pump(_PRESS_S)
    if session.ended is None:
        unmet(f"the session ended after a message of length {length}", "it went on", raw)
    rig.bench.observe(f"a message of length {length} ends the session with RESET {session.ended}")
    rig.ready()
