"""Section 6: numbers, acknowledgements, what is dropped, what is sent again and when."""

import itertools
from typing import Final

from conformance.check import Checks
from conformance.check_result import CheckSkipped, require, unmet
from conformance.tdp.damage import header, on_the_line
from conformance.tdp.limits import ANSWER_S, COMMAND_S, EVENT_S, NOTHING_S, QUIET_S, SETTLE_S, SLACK_S
from conformance.tdp.line import ReceivedFrame
from conformance.tdp.response_times import LineTimes, line_times
from conformance.tdp.rig import TdpRig
from conformance.tdp.session import ByHand, HostSession, acknowledging
from protocols.tdp.codec import encode_message
from protocols.tdp.commands import ReadMeters
from protocols.tdp.framing import DELIMITER, ENCODED_MAX, SEQUENCES, Frame, FrameKind, encode_frame
from protocols.tdp.handshake import ResetReason
from protocols.tdp.messages import Done, Refused
from protocols.tdp.timing import ACK_WITHIN_S, ALIVE_AFTER_S, GIVE_UP_S, RETRY_S

CHECKS: Final[Checks[TdpRig]] = Checks("stream")

_SECTION: Final = "6. The stream"
_RECEIVER: Final = "the receiver: that it takes what it expects, drops the rest, and answers both"
_ANSWER: Final = "the answer to DATA: from the thread or interrupt that reads, never from behind the application"
_TIMER: Final = "the timer of what is under way"
_WATCH_S: Final = 1.8
_SLOW_S: Final = 0.9
"""Hello has ten frames of 16 bytes."""
_LOSSY_S: Final = 60.0
"""Each loss costs a quarter of a second."""
_BEYOND: Final = 100
_HALVES: Final = 5
_TRIES: Final = 3
_PIECE_BYTES: Final = 3
_BARE_BYTES: Final = 13
"""A frame without payload."""
_ONE_IN: Final = 4
_NOISE: Final = b"\x00\x05noise\x00"


@CHECKS.check(_SECTION, _ANSWER)
def acknowledges_at_once(rig: TdpRig) -> None:
    """Each batch of bytes that held DATA is answered by a frame that acknowledges it, half a message too."""
    session = rig.ready()
    command = ReadMeters(rig.new_id(session))
    data = session.sealed(encode_message(command))
    for frame in _kept_back(session, data[:1], data[1:]):
        rig.line.send(frame)
        _acknowledged(rig, session, _after(frame), "the DATA just sent")
    session.wait_for_reply(command)


@CHECKS.check(_SECTION, _ANSWER)
def acknowledges_within_10_ms(rig: TdpRig) -> None:
    """DATA is acknowledged within 10 ms, also where the application has nothing to answer."""
    times = line_times(rig)
    allowed_s = ACK_WITHIN_S + times.judging(ACK_WITHIN_S)
    session = rig.ready()
    command = ReadMeters(rig.new_id(session))
    data = session.sealed(encode_message(command))
    session.filter = by_hand = ByHand()
    took = []
    for at in range(_HALVES):  # with the rest the application answers
        session.send_raw(data[at : at + 1])
        frame = by_hand.frames[-1]
        session.pump(times.byte_s * _BARE_BYTES)  # the ACK that went in its place
        begun_s = rig.bench.now_s()
        rig.line.send(frame)
        _acknowledged(rig, session, _after(frame), "the DATA just sent")
        took.append(rig.bench.now_s() - begun_s - times.byte_s * (2 * _BARE_BYTES + 1))
    _in_time(took, allowed_s, "an acknowledgement within 10 ms")
    session.filter = encode_frame
    session.send_raw(data[_HALVES:])
    session.wait_for_reply(command)


@CHECKS.check(_SECTION, "NAK: at once when bytes are skipped, of an overlong run with its 236th byte")
def complains_at_once(rig: TdpRig) -> None:
    """NAK comes at once when bytes are skipped: of a damaged frame with its 00, of an overlong run before its end."""
    times = line_times(rig)
    allowed_s = times.judging(ACK_WITHIN_S)
    for noise, what in (
        (b"\x00\x05noise\x00", "a damaged frame"),
        (b"\x00" + b"\x55" * (ENCODED_MAX + 1), "236 bytes of a run that has not ended"),
    ):
        took = [_complained_after_s(rig, times, noise, what) for _ in range(_TRIES)]
        _in_time(took, allowed_s, f"NAK at once for {what}")


