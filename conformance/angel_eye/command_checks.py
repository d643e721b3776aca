"""Sections 7 to 9: commands, and how each is answered."""

from typing import Final

from conformance import manual_steps
from conformance.angel_eye.rig import REPLY_S, AngelEyeRig
from conformance.check import Checks
from conformance.check_result import CheckSkipped, require
from conformance.recorder import QUIET_S
from protocols.angel_eye.codec import encode_command
from protocols.angel_eye.messages import Ack, CardDrawn, CardDrawnOutsideGame, Command, Nak, NakCode

CHECKS: Final[Checks[AngelEyeRig]] = Checks("commands")

_COMMANDS: Final = "7. Commands: host to shoe"
_REPLIES: Final = "8. Replies: shoe to host"
_READER: Final = "the reader of commands: form and check come before content"
_ETX_AT: Final = 7
_CHECK_AT: Final = 8
_UNKNOWN_ERROR: Final = 99


@CHECKS.check(_COMMANDS, "the answer to LK")
def lock_and_unlock_acknowledged(rig: AngelEyeRig) -> None:
    """Lock and unlock are answered by ACK, within 0.5 s."""
    for command in (Command.lock(), Command.unlock()):
        reply = rig.command(command)
        require(reply is not None, f"ACK for {command} within {REPLY_S:g} s", "nothing", encode_command(command))
        require(isinstance(reply, Ack), f"ACK for {command}", reply, encode_command(command))


@CHECKS.check("4. Cards; 7. Commands", "the lock by command: a card that leaves meanwhile is outside a game")
def locked_by_the_host(rig: AngelEyeRig) -> None:
    """A card drawn while the host has locked the shoe is reported by "d"."""
    rig.ready_to_play()
    require(isinstance(rig.command(Command.lock()), Ack), "ACK for lock", rig.replies())
    try:
        rig.forget()
        rig.draw()
        outside = [one.message for one in rig.telegrams() if isinstance(one.message, CardDrawnOutsideGame)]
        require(len(outside) == 1, "d for the card", rig.telegrams())
    finally:
        unlocked = rig.command(Command.unlock())
    require(isinstance(unlocked, Ack), "ACK for unlock", unlocked)


@CHECKS.check(_REPLIES, "the check: over every byte from the start byte to the end byte")
def wrong_check_refused(rig: AngelEyeRig) -> None:
    """A command with a wrong check is refused, with code 02 as our page has it."""
    good = encode_command(Command.unlock())
    for place in (_CHECK_AT, _CHECK_AT + 1):
        damaged = bytearray(good)
        damaged[place] = ord("0") if good[place] != ord("0") else ord("1")
        _refused(rig, bytes(damaged), NakCode.BCC)
    without_start = bytes([good[0]]) + good[1:_CHECK_AT] + _bcc(good[1:_CHECK_AT])
    _refused(rig, without_start, NakCode.BCC)


@CHECKS.check(_REPLIES, _READER)
def no_end_byte_refused(rig: AngelEyeRig) -> None:
    """A command without an end byte in its place is refused, with code 03 as our page has it."""
    covered = bytearray(encode_command(Command.unlock())[:_CHECK_AT])
    covered[_ETX_AT] = ord("0")
    _refused(rig, bytes(covered) + _bcc(bytes(covered)), NakCode.NO_ETX)


@CHECKS.check(_REPLIES, _READER)
def unknown_letters_refused(rig: AngelEyeRig) -> None:
    """A sound command with other letters than "OP", or of an unknown type, is refused, with code 13 or 14."""
    for covered, code in ((b"\x02OQLK01\x03", NakCode.COMMAND), (b"\x02OPXX01\x03", NakCode.TYPE)):
        _refused(rig, covered + _bcc(covered), code)


@CHECKS.check(_REPLIES, _READER)
def data_that_are_no_digits_refused(rig: AngelEyeRig) -> None:
    """A sound command whose data are not two digits is refused, with code 11."""
    for data in (b"0A", b"  ", b"-1"):
        covered = b"\x02OPLK" + data + b"\x03"
        _refused(rig, covered + _bcc(covered), NakCode.FORMAT)


