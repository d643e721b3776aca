"""Sections 4 and 5: how a session is offered, accepted, confirmed, replaced and ended."""

import itertools
from typing import Final

from conformance.check import Checks
from conformance.check_result import RequirementFailed, require, unmet
from conformance.tdp.limits import ANSWER_S, NOTHING_S, QUIET_S, SETTLE_S, SLACK_S
from conformance.tdp.opening import HALF, terms_of
from conformance.tdp.rig import TdpRig
from conformance.tdp.session import HostSession, silent
from protocols.tdp import handshake
from protocols.tdp.framing import VERSION, Frame, FrameKind, encode_frame
from protocols.tdp.handshake import ResetReason, Security
from protocols.tdp.messages import Hello
from protocols.tdp.timing import RETRY_S, SILENCE_S

CHECKS: Final[Checks[TdpRig]] = Checks("session")

_OPENING: Final = "4. Opening a session"
_OPENING_STREAM: Final = "4. Opening a session; 6. The stream"
_STATES: Final = "5. States of both ends"
_HANDSHAKE: Final = "the code that answers OPEN, and where it keeps the number and terms of the session offered"


@CHECKS.check(_OPENING, _HANDSHAKE)
def opens(rig: TdpRig) -> None:
    """OPEN is answered by ACCEPT with version 1, no more window and payload than offered, and the same security."""
    frame = rig.accepted(rig.new_host())
    raw = encode_frame(frame)
    terms = terms_of(frame)
    offered = rig.terms()
    fits = terms.window <= offered.window and terms.payload_max <= offered.payload_max
    require(fits and terms.security == offered.security, f"at most {offered}", terms, raw)
    require(frame.session % HALF, "a D that is not 0", f"{frame.session:08X}", raw)
    require(frame.sequence == 0 == frame.acknowledgement, "sequence 0 and acknowledgement 0 in ACCEPT", frame, raw)
    rig.line.all_for(SETTLE_S)
    before = len(rig.line.heard)
    rig.greeted(rig.session_of(frame))
    again = [one.frame for one in rig.line.heard[before:] if one.frame.kind is FrameKind.ACCEPT]
    require(not again, "no ACCEPT of a session that stands", again)


@CHECKS.check(_OPENING, _HANDSHAKE)
def uses_the_smaller_terms(rig: TdpRig) -> None:
    """Window and payload of ACCEPT are the smaller of both ends': offered 1 and 16, they are 1 and 16."""
    offered = rig.terms(window=1, payload_max=16)
    frame = rig.accepted(rig.new_host(), offered)
    require(terms_of(frame) == offered, str(offered), frame.payload.hex(" "), encode_frame(frame))
    rig.session_of(frame)


@CHECKS.check(_OPENING, _HANDSHAKE)
def same_offer_same_answer(rig: TdpRig) -> None:
    """OPEN with the same H again is answered by the same ACCEPT, whatever window and payload it offers now."""
    host = rig.new_host()
    first = rig.accepted(host)
    for terms in (rig.terms(), rig.terms(), rig.terms(window=1, payload_max=16)):
        again = rig.accepted(host, terms)
        require(again == first, f"the same ACCEPT, {first}", again, encode_frame(again))
    rig.session_of(first)


@CHECKS.check(_OPENING, "an OPEN with the H of the accepted session: version and security are compared all the same")
def same_offer_with_another_version_refused(rig: TdpRig) -> None:
    """OPEN with the H that was accepted and no common version, or other security, is refused; the session stays."""
    host = rig.new_host()
    accept = rig.accepted(host)
    offer = handshake.encode_offer(rig.terms())
    rig.line.send(Frame(FrameKind.OPEN, host * HALF, payload=bytes([VERSION + 100, VERSION + 101]) + offer[2:]))
    _refused(rig, host, ResetReason.VERSION)
    other = Security.PLAIN if rig.setup.security is Security.TLS13 else Security.TLS13
    rig.line.send(Frame(FrameKind.OPEN, host * HALF, payload=offer[:-1] + bytes([other])))
    _refused(rig, host, ResetReason.SECURITY)
    rig.greeted(rig.session_of(accept))


