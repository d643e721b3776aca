"""Section 3: frames are found in whatever comes, and damage is skipped.

The probe is a frame of an unknown session: a device that takes it for sound answers ``RESET`` with its number.
"""

from typing import Final

from conformance.check import Checks
from conformance.tdp.damage import cobs, crc32c, header, on_the_line
from conformance.tdp.limits import ANSWER_S
from conformance.tdp.rig import HALF, TdpRig
from conformance.verdict import require, unmet
from protocols.tdp.framing import DELIMITER, ENCODED_MAX, PAYLOAD_MAX, Frame, Kind, encode_frame

CHECKS: Final[Checks[TdpRig]] = Checks("frames")

_SECTION: Final = "3. Frames"
_READER: Final = "the reader of frames: it must test in the order of the page and be in step again at the next 00"
_PROBE: Final = 81
_HISS_BYTES: Final = 5000


@CHECKS.check(_SECTION, "the length of the run between two delimiters")
def length_skipped(rig: TdpRig) -> None:
    """A frame with more than 235 bytes is skipped; the next one is read."""
    number = _number(rig)
    _skipped(rig, "225 bytes of payload", on_the_line(header(Kind.DATA, number, b"\x55" * (PAYLOAD_MAX + 1))))
    _skipped(rig, "300 bytes of payload", on_the_line(header(Kind.DATA, number, b"\x55" * 300)))


@CHECKS.check(_SECTION, "the decoder of COBS: a run that would reach beyond the frame is noise")
def noise_skipped(rig: TdpRig) -> None:
    """Bytes between delimiters that are not COBS are skipped; the next frame is read."""
    encoded = cobs(header(Kind.ACK, _number(rig)))
    _skipped(rig, "a run longer than what is there", DELIMITER + bytes([encoded[0] + 40]) + encoded[1:] + DELIMITER)
    _skipped(rig, "bytes by chance", DELIMITER + _without_zero(rig, 60) + DELIMITER)
    _skipped(rig, "a run alone", b"\x00\xef\x00")