@CHECKS.check(_SECTION, _RECEIVER)
def duplicate_answered_and_dropped(rig: TdpRig) -> None:
    """A DATA frame that comes again is acknowledged again, and its bytes are delivered once."""
    session = rig.ready()
    command = ReadMeters(rig.new_id(session))
    frame = _kept_back(session, session.sealed(encode_message(command)))[0]
    for _ in range(3):
        rig.line.send(frame)
        _acknowledged(rig, session, _after(frame), "the same DATA again")
    session.pump(NOTHING_S)
    answers = _answers(session, command.id)
    require(len(answers) == 1, "one answer to a command that was sent once", answers)


@CHECKS.check(_SECTION, _RECEIVER)
def out_of_order_dropped(rig: TdpRig) -> None:
    """A frame beyond the one expected is dropped, and reported by one NAK; it is taken when it comes in its place."""
    session = rig.ready()
    last = session.terms.window - 1
    if not last:
        raise CheckSkipped("the window is 1: no frame can come too early")
    command = ReadMeters(rig.new_id(session))
    data = session.sealed(encode_message(command))
    first, *early = _kept_back(session, *(data[at : at + 1] for at in range(last)), data[last:])
    before = len(rig.line.heard)
    for frame in early:
        rig.line.send(frame)
    _complained(rig, session, before, first.sequence, "frames beyond the one expected")
    rig.line.send(first)
    _acknowledged(rig, session, _after(first), "one frame, since the others were dropped")
    rig.line.send(*early)
    session.wait_for_reply(command)


@CHECKS.check(_SECTION, "the reader of frames must tell the link what it skipped, while a session stands")
def complains_of_damage(rig: TdpRig) -> None:
    """Bytes that are skipped while a session stands are reported by one NAK, and nothing else is."""
    before = len(rig.line.heard)
    session = rig.ready()
    session.pump(QUIET_S)
    naks = [frame for frame in _naks(rig, before) if frame.session == session.number]
    require(not naks, "no NAK before anything was damaged", naks)
    damaged = {kind: on_the_line(header(kind, session.number), check=0) for kind in (FrameKind.ACK, FrameKind.NAK)}
    noise = {"two runs of damaged bytes": b"\x00\x05noise\x00\x00\x05more\x00"}
    for what, raw in (noise | {f"{kind.name} with a check of zero": raw for kind, raw in damaged.items()}).items():
        before = len(rig.line.heard)
        rig.line.send_raw(raw)
        _complained(rig, session, before, session.next, what)
        rig.meters(session)
        session.pump(RETRY_S, lambda: session.idle)


@CHECKS.check(_SECTION, "NAK: once within RETRY_S, unless what was missing has come; then for each loss again")
def complains_again(rig: TdpRig) -> None:
    """NAK comes for skipped bytes, not again within 0.25 s, again after that, and at once when DATA has arrived."""
    session = rig.ready()
    session.pump(RETRY_S, lambda: session.idle)
    before = len(rig.line.heard)
    rig.line.send_raw(_NOISE)
    session.pump(ANSWER_S, lambda: bool(_naks(rig, before)))
    require(_naks(rig, before), "NAK for skipped bytes", "none", _NOISE)
    before = len(rig.line.heard)
    rig.line.send_raw(_NOISE)
    session.pump(QUIET_S)
    require(not _naks(rig, before), "no NAK again within 0.25 s", _naks(rig, before), _NOISE)
    session.pump(RETRY_S)
    for what, arrives in (("0.25 s later", False), ("after DATA that was expected", True)):
        if arrives:
            rig.meters(session)
        before = len(rig.line.heard)
        rig.line.send_raw(_NOISE)
        session.pump(QUIET_S, lambda: bool(_naks(rig, before)))  # noqa: B023  called within this turn
        require(_naks(rig, before), f"NAK again for skipped bytes {what}", "none", _NOISE)