@CHECKS.check(_OPENING, "the device's half of the session number: it must be counted on with each H accepted")
def another_offer_another_number(rig: TdpRig) -> None:
    """Each new H that is accepted gets another D, one more than the one before, and 1 after 255."""
    numbers = [rig.accepted(rig.new_host()).session % HALF for _ in range(HALF)]
    for before, after in itertools.pairwise(numbers):
        expected = before % (HALF - 1) + 1
        require(after == expected, f"{expected:02X} for the next H after {before:02X}", f"{after:02X}")


@CHECKS.check(_OPENING, "the reader of OPEN: it must read the fields it knows and stop there")
def more_bytes_in_open(rig: TdpRig) -> None:
    """A reader of OPEN ignores bytes after those that it knows."""
    host = rig.new_host()
    payload = handshake.encode_offer(rig.terms()) + b"\x01\x02\x03"
    rig.line.send(Frame(FrameKind.OPEN, host * HALF, payload=payload))
    frame = _first(rig, host)
    require(frame.kind is FrameKind.ACCEPT, "ACCEPT", frame.kind.name, encode_frame(frame))
    rig.session_of(frame)


@CHECKS.check(_OPENING, "the choice of the version: the highest that both speak")
def later_versions_offered_too(rig: TdpRig) -> None:
    """To OPEN with versions 1 to 9 the device answers with the highest that it speaks, at least 1."""
    host = rig.new_host()
    payload = bytes([VERSION, 9]) + handshake.encode_offer(rig.terms())[2:]
    rig.line.send(Frame(FrameKind.OPEN, host * HALF, payload=payload))
    frame = _first(rig, host)
    require(frame.kind is FrameKind.ACCEPT and frame.payload[:1] >= b"\x01", "ACCEPT", frame, encode_frame(frame))
    rig.bench.observe(f"it speaks version {frame.payload[0]}")
    rig.line.send(Frame(FrameKind.RESET, frame.session, payload=handshake.encode_reset(handshake.Reset(2))))


@CHECKS.check(_OPENING, "the answer to an OPEN without a common version: it must not be accepted, and not be silent")
def other_version_refused(rig: TdpRig) -> None:
    """OPEN with no common version is answered by RESET 3 for session H·0, with the versions the device speaks."""
    host = rig.new_host()
    payload = bytes([VERSION + 100, VERSION + 101]) + handshake.encode_offer(rig.terms())[2:]
    rig.line.send(Frame(FrameKind.OPEN, host * HALF, payload=payload))
    _refused(rig, host, ResetReason.VERSION)


@CHECKS.check("4. Opening a session; 11. Security", "the setting of the security: neither end gives way")
def other_security_refused(rig: TdpRig) -> None:
    """OPEN with other security than the device is set to is answered by RESET 4 for session H·0."""
    host = rig.new_host()
    other = Security.PLAIN if rig.setup.security is Security.TLS13 else Security.TLS13
    rig.line.send(rig.offer(host, handshake.Terms(4, 224, other)))
    _refused(rig, host, ResetReason.SECURITY)


