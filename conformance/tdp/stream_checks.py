"""Section 6: numbers, acknowledgements, what is held, what is sent again and when."""

import itertools
from typing import Final

from conformance.check import Checks
from conformance.tdp.limits import ANSWER_S, COMMAND_S, NOTHING_S, QUIET_S, SLACK_S
from conformance.tdp.line import Heard
from conformance.tdp.rig import TdpRig
from conformance.tdp.session import Session
from conformance.verdict import require, unmet
from protocols.tdp.codec import encode_message
from protocols.tdp.commands import ReadMeters
from protocols.tdp.framing import SEQUENCES, Kind, encode_frame
from protocols.tdp.handshake import ResetReason
from protocols.tdp.messages import Done, Refused
from protocols.tdp.timing import ALIVE_AFTER_S, TIMEOUT_INITIAL_S, TIMEOUT_MAX_S, TRIES_MAX

CHECKS: Final[Checks[TdpRig]] = Checks("stream")

_SECTION: Final = "6. The stream"
_RECEIVER: Final = "the receiver: what it holds, what it drops, and that it answers both"
_TIMER: Final = "the timer of the oldest frame under way, and the doubling of its timeout"
_WATCH_S: Final = 3.0
_LOSSY_S: Final = 60.0
"""For what a good line does in a moment: each loss costs a timeout, and these double."""
_BEYOND: Final = 1000


@CHECKS.check(
    _SECTION, "the answer to DATA: from the thread or interrupt that reads, never from behind the application"
)
def acknowledges_at_once(rig: TdpRig) -> None:
    """Each batch of bytes that held DATA is answered at once by a frame that acknowledges it."""
    session = rig.ready()
    _by_hand(session)
    data = session.sealed(encode_message(ReadMeters(rig.new_id(session))))
    begun_s = rig.bench.now_s()
    _data(session, session.next, data)
    expected = (session.next + 1) % SEQUENCES
    _acknowledged(rig, session, expected, "the DATA just sent")
    took_s = rig.bench.now_s() - begun_s
    if took_s > SLACK_S:
        rig.bench.observe(f"the acknowledgement took {took_s:.2f} s")


@CHECKS.check(_SECTION, _RECEIVER)
def duplicate_answered_and_dropped(rig: TdpRig) -> None:
    """A DATA frame that comes again is acknowledged again, and its bytes are delivered once."""
    session = rig.ready()
    command = ReadMeters(rig.new_id(session))
    _by_hand(session)
    data = session.sealed(encode_message(command))
    number = session.next
    for _ in range(3):
        _data(session, number, data)
        _acknowledged(rig, session, (number + 1) % SEQUENCES, "the same DATA again")
    session.next = (number + 1) % SEQUENCES
    session.pump(NOTHING_S)
    answers = _answers(session, command.id)
    require(len(answers) == 1, "one answer to a command that was sent once", answers)


@CHECKS.check(_SECTION, _RECEIVER)
def out_of_order_held(rig: TdpRig) -> None:
    """Frames beyond the one expected are held and reported by bits in ACK, and delivered once the gap is filled."""
    session = rig.ready()
    require(session.terms.window == rig.terms().window, "a window of 4 to try it with", session.terms)
    command = ReadMeters(rig.new_id(session))
    _by_hand(session)
    data = session.sealed(encode_message(command))
    first, number = data[:1], session.next
    pieces = [first, data[1:2], data[2:3], data[3:]]
    for ahead in (2, 1, 3):
        _data(session, number + ahead, pieces[ahead])
        bits = {2: 0b010, 1: 0b011, 3: 0b111}[ahead]
        _reported(rig, session, number, bits)
    _data(session, number, pieces[0])
    session.next = (number + 4) % SEQUENCES
    _acknowledged(rig, session, session.next, "all four frames, since three of them were held")
    session.answer(command)


@CHECKS.check(_SECTION, _RECEIVER)
def beyond_the_window_dropped(rig: TdpRig) -> None:
    """A DATA frame as far ahead as the window is neither held nor acknowledged."""
    session = rig.ready()
    command = ReadMeters(rig.new_id(session))
    _by_hand(session)
    number, window = session.next, session.terms.window
    data = session.sealed(encode_message(command))
    _data(session, number + window, b"\x00")
    session.pump(QUIET_S)
    pieces = [*(data[at : at + 1] for at in range(window - 1)), data[window - 1 :]]
    for at, piece in enumerate(pieces):
        _data(session, number + at, piece)
    session.next = (number + window) % SEQUENCES
    _acknowledged(rig, session, session.next, "the frames that were expected")
    session.answer(command)
    beyond = [heard.frame for heard in session.data if heard.frame.acknowledgement == session.next + 1]
    require(not beyond, f"no acknowledgement of {session.next}, which came too early to be held", beyond)


