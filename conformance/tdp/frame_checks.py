"""Section 3: frames are found in any bytes, and damage is skipped.

The damaged frame is a ``RESET``; a command then shows that the session is alive.
"""

from typing import Final

from conformance.check import Checks
from conformance.check_result import RequirementFailed, require
from conformance.tdp.damage import crc32c, header, on_the_line
from conformance.tdp.limits import ANSWER_S
from conformance.tdp.line import BITS
from conformance.tdp.rig import HALF, TdpRig
from conformance.tdp.session import ByHand, HostSession
from protocols.tdp.commands import ReadMeters
from protocols.tdp.framing import DELIMITER, ENCODED_MAX, PAYLOAD_MAX, Frame, FrameKind, encode_frame

CHECKS: Final[Checks[TdpRig]] = Checks("frames")

_SECTION: Final = "3. Frames"
_READER: Final = "the reader of frames: it must test in the order of the page and be in step again at the next 00"
_HISS_BYTES: Final = 5000
_HISSES: Final = 10
_HISS_S: Final = 0.9
_WATCH_S: Final = 0.8
CLOSED: Final = b"\x02\x01\x01"


@CHECKS.check(_SECTION, "the length of the run between two delimiters")
def length_skipped(rig: TdpRig) -> None:
    """A frame with more than 235 bytes is skipped; the next one is read."""
    session = rig.ready()
    for length in (PAYLOAD_MAX + 1, 300):
        payload = CLOSED + b"\x55" * (length - len(CLOSED))
        _skipped(
            rig, session, f"{length} bytes of payload", on_the_line(header(FrameKind.RESET, session.number, payload))
        )
    payload = CLOSED + b"\x55" * (PAYLOAD_MAX - len(CLOSED))
    longest = on_the_line(header(FrameKind.RESET, session.number, payload))
    for behind in (1, 20):
        more = longest[:-1] + b"\x55" * behind + DELIMITER
        _skipped(rig, session, f"the longest frame and {behind} bytes before the delimiter", more)
    close = on_the_line(header(FrameKind.RESET, session.number, CLOSED))
    frame, command = _asking(rig, session)
    rig.line.send_raw(DELIMITER + b"\x55" * (ENCODED_MAX + 1))
    rig.line.send_raw(close.removeprefix(DELIMITER) + frame)
    _answered(session, command, "the sound frame behind 236 bytes and a frame in the same run", close)


@CHECKS.check(_SECTION, "the decoder of COBS: a run that would reach beyond the frame is noise")
def noise_skipped(rig: TdpRig) -> None:
    """Bytes between delimiters that are not COBS are skipped; the next frame is read."""
    session = rig.ready()
    whole = on_the_line(header(FrameKind.RESET, session.number, CLOSED)).strip(DELIMITER)
    _skipped(
        rig, session, "a run longer than what is there", DELIMITER + bytes([whole[0] + 40]) + whole[1:] + DELIMITER
    )
    last = 0
    while last + whole[last] < len(whole):
        last += whole[last]
    longer = whole[:last] + bytes([whole[last] + 1]) + whole[last + 1 :]
    _skipped(rig, session, "a last run longer by one than what is there", DELIMITER + longer + DELIMITER)
    _skipped(rig, session, "bytes by chance", DELIMITER + _without_zero(rig, 60) + DELIMITER)
    _skipped(rig, session, "a run alone", b"\x00\xef\x00")