@CHECKS.check(_REPLIES, _READER)
def impossible_lock_refused(rig: AngelEyeRig) -> None:
    """LK with other data than 01 and 02 is not acknowledged."""
    for data in (b"00", b"03", b"99"):
        covered = b"\x02OPLK" + data + b"\x03"
        _refused(rig, covered + _bcc(covered), NakCode.FORMAT)


@CHECKS.check(_REPLIES, "EC for an error that is not there, and GP without a result")
def nothing_to_do_answered(rig: AngelEyeRig) -> None:
    """A command that finds nothing to do is answered all the same."""
    for command in (Command.clear_error(_UNKNOWN_ERROR), Command.confirm_round()):
        reply = rig.command(command)
        require(reply is not None, f"a reply to {command}", "nothing", encode_command(command))
        rig.bench.observe(f"{command.type.value} {command.data:02} with nothing to do: {_named(reply)}")


@CHECKS.check("9. Finding frames in the stream", "the reader: bytes before 02 are noise; another 02 restarts")
def found_in_noise(rig: AngelEyeRig) -> None:
    """Noise is not answered; a command is found behind noise, and behind one that broke off."""
    good = encode_command(Command.unlock())
    rig.bench.write(b"noise without a start byte")
    rig.listen(REPLY_S)
    require(not rig.replies(), "no reply to noise", rig.replies())
    for before in (b"\xff\x00\x03", good[:5], good[:-1]):
        reply = rig.send_frame(before + good)
        require(isinstance(reply, Ack), f"ACK for a command behind [{before.hex(' ')}]", reply, before + good)
        rig.listen(QUIET_S)
        require(len(rig.replies()) == 1, "one reply", rig.replies(), before + good)
        rig.forget()


@CHECKS.check("9. Finding frames in the stream", "the reader must keep what came until the command is whole")
def byte_by_byte(rig: AngelEyeRig) -> None:
    """A command that comes byte by byte is answered."""
    good = encode_command(Command.unlock())
    for byte in good[:-1]:
        rig.bench.write(bytes([byte]))
    require(isinstance(rig.send_frame(good[-1:]), Ack), "ACK", rig.replies())


@CHECKS.check(_REPLIES, "the sender: a reply waits for the end of the telegram, and no copy is lost for it")
def reply_not_inside_a_telegram(rig: AngelEyeRig) -> None:
    """A reply comes between telegrams, never inside one."""
    rig.ready_to_play()
    rig.bench.act(manual_steps.draw(), rig.listen)
    replies = 0
    for _ in range(3):
        replies += rig.command(Command.unlock()) is not None
    rig.listen_until_quiet()
    require(replies, "replies while telegrams are sent", "none")
    garbage = rig.garbage[0].raw if rig.garbage else b""
    require(not rig.garbage, "whole telegrams and replies", rig.garbage, garbage)
    copies = [one for one in rig.said if isinstance(one.item, CardDrawn)]
    if not copies:
        raise CheckSkipped("no card was reported meanwhile")
    require(len(copies) == 3, "three copies of the card", len(copies))  # noqa: PLR2004  section 3


def _bcc(covered: bytes) -> bytes:
    value = 0
    for byte in covered:
        value ^= byte
    return b"%02X" % value


def _refused(rig: AngelEyeRig, frame: bytes, code: NakCode) -> None:
    rig.forget()
    reply = rig.send_frame(frame)
    require(isinstance(reply, Nak), f"NAK {code:02X}", _named(reply), frame)
    if isinstance(reply, Nak) and reply.code is not code:
        rig.bench.observe(f"NAK {reply.code:02X} where our page has {code:02X}, for [{frame.hex(' ').upper()}]")


def _named(reply: Ack | Nak | None) -> str:
    return "nothing" if reply is None else "ACK" if isinstance(reply, Ack) else f"NAK {reply.code:02X}"