@CHECKS.check(_SECTION, "an acknowledgement outside what is under way: it is old, and must not move anything")
def acknowledgement_of_what_was_not_sent(rig: TdpRig) -> None:
    """An acknowledgement of what was not sent is ignored: what is under way is sent again all the same."""
    session = rig.open()
    session.acknowledges = False
    session.frozen = _BEYOND
    session.pump(ANSWER_S, lambda: bool(session.data))
    require(session.data, "DATA in a new session", "none")
    first = session.data[0].frame
    session.pump(TIMEOUT_INITIAL_S + 2 * SLACK_S, lambda: _copies(session, first.sequence) > 1)
    require(_copies(session, first.sequence) > 1, "DATA 0 sent again", "it was sent once and then taken for arrived")
    _release(session)
    rig.greeted(session)


@CHECKS.check(_SECTION, _TIMER)
def sends_again_and_doubles(rig: TdpRig) -> None:
    """What is not acknowledged is sent again after 0.5 s, the same; the timeout then doubles up to 2 s."""
    session, copies = _withheld(rig, 5)
    gaps = [after.at_s - before.at_s for before, after in itertools.pairwise(copies)]
    seen = ", ".join(f"{gap:.2f}" for gap in gaps)
    require(TIMEOUT_INITIAL_S / 2 <= gaps[0] <= TIMEOUT_INITIAL_S + SLACK_S, "first again after 0.5 s", f"{seen} s")
    for before, after in itertools.pairwise(gaps):
        wanted = min(2 * before, TIMEOUT_MAX_S)
        near = wanted - SLACK_S <= after <= min(wanted + SLACK_S, TIMEOUT_MAX_S + SLACK_S)
        require(near, f"a timeout of {wanted:.2f} s after one of {before:.2f} s", f"{seen} s")
    _release(session)
    rig.greeted(session)


@CHECKS.check(_SECTION, "TRIES_MAX: a host that lives and does not acknowledge is no host")
def gives_up(rig: TdpRig) -> None:
    """After 12 transmissions of one frame the session is lost, though the other end is heard."""
    begun_s = rig.bench.now_s()
    session = rig.open()
    session.acknowledges = False
    session.frozen = 0
    longest_s = TRIES_MAX * (TIMEOUT_MAX_S + SLACK_S)
    session.pump(longest_s)
    if session.ended is None:
        unmet("RESET 5 after 12 transmissions", f"none after {longest_s:.0f} s")
    require(session.ended == ResetReason.LOST, "RESET 5", f"RESET {session.ended}")
    first = session.data[0].frame
    count = _copies(session, first.sequence)
    require(count == TRIES_MAX, f"{TRIES_MAX} transmissions", f"{count} in {rig.bench.now_s() - begun_s:.1f} s")


@CHECKS.check(_SECTION, "the count of frames under way against the window of ACCEPT")
def window_respected(rig: TdpRig) -> None:
    """At most so many frames as the window says are under way, for each window from 1 to 4."""
    for window in (1, 2, 3, 4):
        session = rig.open(rig.terms(window=window, payload_max=16))
        agreed = session.terms.window
        session.acknowledges = False
        session.frozen = 0
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


@CHECKS.check(_SECTION, "reports of a gap: two ACK with bits, and the oldest goes out again without waiting")
def gap_reported_twice(rig: TdpRig) -> None:
    """Two ACK with bits set make the device send the oldest frame again at once; those held are not sent again."""
    session = rig.open(rig.terms(window=4, payload_max=16))
    session.acknowledges = False
    session.frozen = 0
    window = session.terms.window
    session.pump(ANSWER_S, lambda: len({heard.frame.sequence for heard in session.data}) >= window)
    require(len(session.data) >= window, f"{window} frames of Hello", len(session.data))
    bits = (1 << window - 1) - 1
    sent_s = rig.bench.now_s()
    for _ in range(2):
        session.send_frame(Kind.ACK, bits)
    session.pump(ANSWER_S, lambda: _copies(session, 0) > 1)
    took_s = rig.bench.now_s() - sent_s
    require(_copies(session, 0) > 1, "DATA 0 sent again", f"it was not, within {ANSWER_S:g} s")
    soon = sent_s - session.data[0].at_s + took_s < TIMEOUT_INITIAL_S - QUIET_S
    require(soon, "DATA 0 at once", f"after {took_s:.2f} s, as if only its timeout had passed")
    session.send_frame(Kind.ACK, bits)
    session.pump(TIMEOUT_INITIAL_S)
    again = [number for number in range(1, window) if _copies(session, number) > 1]
    require(not again, "frames that are held are not sent again", f"{again} came again")
    _release(session)
    rig.greeted(session)