@CHECKS.check(_SECTION, "the shortest frame has 10 bytes; what is shorter is no frame, whatever its check says")
def truncated_skipped(rig: TdpRig) -> None:
    """A frame of fewer than 10 bytes is skipped, even with a check that is right; the next one is read."""
    session = rig.ready()
    whole = header(FrameKind.RESET, session.number, CLOSED)
    for count in (0, 1, 3, 5):
        _skipped(rig, session, f"{count} bytes and a right check", on_the_line(whole[:count]))
    other = header(FrameKind.ACK, session.number ^ HALF)[:5]
    _skipped(rig, session, "9 bytes of an ACK of an unknown session", on_the_line(other))
    frame = on_the_line(whole)
    _skipped(rig, session, "the first half of a frame", frame[: len(frame) // 2] + DELIMITER)


@CHECKS.check(
    _SECTION, "the check: it must be computed over all bytes before it, and compared before any field is used"
)
def bcc_skipped(rig: TdpRig) -> None:
    """A frame with another check is skipped, wherever a bit was changed; the next one is read."""
    session = rig.ready()
    covered = header(FrameKind.RESET, session.number, CLOSED)
    right = crc32c(covered)
    _skipped(rig, session, "a bit of the check changed", on_the_line(covered, check=right ^ 1))
    _skipped(rig, session, "the check's bytes the other way round", on_the_line(covered, check=_reversed(right)))
    _skipped(rig, session, "a check of zero", on_the_line(covered, check=0))
    last = len(covered) - 1
    changed = covered[:last] + bytes([covered[last] ^ 0x10])
    _skipped(rig, session, "the last byte before the check changed", on_the_line(changed, check=right))
    # What is a RESET of this session by one byte that was changed on its way from another kind, or another session.
    for place in (1, 3):
        sent = covered[:place] + bytes([covered[place] ^ 0x10]) + covered[place + 1 :]
        _skipped(rig, session, f"byte {place} changed", on_the_line(covered, check=crc32c(sent)))


@CHECKS.check(_SECTION, "version and kind: what is not known is skipped, however sound it is")
def type_skipped(rig: TdpRig) -> None:
    """A sound frame of another version or an unknown kind is skipped; the next one is read."""
    session = rig.ready()
    for version in (0, 2):
        damaged = on_the_line(header(FrameKind.RESET, session.number, CLOSED, version=version))
        _skipped(rig, session, f"version {version}", damaged)
    for kind in (0, 7, 255):
        _skipped(rig, session, f"kind {kind}", on_the_line(header(kind, session.number, CLOSED)))


@CHECKS.check(_SECTION, "the reader must keep what came until the next 00, however few bytes come at a time")
def byte_by_byte(rig: TdpRig) -> None:
    """A frame that comes byte by byte is read."""
    session = rig.ready()
    frame, command = _asking(rig, session)
    for byte in frame:
        rig.line.send_raw(bytes([byte]))
    _answered(session, command, "a frame sent byte by byte")


@CHECKS.check(_SECTION, "the delimiter before a frame ends whatever noise came before it")
def noise_before_a_frame(rig: TdpRig) -> None:
    """Noise directly before a frame and after it does not damage it."""
    session = rig.ready()
    for length in (1, 17, 239):
        frame, command = _asking(rig, session)
        rig.line.send_raw(_without_zero(rig, length) + frame + _without_zero(rig, length))
        _answered(session, command, f"a frame between {length} bytes of noise")
        rig.line.send_raw(DELIMITER)


@CHECKS.check(_SECTION, "an overlong run: it must be thrown away up to the next 00, and the buffer must not overflow")
def long_hiss(rig: TdpRig) -> None:
    """Thousands of bytes without a delimiter are skipped, as many as the line carries, and the next frame is read."""
    session = rig.ready()
    frame, command = _asking(rig, session)
    # A session is lost after 1.5 s without a frame, so the hiss may not last longer.
    count = min(_HISS_BYTES, int(_HISS_S * rig.setup.baud / BITS))
    for _ in range(_HISSES):
        rig.line.send_raw(_without_zero(rig, count // _HISSES))
    rig.line.send_raw(frame)
    rig.bench.observe(f"{count} bytes of noise")
    session.pump(count * BITS / rig.setup.baud)
    _answered(session, command, f"a frame after {count} bytes of noise")


@CHECKS.check(_SECTION, "empty runs between delimiters mean nothing; one delimiter may serve two frames")
def delimiters_between_frames(rig: TdpRig) -> None:
    """Any number of delimiters between frames, one included, is right."""
    session = rig.ready()
    for gap in (1, 2, 7):
        frame, command = _asking(rig, session)
        before = encode_frame(Frame(FrameKind.ACK, session.number, 0, session.expected)).strip(DELIMITER)
        rig.line.send_raw(DELIMITER + before + DELIMITER * gap + frame.strip(DELIMITER) + DELIMITER)
        _answered(session, command, f"a frame that follows another after {gap} delimiters")


@CHECKS.check(_SECTION, "the sender: 00 before and after every frame, nothing else between frames, no field left over")
def its_own_frames(rig: TdpRig) -> None:
    """The device sends frames and nothing else, each with 00 before and after it."""
    session = rig.ready()
    rig.meters(session)
    session.pump(_WATCH_S)
    rig.line.send(Frame(FrameKind.ACK, session.number ^ 1))  # of no session: its RESET is a frame too
    session.pump(_WATCH_S)
    raw = bytes(rig.line.raw)
    require(not rig.line.garbage, "frames and nothing else", rig.line.garbage[:1], raw[:ENCODED_MAX])
    require(raw.startswith(DELIMITER), "00 before the first frame", raw[:8].hex(" "), raw[:ENCODED_MAX])
    # Between two frames stand two delimiters: the one after the first and the one before the second.
    pieces = raw.split(DELIMITER)
    close = [pieces[at] for at in range(1, len(pieces) - 1) if pieces[at] and pieces[at + 1]]
    require(not close, "00 after each frame and 00 before the next", "one 00 between two frames", b"".join(close[:1]))
    for heard in rig.line.heard:
        frame = heard.frame
        expected = {FrameKind.DATA: range(1, session.terms.payload_max + 1), FrameKind.ACK: [0], FrameKind.NAK: [0]}
        fits = len(frame.payload) in expected.get(frame.kind, range(3, PAYLOAD_MAX + 1))
        require(fits, f"a payload as {frame.kind.name} has it", f"{len(frame.payload)} bytes", encode_frame(frame))
        numbered = frame.kind is FrameKind.DATA or frame.sequence == 0
        require(numbered, f"sequence 0 in {frame.kind.name}", frame.sequence, encode_frame(frame))
        bare = frame.kind in {FrameKind.ACCEPT, FrameKind.RESET} and frame.acknowledgement
        require(not bare, f"acknowledgement 0 in {frame.kind.name}", frame.acknowledgement, encode_frame(frame))
        require(frame.kind is not FrameKind.OPEN, "no OPEN from a device", "OPEN", encode_frame(frame))


def _asking(rig: TdpRig, session: HostSession) -> tuple[bytes, ReadMeters]:
    command = ReadMeters(rig.new_id(session))
    session.pump(ANSWER_S, lambda: session.idle)
    session.filter = by_hand = ByHand()  # a NAK asks for it, and what is read at its second coming only would pass
    session.send(command)
    return b"".join(encode_frame(frame) for frame in by_hand.frames), command


def _skipped(rig: TdpRig, session: HostSession, what: str, damaged: bytes) -> None:
    frame, command = _asking(rig, session)
    strays = len(session.strays)
    rig.line.send_raw(damaged + frame)
    _answered(session, command, f"the sound frame behind {what}", damaged)
    others = [heard.frame for heard in session.strays[strays:]]
    require(not others, f"no answer to {what}", others, damaged)


def _answered(session: HostSession, command: ReadMeters, what: str, raw: bytes = b"") -> None:
    try:
        session.wait_for_reply(command, ANSWER_S)
    except RequirementFailed as error:
        raise RequirementFailed(
            f"an answer to {what}: the session stands, and the frame is read", error.got, raw
        ) from error
    session.filter = encode_frame


def _without_zero(rig: TdpRig, length: int) -> bytes:
    return bytes(rig.bench.rng.randrange(1, 256) for _ in range(length))


def _reversed(check: int) -> int:
    return int.from_bytes(check.to_bytes(4, "big"), "little")