@CHECKS.check(_OPENING, "the ranges of the fields of OPEN")
def impossible_offers_not_accepted(rig: TdpRig) -> None:
    """OPEN with fewer than 5 bytes, too small a window or payload, or lowest above highest is dropped."""
    security = int(rig.setup.security)
    impossible = {
        "4 bytes": bytes([1, 1, 4, 224]),
        "window 0": bytes([1, 1, 0, 224, security]),
        "payload 15": bytes([1, 1, 4, 15, security]),
        "lowest above highest": bytes([2, 1, 4, 224, security]),
        "a D of its own": bytes([1, 1, 4, 224, security]),
    }
    for what, payload in impossible.items():
        host = rig.new_host()
        rig.line.send(Frame(FrameKind.OPEN, host * HALF + (what == "a D of its own") * 5, payload=payload))
        for frame in rig.line.all_for(NOTHING_S / 3):
            require(frame.session // HALF != host, f"no answer to an OPEN with {what}", frame, encode_frame(frame))
    rig.open()


@CHECKS.check(_OPENING, "the ranges of the fields of OPEN, and the terms that are agreed on")
def terms_never_beyond_the_page(rig: TdpRig) -> None:
    """To OPEN with too large a window or payload, ACCEPT has 4 and 224 at most, and what the line carries in 0.1 s."""
    security = int(rig.setup.security)
    for window, payload_max in ((5, 224), (4, 225), (255, 255)):
        host = rig.new_host()
        rig.line.send(Frame(FrameKind.OPEN, host * HALF, payload=bytes([1, 1, window, payload_max, security])))
        for frame in rig.line.all_for(NOTHING_S / 3):
            if frame.kind is FrameKind.ACCEPT and frame.session // HALF == host:
                terms = terms_of(frame)
                carried = terms.at(rig.setup.baud)
                require(carried == terms, f"at most {carried} at {rig.setup.baud} baud", terms, encode_frame(frame))
                rig.bench.observe(f"OPEN with window {window} and payload {payload_max} is accepted")
    rig.open()


@CHECKS.check(_STATES, "REOPENING: an OPEN alone must not touch the session that stands")
def unconfirmed_offer_changes_nothing(rig: TdpRig) -> None:
    """A session that stands is not ended by an OPEN with another H; what is not confirmed in 1.5 s is forgotten."""
    session = rig.ready()
    accept = rig.accepted_beside(session)
    session.pump(SILENCE_S + SLACK_S)
    require(session.ended is None, "the earlier session continues", f"RESET {session.ended}")
    session.forget()
    rig.meters(session)
    strays = len(session.strays)
    rig.line.send(Frame(FrameKind.ACK, accept.session))
    session.pump(NOTHING_S)
    late = [heard.frame for heard in session.strays[strays:]]
    reset = [frame for frame in late if frame.kind is FrameKind.RESET and frame.session == accept.session]
    require(reset, "RESET 1 for the offer that was confirmed too late", late)
    rig.meters(session)


@CHECKS.check(_OPENING, "the time until an accepted session is forgotten: it begins again with each ACCEPT")
def offer_again_waits_again(rig: TdpRig) -> None:
    """The 1.5 s in which a session must be confirmed are counted from the last ACCEPT sent for it."""
    host = rig.new_host()
    rig.accepted(host)
    rig.line.all_for(SILENCE_S * 2 / 3)
    accept = rig.accepted(host)
    rig.line.all_for(SILENCE_S * 2 / 3)
    rig.greeted(rig.session_of(accept))


@CHECKS.check(_STATES, "REOPENING: the first frame of the new session ends the old one")
def confirmed_offer_replaces(rig: TdpRig) -> None:
    """The first frame of the new session ends the one that stood before: its frames are of an unknown session then."""
    old = rig.ready()
    session = rig.session_of(rig.accepted_beside(old))
    rig.greeted(session)
    old.send_frame(FrameKind.ACK)
    session.pump(
        ANSWER_S,
        lambda: any(
            heard.frame.kind is FrameKind.RESET and heard.frame.session == old.number for heard in session.strays
        ),
    )
    strays = [heard.frame for heard in session.strays if heard.frame.session == old.number]
    require(
        [frame for frame in strays if frame.kind is FrameKind.RESET],
        "RESET 1 for the session that was replaced",
        strays,
    )
    require(session.ended is None, "the new session continues", f"RESET {session.ended}")


@CHECKS.check(_OPENING, "confirmation: DATA, ACK and NAK all confirm")
def confirmed_by_nak(rig: TdpRig) -> None:
    """NAK confirms a session as ACK does."""
    session = rig.session_of(rig.accepted(rig.new_host()), FrameKind.NAK)
    session.filter = silent
    before = len(rig.line.heard)
    session.pump(ANSWER_S, lambda: len(rig.line.heard) > before)
    heard = [one.frame for one in rig.line.heard[before:] if one.frame.session == session.number]
    require(heard, "frames of the session, which NAK has confirmed", "none")
    session.filter = encode_frame
    rig.greeted(session)


@CHECKS.check(_OPENING, "DATA must not go out before the session is confirmed")
def nothing_before_confirmation(rig: TdpRig) -> None:
    """Before a session is confirmed the device sends no frame of it but ACCEPT."""
    accept = rig.accepted(rig.new_host())
    early = [frame for frame in rig.line.all_for(NOTHING_S) if frame.kind is not FrameKind.ACCEPT]
    require(not early, "nothing until the session is confirmed", early)
    rig.session_of(accept)


@CHECKS.check(_OPENING, "a copy of the OPEN that led to the session that stands: the line may have held it back")
def copy_of_the_standing_offer_ignored(rig: TdpRig) -> None:
    """OPEN with the H of the session that stands is a copy and is ignored."""
    session = rig.ready()
    before = len(rig.line.heard)
    rig.line.send(rig.offer(session.number // HALF))
    session.pump(NOTHING_S)
    answers = [
        heard.frame for heard in rig.line.heard[before:] if heard.frame.kind in {FrameKind.ACCEPT, FrameKind.RESET}
    ]
    require(not answers, "no answer", answers)
    require(session.ended is None, "the session continues", f"RESET {session.ended}")
    rig.meters(session)


@CHECKS.check("4. Opening a session; 14. Errors", "the answer to a frame of no session: RESET 1, naming that session")
def unknown_session_reset(rig: TdpRig) -> None:
    """A frame of a session that the device does not know is answered by RESET 1 for that session."""
    for kind, payload in ((FrameKind.NAK, b""), (FrameKind.ACK, b""), (FrameKind.DATA, b"\x00")):
        number = rig.new_host() * HALF + 77
        rig.line.send(Frame(kind, number, payload=payload))
        _reset_of(rig, number, f"RESET 1 for a {kind.name} of an unknown session")


@CHECKS.check(_OPENING, "frames of sessions that are not known: they are no affair of the session that stands")
def strangers_do_not_disturb(rig: TdpRig) -> None:
    """Frames of unknown sessions do not end the session that stands, and get no more RESETs than there were frames."""
    session = rig.ready()
    numbers = [rig.new_host() * HALF + 78 for _ in range(4)]
    rig.line.send(*(Frame(FrameKind.ACK, number) for number in numbers))
    rig.meters(session)
    session.pump(NOTHING_S)
    require(session.ended is None, "the session continues", f"RESET {session.ended}")
    resets = [heard.frame for heard in session.strays if heard.frame.kind is FrameKind.RESET]
    others = [frame for frame in resets if frame.session not in numbers]
    require(not others, "RESET only for sessions of which a frame came", others)
    require(len(resets) <= len(numbers), f"{len(numbers)} RESETs at most", len(resets))
    # One at most for each read of its port: how many reads those were, only the device knows.
    rig.bench.observe(f"{len(resets)} RESETs for {len(numbers)} frames of unknown sessions in one write")


@CHECKS.check(_OPENING, "the answer to a frame of no session: a D of 0 means being opened, and is no session")
def half_a_number_not_answered(rig: TdpRig) -> None:
    """A frame of a session H·0 is not answered: a host that opens would take the RESET for one of its OPEN."""
    rig.line.send(Frame(FrameKind.ACK, rig.new_host() * HALF))
    answers = rig.line.all_for(NOTHING_S)
    require(not answers, "no answer", answers)


@CHECKS.check(_OPENING, "the handling of RESET: it is never answered")
def reset_never_answered(rig: TdpRig) -> None:
    """A RESET for a session that the device does not know is not answered."""
    payload = handshake.encode_reset(handshake.Reset(ResetReason.UNKNOWN_SESSION))
    rig.line.send(Frame(FrameKind.RESET, rig.new_host() * HALF + 79, payload=payload))
    rig.line.send(Frame(FrameKind.RESET, rig.new_host() * HALF, payload=payload))
    answers = rig.line.all_for(NOTHING_S)
    require(not answers, "no answer to RESET", answers)


@CHECKS.check("6. The stream; 14. Errors", "a frame that breaks a rule within the session: dropped, and no more")
def rule_breakers_dropped(rig: TdpRig) -> None:
    """A frame of the session that stands and breaks a rule is dropped: no RESET answers it, and it takes no number."""
    session = rig.ready(rig.terms(payload_max=16))
    session.send_frame(FrameKind.DATA, session.next)
    session.send_frame(FrameKind.DATA, session.next, bytes(17))
    rig.line.send(Frame(FrameKind.ACCEPT, session.number, payload=bytes([1, 4, 16, int(rig.setup.security)])))
    for count in (0, 1, 2):
        rig.line.send(Frame(FrameKind.RESET, session.number, payload=bytes([ResetReason.CLOSED, 1, 1][:count])))
    session.pump(NOTHING_S)
    require(session.ended is None, "the session continues", f"RESET {session.ended}")
    rig.meters(session)


@CHECKS.check(_OPENING, "a RESET for another session than the one that stands counts for nothing")
def reset_of_another_session_ignored(rig: TdpRig) -> None:
    """A RESET counts only for the session that it names."""
    session = rig.ready()
    payload = handshake.encode_reset(handshake.Reset(ResetReason.LOST))
    rig.line.send(Frame(FrameKind.RESET, session.number ^ 1, payload=payload))
    rig.line.send(Frame(FrameKind.RESET, session.number ^ HALF, payload=payload))
    session.pump(NOTHING_S)
    require(session.ended is None, "the session continues", f"RESET {session.ended}")
    rig.meters(session)


@CHECKS.check(_STATES, "LOSS by RESET: the session ends at once, and the device listens")
def reset_ends_the_session(rig: TdpRig) -> None:
    """A RESET for the session that stands ends it: nothing of it is sent any more, and the next OPEN is accepted."""
    session = rig.ready()
    rig.hang_up()
    rig.line.all_for(2 * SLACK_S)
    late = [frame for frame in rig.line.all_for(NOTHING_S) if frame.session == session.number]
    require(not late, "nothing of the session that was closed", late)
    rig.ready()


@CHECKS.check(_STATES, "EXPIRY by RESET: of the session that is accepted, and not confirmed yet")
def reset_of_the_accepted_session(rig: TdpRig) -> None:
    """A RESET for the session that is accepted ends it, and one for another does not."""
    payload = handshake.encode_reset(handshake.Reset(ResetReason.CLOSED))
    accept = rig.accepted(rig.new_host())
    rig.line.send(Frame(FrameKind.RESET, accept.session ^ 1, payload=payload))
    rig.greeted(rig.session_of(accept))
    rig.hang_up()
    number = rig.accepted(rig.new_host()).session
    rig.line.send(Frame(FrameKind.RESET, number, payload=payload))
    rig.line.all_for(QUIET_S)
    rig.line.send(Frame(FrameKind.ACK, number))
    _reset_of(rig, number, "RESET 1 for a frame of the session that was reset before it was confirmed")


@CHECKS.check("5. States of both ends; 6. The stream", "SILENCE_S: any frame of the session counts as heard")
def alive_keeps_the_session(rig: TdpRig) -> None:
    """As long as ACK comes more often than every 1.5 s, the session stands."""
    session = rig.ready()
    session.filter = silent
    for _ in range(2):
        session.pump(SILENCE_S - SLACK_S)
        require(session.ended is None, "the session stands", f"RESET {session.ended} with ACK every 1.15 s")
        session.send_frame(FrameKind.ACK)
    session.filter = encode_frame
    rig.meters(session)


@CHECKS.check(
    "5. States of both ends; 6. The stream", "SILENCE_S: a host that is gone must be noticed, since the device locks"
)
def silence_ends_the_session(rig: TdpRig) -> None:
    """After 1.5 s without a frame the session is lost: RESET 5 is sent, and later frames are of an unknown session."""
    session = rig.ready()
    session.pump(ANSWER_S, lambda: session.idle)
    begun_s = rig.bench.now_s()
    while session.ended is None and rig.bench.now_s() < begun_s + SILENCE_S + SLACK_S:
        heard = rig.line.next(begun_s + SILENCE_S + SLACK_S)
        if heard is not None and heard.frame.session == session.number and heard.frame.kind is FrameKind.RESET:
            session.ended = handshake.decode_reset(heard.frame.payload).reason
    waited_s = rig.bench.now_s() - begun_s
    if session.ended is None:
        rig.bench.observe("no RESET 5 was sent when the session was lost")
        rig.line.send(Frame(FrameKind.ACK, session.number))
        _reset_of(rig, session.number, "RESET 1, since the session must be lost after 1.5 s of silence")
        session.ended = ResetReason.UNKNOWN_SESSION
        return
    require(session.ended == ResetReason.LOST, "RESET 5", f"RESET {session.ended}")
    require(waited_s > SILENCE_S - SLACK_S, "RESET 5 after 1.5 s of silence", f"after {waited_s:.2f} s")
    late = [frame for frame in rig.line.all_for(NOTHING_S) if frame.session == session.number]
    require(not late, "nothing behind RESET", late)
    rig.line.send(Frame(FrameKind.ACK, session.number))
    _reset_of(rig, session.number, "RESET 1 for a frame of the session that was lost")


@CHECKS.check(_OPENING_STREAM, "SILENCE_S: what counts as heard; a copy of OPEN is not of the session")
def copies_of_open_are_no_sign_of_life(rig: TdpRig) -> None:
    """Copies of OPEN with the H of the session that stands do not keep it: after 1.5 s it is lost."""
    session = rig.ready()
    copy = rig.offer(session.number // HALF)
    _lost_in_spite_of(rig, session, [copy], "copies of its OPEN")


@CHECKS.check(_OPENING_STREAM, "SILENCE_S: what counts as heard; a frame that breaks a rule is dropped first")
def rule_breakers_are_no_sign_of_life(rig: TdpRig) -> None:
    """Frames that break a rule do not keep a session: after 1.5 s without others it is lost."""
    answer = bytes([1, 4, 16, int(rig.setup.security)])
    for what, kind, payload in (
        ("DATA without payload", FrameKind.DATA, b""),
        ("DATA with more payload than agreed", FrameKind.DATA, bytes(17)),
        ("ACK with payload", FrameKind.ACK, b"\x00"),
        ("NAK with payload", FrameKind.NAK, b"\x00"),
        ("ACCEPT", FrameKind.ACCEPT, answer),
        ("a RESET that is too short", FrameKind.RESET, b"\x02"),
    ):
        session = rig.ready(rig.terms(payload_max=16))
        frame = Frame(kind, session.number, session.next, session.expected, payload)
        _lost_in_spite_of(rig, session, [frame], what)
        rig.hang_up()


def _lost_in_spite_of(rig: TdpRig, session: HostSession, frames: list[Frame], what: str) -> None:
    # Send nothing but these, every 0.25 s, until the device shows that the session is lost.
    session.pump(ANSWER_S, lambda: session.idle)
    begun_s = rig.bench.now_s()
    while session.ended is None and rig.bench.now_s() < begun_s + SILENCE_S + SLACK_S:
        rig.line.send(*frames)
        until_s = rig.bench.now_s() + RETRY_S
        while session.ended is None and (heard := rig.line.next(until_s)) is not None:
            if heard.frame.session == session.number and heard.frame.kind is FrameKind.RESET:
                session.ended = handshake.decode_reset(heard.frame.payload).reason
            elif heard.frame.session // HALF == session.number // HALF and heard.frame.kind is FrameKind.ACCEPT:
                session.ended = ResetReason.LOST  # it listens: the copy is an offer to it now
    if session.ended is None:
        rig.line.send(Frame(FrameKind.ACK, session.number))
        _reset_of(rig, session.number, f"RESET 1, since the session must be lost after 1.5 s of nothing but {what}")
        session.ended = ResetReason.UNKNOWN_SESSION


@CHECKS.check("12. Exactly once", "the beginning of a session: everything is sent again")
def a_new_session_starts_over(rig: TdpRig) -> None:
    """Each session starts with sequence 0 in both directions and sends Hello again."""
    for _ in range(2):
        session = rig.open()
        hello, _status = rig.greeted(session)
        first = session.data[0].frame
        require(first.sequence == 0, "DATA 0 first in a new session", first, encode_frame(first))
        require(isinstance(hello, Hello), "Hello", hello)
        rig.hang_up()


def _first(rig: TdpRig, host: int) -> Frame:
    until_s = rig.bench.now_s() + ANSWER_S
    while (heard := rig.line.next(until_s)) is not None:
        if heard.frame.session // HALF == host:
            return heard.frame
    raise RequirementFailed(f"an answer to the OPEN of {host:04X} within {ANSWER_S:g} s", "none")


def _refused(rig: TdpRig, host: int, reason: ResetReason) -> None:
    frame = _first(rig, host)
    raw = encode_frame(frame)
    right = frame.kind is FrameKind.RESET and frame.session == host * HALF
    require(right, f"RESET for session {host:04X}·0", f"{frame.kind.name} of session {frame.session:08X}", raw)
    reset = handshake.decode_reset(frame.payload)
    require(reset.reason == reason, f"reason {int(reason)}", reset.reason, raw)
    require(reset.lowest <= VERSION <= reset.highest, "the versions that the device speaks, with 1", reset, raw)


def _reset_of(rig: TdpRig, number: int, expected: str) -> None:
    until_s = rig.bench.now_s() + ANSWER_S
    while (heard := rig.line.next(until_s)) is not None:
        frame = heard.frame
        if frame.session == number and frame.kind is FrameKind.RESET:
            reason = handshake.decode_reset(frame.payload).reason
            require(reason == ResetReason.UNKNOWN_SESSION, expected, f"reason {reason}", encode_frame(frame))
            return
    unmet(expected, "nothing")