@CHECKS.check(_SECTION, "ALIVE_AFTER_S: also when the application has nothing to say")
def says_that_it_is_there(rig: TdpRig) -> None:
    """An end that has sent nothing for 0.4 s sends ALIVE."""
    session = rig.ready()
    session.pump(ANSWER_S, lambda: session.idle)
    before = len(rig.line.heard)
    begun_s = rig.bench.now_s()
    session.pump(_WATCH_S)
    times = [begun_s, *(heard.at_s for heard in rig.line.heard[before:]), rig.bench.now_s()]
    longest_s = max(after - before for before, after in itertools.pairwise(times))
    require(longest_s <= ALIVE_AFTER_S + SLACK_S, "a frame every 0.4 s", f"{longest_s:.2f} s of silence")
    alive = [heard for heard in rig.line.heard[before:] if heard.frame.kind is Kind.ALIVE]
    require(alive, "ALIVE while there is nothing to say", "none")


@CHECKS.check(_SECTION, "both directions of the stream over a line that loses frames")
def over_a_lossy_line(rig: TdpRig) -> None:
    """If one frame in four is lost in each direction, every message still arrives, once and in order."""
    short = rig.setup.context is None  # a handshake of TLS in so small pieces would take minutes
    session = rig.open(rig.terms(payload_max=32 if short else 224))
    session.loses(rig.bench.rng, 4)
    rig.greeted(session, _LOSSY_S)
    session.pump(NOTHING_S)
    for _ in range(3):
        command = ReadMeters(rig.new_id(session))
        answer = session.do(command, 4 * COMMAND_S)
        require(isinstance(answer, Done | Refused), "an answer", answer)
        require(len(_answers(session, command.id)) == 1, "one answer", _answers(session, command.id))
    session.loses(rig.bench.rng, 0)


def _by_hand(session: Session) -> None:
    """From here on this host sends ``DATA`` only where a check says so."""
    session.resends = False


def _data(session: Session, number: int, payload: bytes) -> None:
    session.send_frame(Kind.DATA, number % SEQUENCES, payload)


def _acknowledged(rig: TdpRig, session: Session, expected: int, what: str) -> None:
    before = len(rig.line.heard)

    def there() -> bool:
        return any(_of(session, heard) and heard.frame.acknowledgement == expected for heard in rig.line.heard[before:])

    session.pump(ANSWER_S, there)
    came = [heard.frame for heard in rig.line.heard[before:] if _of(session, heard)]
    numbers = sorted({frame.acknowledgement for frame in came})
    require(there(), f"an acknowledgement of {expected}, for {what}", f"{numbers}" if numbers else "no frame")


def _reported(rig: TdpRig, session: Session, expected: int, bits: int) -> None:
    before = len(rig.line.heard)

    def there() -> bool:
        return any(
            heard.frame.kind is Kind.ACK and heard.frame.acknowledgement == expected and heard.frame.sequence == bits
            for heard in rig.line.heard[before:]
            if _of(session, heard)
        )

    session.pump(ANSWER_S, there)
    came = [
        f"ACK {heard.frame.acknowledgement} with bits {heard.frame.sequence:03b}"
        for heard in rig.line.heard[before:]
        if _of(session, heard) and heard.frame.kind is Kind.ACK
    ]
    require(there(), f"ACK {expected} with bits {bits:03b}", came or "no ACK")


def _of(session: Session, heard: Heard) -> bool:
    return heard.frame.session == session.number


def _answers(session: Session, command_id: int) -> list[Done | Refused]:
    return [
        taken.message
        for taken in session.log
        if isinstance(taken.message, Done | Refused) and taken.message.id == command_id
    ]


def _copies(session: Session, number: int) -> int:
    return sum(heard.frame.sequence == number for heard in session.data)


def _withheld(rig: TdpRig, count: int) -> tuple[Session, list[Heard]]:
    """Open a session and acknowledge nothing until the first ``DATA`` has come ``count`` times."""
    session = rig.open()
    session.acknowledges = False
    session.frozen = 0
    session.pump(count * (TIMEOUT_MAX_S + SLACK_S), lambda: _copies(session, 0) >= count)
    copies = [heard for heard in session.data if heard.frame.sequence == 0]
    require(len(copies) >= count, f"DATA 0 sent {count} times", f"{len(copies)} times")
    different = [heard.frame for heard in copies if heard.frame.payload != copies[0].frame.payload]
    require(not different, "the same payload under the same number", different, copies[0].frame.payload)
    return session, copies


def _release(session: Session) -> None:
    """Be a good host again."""
    session.frozen = None
    session.acknowledges = True
    session.send_frame(Kind.ACK, session.early)