@CHECKS.check(_SECTION, "NAK for a gap: a number beyond the one expected by less than the window, and no other")
def complains_of_each_gap(rig: TdpRig) -> None:
    """One frame beyond the one expected gets NAK if by less than the window, and none if by the window."""
    session = rig.ready()
    for _ in range(_HALVES):
        rig.meters(session)
    for ahead in range(1, session.terms.window + 1):
        session.pump(RETRY_S + QUIET_S)
        before = len(rig.line.heard)
        session.send_frame(FrameKind.DATA, (session.next + ahead) % SEQUENCES, b"\x00")
        session.pump(QUIET_S)
        numbers = [frame.acknowledgement for frame in _naks(rig, before)]
        expected = [session.next] if ahead < session.terms.window else []
        require(numbers == expected, f"NAK {expected} for a frame {ahead} beyond the one expected", numbers or "none")


@CHECKS.check(_SECTION, "the numbers of DATA: 0 after 255, at both ends")
def numbers_go_round(rig: TdpRig) -> None:
    """After DATA 255 comes DATA 0, in both directions."""
    session = rig.ready(rig.terms(payload_max=16))
    sent = 0
    while sent <= SEQUENCES or len(session.data) <= SEQUENCES:
        command = ReadMeters(rig.new_id(session))
        data = session.sealed(encode_message(command))
        for at in range(0, len(data), _PIECE_BYTES):
            session.send_raw(data[at : at + _PIECE_BYTES])
            session.pump(ANSWER_S, lambda: session.idle)
            sent += 1
        session.wait_for_reply(command)


@CHECKS.check(_SECTION, _RECEIVER)
def beyond_the_window_dropped(rig: TdpRig) -> None:
    """A DATA frame as far ahead as the window is neither taken nor acknowledged."""
    session = rig.ready()
    command = ReadMeters(rig.new_id(session))
    window = session.terms.window
    data = session.sealed(encode_message(command))
    frames = _kept_back(session, *(data[at : at + 1] for at in range(window - 1)), data[window - 1 :])
    session.send_frame(FrameKind.DATA, session.next, b"\x00")
    session.pump(QUIET_S)
    for frame in frames:
        rig.line.send(frame)
    _acknowledged(rig, session, session.next, "the frames that were expected")
    session.wait_for_reply(command)
    beyond = [heard.frame for heard in session.data if heard.frame.acknowledgement == (session.next + 1) % SEQUENCES]
    require(not beyond, f"no acknowledgement of {session.next}, which came too early", beyond)