@CHECKS.check(_SECTION, "the shortest frame has 10 bytes; what is shorter is no frame, whatever its check says")
def truncated_skipped(rig: TdpRig) -> None:
    """A frame of fewer than 10 bytes is skipped, even with a check that is right; the next one is read."""
    whole = header(Kind.ACK, _number(rig))
    for count in (0, 1, 3, 5):
        _skipped(rig, f"{count} bytes and a right check", on_the_line(whole[:count]))
    frame = encode_frame(Frame(Kind.ACK, _number(rig)))
    _skipped(rig, "the first half of a frame", frame[: len(frame) // 2] + DELIMITER)


@CHECKS.check(
    _SECTION, "the check: it must be computed over all bytes before it, and compared before any field is used"
)
def bcc_skipped(rig: TdpRig) -> None:
    """A frame with another check is skipped, wherever a bit was changed; the next one is read."""
    covered = header(Kind.ACK, _number(rig))
    right = crc32c(covered)
    _skipped(rig, "a bit of the check changed", on_the_line(covered, check=right ^ 1))
    _skipped(rig, "the check's bytes the other way round", on_the_line(covered, check=_reversed(right)))
    _skipped(rig, "a check of zero", on_the_line(covered, check=0))
    for place in (1, 5, len(covered) - 1):
        changed = bytearray(covered)
        changed[place] ^= 0x10
        _skipped(rig, f"byte {place} changed", on_the_line(bytes(changed), check=right))


@CHECKS.check(_SECTION, "version and kind: what is not known is skipped, however sound it is")
def type_skipped(rig: TdpRig) -> None:
    """A sound frame of another version or an unknown kind is skipped; the next one is read."""
    _skipped(rig, "version 2", on_the_line(header(Kind.ACK, _number(rig), version=2)))
    _skipped(rig, "version 0", on_the_line(header(Kind.ACK, _number(rig), version=0)))
    for kind in (0, 7, 255):
        _skipped(rig, f"kind {kind}", on_the_line(header(kind, _number(rig))))


@CHECKS.check(_SECTION, "the reader must keep what came until the next 00, however few bytes come at a time")
def byte_by_byte(rig: TdpRig) -> None:
    """A frame that comes byte by byte is read."""
    number = _number(rig)
    for byte in encode_frame(Frame(Kind.ACK, number)):
        rig.line.send_raw(bytes([byte]))
    _answered(rig, number, "a frame sent byte by byte")


@CHECKS.check(_SECTION, "the delimiter before a frame ends whatever noise came before it")
def noise_before_a_frame(rig: TdpRig) -> None:
    """Noise directly before a frame and after it does not damage it."""
    for length in (1, 17, 239):
        number = _number(rig)
        frame = encode_frame(Frame(Kind.ACK, number))
        rig.line.send_raw(_without_zero(rig, length) + frame + _without_zero(rig, length))
        _answered(rig, number, f"a frame between {length} bytes of noise")
        rig.line.send_raw(DELIMITER)


@CHECKS.check(_SECTION, "an overlong run: it must be thrown away up to the next 00, and the buffer must not overflow")
def long_hiss(rig: TdpRig) -> None:
    """5000 bytes without a delimiter are skipped, and the frame that follows them is read."""
    number = _number(rig)
    hiss = _without_zero(rig, _HISS_BYTES)
    rig.line.send_raw(hiss + encode_frame(Frame(Kind.ACK, number)))
    _answered(rig, number, f"a frame after {_HISS_BYTES} bytes of noise", ANSWER_S + _HISS_BYTES * 10 / 9600)


@CHECKS.check(_SECTION, "empty runs between delimiters mean nothing; one delimiter may serve two frames")
def delimiters_between_frames(rig: TdpRig) -> None:
    """Any number of delimiters between frames, one included, is right."""
    for gap in (1, 2, 7):
        first, second = _number(rig), _number(rig)
        frames = [encode_frame(Frame(Kind.ACK, number)).strip(DELIMITER) for number in (first, second)]
        # The first is a RESET, which is never answered: so both answers are the second frame's.
        silent = encode_frame(Frame(Kind.RESET, first, payload=b"\x01\x01\x01")).strip(DELIMITER)
        rig.line.send_raw(DELIMITER + silent + DELIMITER * gap + frames[1] + DELIMITER)
        _answered(rig, second, f"a frame that follows another after {gap} delimiters")


@CHECKS.check(_SECTION, "the sender: 00 before and after every frame, nothing else between frames, no field left over")
def its_own_frames(rig: TdpRig) -> None:
    """What the device sends is frames and nothing else, each with 00 before and after it."""
    session = rig.ready()
    rig.meters(session)
    session.pump(1.5)
    raw = bytes(rig.line.raw)
    require(not rig.line.garbage, "frames and nothing else", rig.line.garbage[:1], raw[:ENCODED_MAX])
    require(raw.startswith(DELIMITER), "00 before the first frame", raw[:8].hex(" "), raw[:ENCODED_MAX])
    # Between two frames stand two delimiters: the one after the first and the one before the second.
    pieces = raw.split(DELIMITER)
    close = [pieces[at] for at in range(1, len(pieces) - 1) if pieces[at] and pieces[at + 1]]
    require(not close, "00 after each frame and 00 before the next", "one 00 between two frames", b"".join(close[:1]))
    for heard in rig.line.heard:
        frame = heard.frame
        expected = {Kind.DATA: range(1, session.terms.payload_max + 1), Kind.ACK: [0], Kind.NAK: [0]}
        fits = len(frame.payload) in expected.get(frame.kind, range(3, PAYLOAD_MAX + 1))
        require(fits, f"a payload as {frame.kind.name} has it", f"{len(frame.payload)} bytes", encode_frame(frame))
        numbered = frame.kind is Kind.DATA or frame.sequence == 0
        require(numbered, f"sequence 0 in {frame.kind.name}", frame.sequence, encode_frame(frame))
        require(frame.kind is not Kind.OPEN, "no OPEN from a device", "OPEN", encode_frame(frame))


def _number(rig: TdpRig) -> int:
    return rig.new_host() * HALF + _PROBE


def _skipped(rig: TdpRig, what: str, damaged: bytes) -> None:
    """Send damage and then a probe in one write; only the probe may be answered."""
    number = _number(rig)
    rig.line.send_raw(damaged + encode_frame(Frame(Kind.ACK, number)))
    until_s = rig.bench.now_s() + ANSWER_S
    while (heard := rig.line.next(until_s)) is not None:
        frame = heard.frame
        if frame.session == number and frame.kind is Kind.RESET:
            return
        unmet(f"no answer to {what}", f"{frame.kind.name} of session {frame.session:08X}", damaged)
    unmet(f"RESET for the sound frame that follows {what}", "nothing", damaged)


def _answered(rig: TdpRig, number: int, what: str, within_s: float = ANSWER_S) -> None:
    until_s = rig.bench.now_s() + within_s
    while (heard := rig.line.next(until_s)) is not None:
        if heard.frame.session == number and heard.frame.kind is Kind.RESET:
            return
    unmet(f"RESET for {what}", "nothing")


def _without_zero(rig: TdpRig, length: int) -> bytes:
    return bytes(rig.bench.rng.randrange(1, 256) for _ in range(length))


def _reversed(check: int) -> int:
    return int.from_bytes(check.to_bytes(4, "big"), "little")