@CHECKS.check(_SECTION, "an acknowledgement outside what is under way: it is old, and must not move anything")
def acknowledgement_of_what_was_not_sent(rig: TdpRig) -> None:
    """An acknowledgement of what was not sent is ignored: what is under way is sent again all the same."""
    session = rig.open(rig.terms(payload_max=16))
    session.filter = acknowledging(0)
    window = session.terms.window
    session.pump(ANSWER_S, lambda: len({heard.frame.sequence for heard in session.data}) >= window)
    require(session.data, "DATA in a new session", "none")
    for number in (window + 1, 2 * window, _BEYOND, SEQUENCES // 2, SEQUENCES - 1):
        session.filter = acknowledging(number)
        before = _copies(session, 0)
        session.send_frame(FrameKind.ACK, acknowledgement=number)
        session.pump(RETRY_S + 2 * SLACK_S, lambda: _copies(session, 0) > before)  # noqa: B023  called within this turn
        again = _copies(session, 0) > before
        require(again, "DATA 0 sent again", f"taken for arrived, by an acknowledgement of {number}")
        beyond = [heard.frame.sequence for heard in session.data if heard.frame.sequence >= window]
        require(not beyond, f"frames 0 to {window - 1} and no other", beyond)
    _release(session)
    rig.greeted(session)


@CHECKS.check(_SECTION, _TIMER)
def sends_again(rig: TdpRig) -> None:
    """A frame that is not acknowledged is sent again every 0.25 s, the same, and the first time after 0.25 s too."""
    session, copies = _withheld(rig, 5)
    gaps = [after.at_s - before.at_s for before, after in itertools.pairwise(copies)]
    seen = ", ".join(f"{gap:.2f}" for gap in gaps)
    near = all(RETRY_S / 2 <= gap <= RETRY_S + SLACK_S for gap in gaps)
    usual = sorted(gaps)[len(gaps) // 2]
    require(near and usual <= RETRY_S * 3 / 2, "again every 0.25 s", f"{seen} s")
    _release(session)
    rig.greeted(session)
    rig.drained(session)
    session.pump(2 * RETRY_S)  # nothing is under way
    number, begun_s = session.expected, rig.bench.now_s()
    session.filter = acknowledging(number)
    session.pump(EVENT_S, lambda: len(_sent_s(session, number, begun_s)) > 1)
    _release(session)
    sent_s = _sent_s(session, number, begun_s)
    require(len(sent_s) > 1, f"DATA {number} twice", len(sent_s))
    gap_s = sent_s[1] - sent_s[0]
    require(gap_s >= RETRY_S / 2, "the first frame under way again after 0.25 s", f"after {gap_s:.2f} s")


@CHECKS.check(_SECTION, "RETRY_S: counted from the latest acknowledgement of something new too")
def waits_after_an_acknowledgement(rig: TdpRig) -> None:
    """A new acknowledgement begins the 0.25 s again for the frames that are still under way."""
    session = rig.open(rig.terms(payload_max=16))
    session.filter = acknowledging(0)
    session.pump(ANSWER_S, lambda: bool(session.data))
    session.pump(RETRY_S * 3 / 4)
    begun_s = rig.bench.now_s()
    session.filter = acknowledging(1)
    session.send_frame(FrameKind.ACK, acknowledgement=1)
    if session.terms.window > 1:
        session.pump(RETRY_S + SLACK_S, lambda: bool(_sent_s(session, 1, begun_s)))
        took_s = [at_s - begun_s for at_s in _sent_s(session, 1, begun_s)]
        require(took_s, "DATA 1 again", "none")
        require(
            took_s[0] > RETRY_S - SETTLE_S, "DATA 1 again 0.25 s after DATA 0 was acknowledged", f"{took_s[0]:.2f} s"
        )
    _release(session)
    rig.greeted(session)


@CHECKS.check(_SECTION, "GIVE_UP_S: a host that lives and does not acknowledge is no host")
def gives_up(rig: TdpRig) -> None:
    """After 3 s without an acknowledgement the session is lost, though frames of the other end arrive."""
    session = rig.open()
    session.filter = acknowledging(0)
    session.pump(GIVE_UP_S + 2 * SLACK_S)
    if session.ended is None:
        unmet("RESET 5 after 3 s", f"none after {GIVE_UP_S + 2 * SLACK_S:.1f} s")
    require(session.ended == ResetReason.LOST, "RESET 5", f"RESET {session.ended}")
    took_s = rig.bench.now_s() - session.data[0].at_s
    require(took_s > GIVE_UP_S - SLACK_S, "RESET 5 after 3 s", f"after {took_s:.2f} s")
    late = [frame for frame in rig.line.all_for(NOTHING_S) if frame.session == session.number]
    require(not late, "nothing behind RESET", late)


@CHECKS.check(_SECTION, "GIVE_UP_S: counted from the last acknowledgement of something new")
def slow_acknowledgements_keep_the_session(rig: TdpRig) -> None:
    """As long as something new is acknowledged within 3 s, the session stands, though frames are always under way."""
    session = rig.open(rig.terms(window=2, payload_max=16))
    end_s = rig.bench.now_s() + GIVE_UP_S + 2 * SLACK_S
    number = 0
    while rig.bench.now_s() < end_s:
        session.filter = acknowledging(number)
        rig.line.send(Frame(FrameKind.ACK, session.number, acknowledgement=number))
        session.pump(_SLOW_S)
        require(session.ended is None, "a session that stands", f"RESET {session.ended} behind DATA {number}")
        number += 1
    _release(session)
    rig.greeted(session)


@CHECKS.check(_SECTION, "the count of frames under way against the window of ACCEPT")
def window_respected(rig: TdpRig) -> None:
    """At most so many frames as the window says are under way, for each window from 1 to 4."""
    for window in (1, 2, 3, 4):
        session = rig.open(rig.terms(window=window, payload_max=16))
        agreed = session.terms.window
        session.filter = acknowledging(0)
        session.pump(NOTHING_S)
        numbers = sorted({heard.frame.sequence for heard in session.data})
        require(numbers, "DATA in a new session", "none")
        require(numbers == list(range(agreed)), f"frames 0 to {agreed - 1}, since Hello needs ten", numbers)
        _release(session)
        rig.greeted(session)
        rig.hang_up()
        rig.line.all_for(QUIET_S)


@CHECKS.check(_SECTION, "the cutting of the stream: no frame longer than the payload of ACCEPT")
def payload_respected(rig: TdpRig) -> None:
    """No DATA frame has more payload than was agreed; with 16 bytes and a window of 1 everything still works."""
    session = rig.open(rig.terms(window=1, payload_max=16))
    rig.greeted(session)
    rig.drained(session)
    rig.meters(session)
    longest = max(session.data, key=lambda heard: len(heard.frame.payload)).frame
    agreed = session.terms.payload_max
    require(len(longest.payload) <= agreed, f"at most {agreed} bytes", f"{len(longest.payload)}", encode_frame(longest))


@CHECKS.check(_SECTION, "NAK: all that is under way goes out again without waiting")
def goes_back_at_nak(rig: TdpRig) -> None:
    """A NAK makes the device send all that it does not acknowledge again at once."""
    session = rig.open(rig.terms(window=4, payload_max=16))
    session.filter = acknowledging(0)
    window = session.terms.window
    session.pump(ANSWER_S, lambda: len({heard.frame.sequence for heard in session.data}) >= window)
    require(len(session.data) >= window, f"{window} frames of Hello", len(session.data))
    first = min(1, window - 1)  # in a window of 1 there is none but 0
    session.filter = acknowledging(first)
    before = len(session.data)
    session.send_frame(FrameKind.NAK, acknowledgement=first)
    session.pump(ANSWER_S, lambda: _copies(session, window - 1) > 1)
    again = session.data[before:]
    numbers = [heard.frame.sequence for heard in again]
    expected = list(range(first, window))
    require(numbers[: len(expected)] == expected, f"DATA {first} to {window - 1} again, and none before", numbers)
    took_s = again[0].at_s - session.data[0].at_s
    require(took_s < RETRY_S, "at once", f"after {took_s:.2f} s, as if only its time had passed")
    _release(session)
    rig.greeted(session)


@CHECKS.check(_SECTION, "ALIVE_AFTER_S: also when the application has nothing to say")
def sends_keep_alive(rig: TdpRig) -> None:
    """An end that has sent nothing for 0.4 s sends ACK, and not one behind the other."""
    session = rig.ready()
    rig.wait_for_silence(session)
    session.pump(ANSWER_S, lambda: session.idle)
    before = len(rig.line.heard)
    begun_s = rig.bench.now_s()
    session.pump(_WATCH_S)
    times = [begun_s, *(heard.at_s for heard in rig.line.heard[before:]), rig.bench.now_s()]
    longest_s = max(after - before for before, after in itertools.pairwise(times))
    require(longest_s <= ALIVE_AFTER_S + SLACK_S, "a frame every 0.4 s", f"{longest_s:.2f} s of silence")
    alive = [heard for heard in rig.line.heard[before:] if heard.frame.kind is FrameKind.ACK]
    require(alive, "ACK while there is nothing to say", "none")
    most = _WATCH_S / ACK_WITHIN_S
    require(len(alive) <= most, f"{most:.0f} ACK at most in {_WATCH_S:g} s with nothing to say", len(alive))


@CHECKS.check(_SECTION, "both directions of the stream over a line that loses frames")
def over_a_lossy_line(rig: TdpRig) -> None:
    """If one frame in four is lost in each direction, every message still arrives, once and in order."""
    short = rig.setup.context is None  # a handshake of TLS in so small pieces would take minutes
    session = rig.open(rig.terms(payload_max=32 if short else 224))

    def arrives() -> bool:
        return rig.bench.rng.randrange(_ONE_IN) > 0

    session.filter = lambda frame: encode_frame(frame) if arrives() else b""
    session.hears = lambda _frame: arrives()
    rig.greeted(session, _LOSSY_S)
    session.pump(NOTHING_S)
    for _ in range(3):
        command = ReadMeters(rig.new_id(session))
        answer = session.do(command, 4 * COMMAND_S)
        require(isinstance(answer, Done | Refused), "an answer", answer)
        require(len(_answers(session, command.id)) == 1, "one answer", _answers(session, command.id))
    session.filter = encode_frame
    session.hears = lambda _frame: True


def _kept_back(session: HostSession, *pieces: bytes) -> list[Frame]:
    session.filter = by_hand = ByHand()
    for piece in pieces:
        session.send_raw(piece)
    return by_hand.frames


def _after(frame: Frame) -> int:
    return (frame.sequence + 1) % SEQUENCES


def _complained_after_s(rig: TdpRig, times: LineTimes, noise: bytes, what: str) -> float:
    session = rig.ready()
    session.pump(RETRY_S, lambda: session.idle)
    before = len(rig.line.heard)

    def complaints() -> list[ReceivedFrame]:
        return [one for one in rig.line.heard[before:] if one.frame.kind is FrameKind.NAK]

    begun_s = rig.bench.now_s()
    rig.line.send_raw(noise)
    session.pump(ANSWER_S, lambda: bool(complaints()))
    require(complaints(), f"NAK for {what}", "none", noise)
    took_s = complaints()[0].at_s - begun_s - times.byte_s * (len(noise) + _BARE_BYTES)
    rig.line.send_raw(DELIMITER)
    rig.hang_up()
    return took_s


def _in_time(took: list[float], allowed_s: float, what: str) -> None:
    # The median: a machine that is busy may be late once.
    median_s = sorted(took)[len(took) // 2]
    seen = ", ".join(f"{one * 1000:.0f}" for one in took)
    require(median_s <= allowed_s, f"{what}, {allowed_s * 1000:.0f} ms with tolerance", f"{seen} ms")


def _acknowledged(rig: TdpRig, session: HostSession, expected: int, what: str) -> None:
    before = len(rig.line.heard)

    def there() -> bool:
        return any(_of(session, heard) and heard.frame.acknowledgement == expected for heard in rig.line.heard[before:])

    session.pump(ANSWER_S, there)
    came = [heard.frame for heard in rig.line.heard[before:] if _of(session, heard)]
    numbers = sorted({frame.acknowledgement for frame in came})
    require(there(), f"an acknowledgement of {expected}, for {what}", f"{numbers}" if numbers else "no frame")


def _complained(rig: TdpRig, session: HostSession, before: int, expected: int, what: str) -> None:
    # See that what was heard since has one NAK, for the number expected.
    def complaints() -> list[int]:
        heard = [one.frame for one in rig.line.heard[before:] if _of(session, one)]
        return [frame.acknowledgement for frame in heard if frame.kind is FrameKind.NAK]

    session.pump(ANSWER_S, lambda: bool(complaints()))
    session.pump(QUIET_S)
    require(complaints() == [expected], f"one NAK {expected} for {what}", complaints() or "no NAK")


def _naks(rig: TdpRig, before: int) -> list[Frame]:
    return [heard.frame for heard in rig.line.heard[before:] if heard.frame.kind is FrameKind.NAK]


def _of(session: HostSession, heard: ReceivedFrame) -> bool:
    return heard.frame.session == session.number


def _answers(session: HostSession, command_id: int) -> list[Done | Refused]:
    return [
        taken.message
        for taken in session.log
        if isinstance(taken.message, Done | Refused) and taken.message.id == command_id
    ]


def _copies(session: HostSession, number: int) -> int:
    return sum(heard.frame.sequence == number for heard in session.data)


def _withheld(rig: TdpRig, count: int) -> tuple[HostSession, list[ReceivedFrame]]:
    session = rig.open()
    session.filter = acknowledging(0)
    session.pump(count * (RETRY_S + SLACK_S), lambda: _copies(session, 0) >= count)
    copies = [heard for heard in session.data if heard.frame.sequence == 0]
    require(len(copies) >= count, f"DATA 0 sent {count} times", f"{len(copies)} times")
    different = [heard.frame for heard in copies if heard.frame.payload != copies[0].frame.payload]
    require(not different, "the same payload under the same number", different, copies[0].frame.payload)
    return session, copies


def _sent_s(session: HostSession, number: int, after_s: float) -> list[float]:
    return [heard.at_s for heard in session.data if heard.frame.sequence == number and heard.at_s > after_s]


def _release(session: HostSession) -> None:
    session.filter = encode_frame
    session.send_frame(FrameKind.ACK)
