"""Sections 10 and 12: commands are answered, done once, rightly refused."""

import itertools
from collections.abc import Callable, Sequence
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509 import load_der_x509_certificate

from conformance import manual_steps
from conformance.check import Checks
from conformance.check_result import CheckSkipped, require, unmet
from conformance.tdp.limits import NOTHING_S
from conformance.tdp.rig import TdpRig, cards_reported
from conformance.tdp.session import HostSession
from protocols.tdp.codec import LENGTH_BYTES, encode_message
from protocols.tdp.codes import BootState, Capability, Condition, FaultCode, Lamp, LampMode, RefusalReason
from protocols.tdp.commands import (
    NEEDED,
    AcceptReturn,
    Attest,
    ClearFault,
    DeviceCommand,
    Dispense,
    Eject,
    Lock,
    ReadMeters,
    RecallRoot,
    RememberRoot,
    SetLamp,
    Shuffle,
    Unlock,
)
from protocols.tdp.messages import Attestation, Done, Meters, Refused, RootRemembered
from protocols.tdp.rows import ROWS

CHECKS: Final[Checks[TdpRig]] = Checks("commands")

_COMMANDS: Final = "10. Commands: host to device"
_ONCE: Final = "12. Exactly once"
_MEMORY: Final = "the memory of answers: the last 16 at least, by id, with the command each was given for"
_REMEMBERED: Final = 16
_MODULES: Final = range(3)
"""Numbers that a maker is likely to give."""
_NONCE_BYTES: Final = 32
_NO_PERMIT: Final = bytes(4)
_FOUR_BYTES: Final = (0xA1B2C3D4, 0x01000000, 0xFFFFFFFF)

_EXAMPLES: Final[Sequence[Callable[[int], DeviceCommand]]] = (
    Shuffle,
    lambda new: Dispense(new, 1),
    lambda new: Unlock(new, 1),
    AcceptReturn,
    Eject,
    lambda new: Attest(new, bytes(_NONCE_BYTES)),
    lambda new: RememberRoot(new, bytes(_NONCE_BYTES), 1, bytes(_NONCE_BYTES)),
    lambda new: RecallRoot(new, bytes(_NONCE_BYTES)),
)


@CHECKS.check("8. Reports; 10. Commands", "ReadMeters: Meters first, then Done, both with the command's id")
def meters_then_done(rig: TdpRig) -> None:
    """ReadMeters is answered by Meters, then Done."""
    session = rig.ready()
    command = ReadMeters(rig.new_id(session))
    answer = session.do(command)
    if isinstance(answer, Refused) and answer.reason == RefusalReason.NOT_SUPPORTED:
        raise CheckSkipped("the device does not read its meters out")
    require(isinstance(answer, Done), f"Done for {command}", answer, encode_message(answer))
    about = [
        type(taken.message).__name__
        for taken in session.log
        if isinstance(taken.message, Meters | Done) and taken.message.id == command.id
    ]
    require(about == [Meters.__name__, Done.__name__], "Meters, then Done", about)


@CHECKS.check("8. Reports: device to host", "the meters: stored permanently, and never counted down")
def meters_never_go_back(rig: TdpRig) -> None:
    """Meters never go back, except cards per shuffle."""
    session = rig.ready()
    readings = [rig.meters(session) for _ in range(2)]
    rig.hang_up()
    readings.append(rig.meters(rig.ready()))
    for before, after in itertools.pairwise(readings):
        for name in Meters.__slots__:
            if name not in {"id", "cards_per_shuffle"}:
                back = getattr(after, name) < getattr(before, name)
                require(not back, f"{name} {getattr(before, name)} or more", after, encode_message(after))


@CHECKS.check(_ONCE, _MEMORY)
def same_id_same_answer(rig: TdpRig) -> None:
    """The same command with the same id is answered alike, in the same session and in the next; Meters come again."""
    session = rig.ready()
    reading = ReadMeters(rig.new_id(session))
    if isinstance(session.do(reading), Done):
        session.forget()
        session.do(reading)
        session.wait_for(Meters, NOTHING_S, "Meters again with the same id", _about(reading.id))
    command = SetLamp(rig.new_id(session), Lamp.ATTENTION, LampMode.OFF)
    first = session.do(command)
    for _ in range(2):
        again = session.do(command)
        require(again == first, str(first), again, encode_message(again))
    rig.hang_up()
    session = rig.ready()
    again = session.do(command)
    require(again == first, f"{first}, in the next session too", again, encode_message(again))


@CHECKS.check(_ONCE, _MEMORY)
def other_command_same_id(rig: TdpRig) -> None:
    """Another command with an id that was used is refused with reason 10."""
    session = rig.ready()
    first = SetLamp(rig.new_id(session), Lamp.ATTENTION, LampMode.OFF)
    session.do(first)
    for other in (SetLamp(first.id, Lamp.ATTENTION, LampMode.ON), ReadMeters(first.id)):
        answer = session.do(other)
        _refused(answer, RefusalReason.CONFLICTING_ID, f"{other}, after {first}")


@CHECKS.check(_ONCE, _MEMORY)
def last_sixteen_remembered(rig: TdpRig) -> None:
    """The device remembers its last 16 answers at least."""
    session = rig.ready()
    commands = [SetLamp(rig.new_id(session), Lamp.READY, LampMode.OFF) for _ in range(_REMEMBERED)]
    answers = [session.do(command) for command in commands]
    for command, answer in zip(commands, answers, strict=True):
        again = session.do(command)
        require(again == answer, f"{answer}, as before", again, encode_message(again))


@CHECKS.check(_ONCE, "the memory of answers: a refusal is kept like Done, whatever has changed since")
def refusals_remembered(rig: TdpRig) -> None:
    """A refusal uses its id: again the same refusal when its reason is over, and no other command with that id."""
    session = rig.ready()
    no_such_fault = ClearFault(rig.new_id(session), 200, 200)
    first = session.do(no_such_fault)
    _refused(first, RefusalReason.BAD_VALUE, str(no_such_fault))
    again = session.do(no_such_fault)
    require(again == first, str(first), again, encode_message(again))
    other = SetLamp(no_such_fault.id, Lamp.READY, LampMode.OFF)
    _refused(session.do(other), RefusalReason.CONFLICTING_ID, f"{other}, after {no_such_fault} was refused")
    makers = rig.card_commands()
    if not makers:
        return
    rig.stocked(session)
    rig.act(session, manual_steps.COVER_OPEN)
    rig.wait_for_silence(session)
    kept = makers[0](rig.new_id(session))
    refusal = session.do(kept)
    rig.act(session, manual_steps.COVER_CLOSE)
    rig.wait_for_silence(session)
    require(isinstance(refusal, Refused), f"a refusal of {kept} while the cover is open", refusal)
    again = session.do(kept)
    require(again == refusal, f"{refusal}, though the cover is closed now", again, encode_message(again))
    rig.wait_for_silence(session)
    require(not cards_reported(session.events()), "no card", session.events())


@CHECKS.check(_COMMANDS, "the first two reasons: a command that cannot be read uses no id")
def unreadable_commands_use_no_id(rig: TdpRig) -> None:
    """A command of an unknown type, length or value leaves its id free: the next command with it is done."""
    session = rig.ready()
    for kind, fields, reason in (
        (0x6A, b"", RefusalReason.NOT_SUPPORTED),
        (0x58, b"\x00", RefusalReason.BAD_VALUE),
        (0x57, b"\x03\x00", RefusalReason.BAD_VALUE),
    ):
        number = _unreadable(rig, session, kind, fields, reason)
        answer = session.do(ReadMeters(number))
        used = isinstance(answer, Refused) and answer.reason in {RefusalReason.OLD_ID, RefusalReason.CONFLICTING_ID}
        require(not used, f"id {number} free, though a command with it was refused", answer, encode_message(answer))


@CHECKS.check(_ONCE, "ids: one that is lower than the highest and not remembered is old")
def old_id_refused(rig: TdpRig) -> None:
    """An id too old to be remembered is refused with reason 9."""
    session = rig.ready()
    never_used = rig.new_id(session)
    first = SetLamp(rig.new_id(session), Lamp.READY, LampMode.OFF)
    before = session.do(first)
    for _ in range(_REMEMBERED + 1):
        session.do(SetLamp(rig.new_id(session), Lamp.READY, LampMode.OFF))
    answer = session.do(SetLamp(never_used, Lamp.READY, LampMode.OFF))
    _refused(answer, RefusalReason.OLD_ID, "an id below the highest that was never used")
    answer = session.do(first)
    if answer == before:
        rig.bench.observe("more than 16 answers are remembered")
    else:
        _refused(answer, RefusalReason.OLD_ID, "an id that came 17 commands ago")


@CHECKS.check(_ONCE, "ids: 0 is invalid")
def id_zero_is_old(rig: TdpRig) -> None:
    """A command with id 0 is refused with reason 9, always."""
    session = rig.ready()
    answer = session.do(SetLamp(0, Lamp.READY, LampMode.OFF))
    _refused(answer, RefusalReason.OLD_ID, "id 0")


@CHECKS.check(_COMMANDS, "the answer to a command for something the device has not: reason 1, not silence")
def not_supported(rig: TdpRig) -> None:
    """A command for what the device does not say it can do is refused with reason 1."""
    session = rig.ready()
    missing = [make for make in _EXAMPLES if not rig.can(NEEDED[type(make(0))])]
    if not missing:
        raise CheckSkipped("the device says that it can do everything")
    for make in missing:
        command = make(rig.new_id(session))
        _refused(session.do(command), RefusalReason.NOT_SUPPORTED, str(command))


@CHECKS.check(_COMMANDS, "a command of a later version: it must be refused, or its host waits without end")
def unknown_command_refused(rig: TdpRig) -> None:
    """A command of an unknown type is refused with reason 1, whatever follows its id."""
    session = rig.ready()
    for kind, fields in ((0x6A, b""), (0x7F, b"\x01\x02"), (0xFF, bytes(100))):
        _unreadable(rig, session, kind, fields, RefusalReason.NOT_SUPPORTED)


@CHECKS.check(_COMMANDS, "the id of an answer: all four bytes of the command's")
def id_is_answered_whole(rig: TdpRig) -> None:
    """A refusal has all four bytes of the command's id, whatever they are; these commands use none."""
    session = rig.ready()
    for number in _FOUR_BYTES:
        session.forget()
        body = b"\x6a" + number.to_bytes(4, "big")
        session.send_bytes(len(body).to_bytes(LENGTH_BYTES, "big") + body)
        answer = session.wait_for(Refused, NOTHING_S, f"Refused 1 for id {number:08X}")
        require(answer.id == number, f"id {number:08X}", f"{answer.id:08X}", encode_message(answer))


@CHECKS.check(_COMMANDS, "the lengths of commands: a command that is too long or too short is refused")
def wrong_length_refused(rig: TdpRig) -> None:
    """A command of a wrong length is refused with reason 2, if its id can be read."""
    session = rig.ready()
    tries = [(0x58, b"\x00"), (0x52, b"\x00"), (0x59, bytes(31)), (0x57, b""), (0x51, b"\x01\x01"), (0x53, b"\x00")]
    if rig.can(Capability.SHUFFLES):
        tries += [(0x50, b"\x00")]
    for kind, fields in tries:
        _unreadable(rig, session, kind, fields, RefusalReason.BAD_VALUE)


@CHECKS.check(_COMMANDS, "the ranges of the fields of commands")
def bad_values_refused(rig: TdpRig) -> None:
    """Dispense of 0 or 33 cards, Unlock of 0, and a lamp or mode that is not in the list are refused with reason 2."""
    session = rig.ready()
    tries = [(0x57, b"\x03\x00"), (0x57, b"\x00\x03"), (0x57, b"\xff\xff")]
    if rig.can(Capability.DISPENSES):
        tries += [(0x51, b"\x00" + _NO_PERMIT), (0x51, b"\x21" + _NO_PERMIT)]
    if rig.can(Capability.LOCKS):
        tries += [(0x52, b"\x00\x00" + _NO_PERMIT)]
    for kind, fields in tries:
        _unreadable(rig, session, kind, fields, RefusalReason.BAD_VALUE)
    rig.wait_for_silence(session)
    require(not cards_reported(session.events()), "no card", session.events())


@CHECKS.check(_COMMANDS, "SetLamp")
def lamps(rig: TdpRig) -> None:
    """Every lamp can be switched off, on and to blinking; the answer is Done alone."""
    session = rig.ready()
    first = rig.new_id(session)
    for lamp in Lamp:
        for mode in (LampMode.ON, LampMode.BLINK, LampMode.OFF):
            answer = session.do(SetLamp(rig.new_id(session), lamp, mode))
            if isinstance(answer, Refused) and answer.reason == RefusalReason.NOT_SUPPORTED:
                rig.bench.observe(f"it has no lamp {lamp.name.lower()}")
                break
            require(isinstance(answer, Done), "Done", answer, encode_message(answer))
    kinds = Meters | Attestation | RootRemembered
    told = [one.message for one in session.inbox if isinstance(one.message, kinds)]
    others = [one for one in told if one.id in range(first, rig.new_id(session))]
    require(not others, "Done alone", others)


@CHECKS.check(_COMMANDS, "Lock: a device that is locked stays so, and says Done")
def lock_when_locked(rig: TdpRig) -> None:
    """Lock is done by a device that is locked already."""
    session = rig.ready()
    rig.needs(Capability.LOCKS)
    for _ in range(2):
        rig.done(session, Lock)
    rig.wait_for_silence(session)
    status = session.status
    locked = status is not None and Condition.LOCKED in status.conditions
    require(locked, "condition 0, locked", status)


@CHECKS.check(_COMMANDS, "ClearFault: code and module must be those of a fault that holds")
def clear_of_no_fault(rig: TdpRig) -> None:
    """ClearFault for a fault that does not hold is refused with reason 2, and changes nothing."""
    session = rig.ready()
    before = len(session.events())
    named = [(200, 200)]
    if session.status is not None and not session.status.fault_code:
        named += itertools.product(FaultCode, _MODULES)
    for code, module in named:
        command = ClearFault(rig.new_id(session), code, module)
        _refused(session.do(command), RefusalReason.BAD_VALUE, str(command))
    rig.wait_for_silence(session)
    require(len(session.events()) == before, "no event", session.events()[before:])


@CHECKS.check(
    "10. Commands; 11. Security", "Attest: what is signed (nonce, digest, counter, boot state), and by what key"
)
def attestation(rig: TdpRig) -> None:
    """Attest is answered by Attestation, signed by the key of the certificate over what section 11 says, then Done."""
    session = rig.ready()
    rig.needs(Capability.ATTESTS)
    seen = []
    for _ in range(2):
        nonce = rig.bench.rng.randbytes(_NONCE_BYTES)
        command = Attest(rig.new_id(session), nonce)
        answer = session.do(command)
        require(isinstance(answer, Done), f"Done for {command}", answer, encode_message(answer))
        told = session.wait_for(Attestation, NOTHING_S, "Attestation before Done", _about(command.id))
        raw = encode_message(told)
        require(told.nonce == nonce, f"the nonce {nonce.hex()}", told.nonce.hex(), raw)
        same = (told.image_digest, told.security_counter) == (rig.hello.image_digest, rig.hello.security_counter)
        require(same, "digest and security counter of Hello", told, raw)
        require(told.signature, "a signature", "none", raw)
        _vouched(rig, session, told)
        seen.append(told.signature)
        if told.boot_state is not BootState.VERIFIED:
            rig.bench.observe(f"boot state {told.boot_state.name.lower()}")
    require(seen[0] != seen[1], "another signature over another nonce", seen[0].hex())


def _vouched(rig: TdpRig, session: HostSession, told: Attestation) -> None:
    certificate = load_der_x509_certificate(session.certificate) if session.certificate else rig.setup.device
    if certificate is None:
        rig.bench.observe("the signature was not verified: the line is plain, and device_certificate was not given")
        return
    key = certificate.public_key()
    counter = told.security_counter.to_bytes(4, "big")
    signed = b"TDP/1 attestation\0" + told.nonce + told.image_digest + counter + bytes([told.boot_state])
    try:
        if isinstance(key, Ed25519PublicKey):
            key.verify(told.signature, signed)
        elif isinstance(key, EllipticCurvePublicKey):
            key.verify(told.signature, signed, ECDSA(SHA256()))
        else:
            unmet("a certificate with a key of Ed25519 or P-256", type(key).__name__, session.certificate)
    except InvalidSignature:
        unmet(f"a signature by the certificate's key over {signed.hex()}", told.signature.hex(), encode_message(told))


def _unreadable(rig: TdpRig, session: HostSession, kind: int, fields: bytes, reason: RefusalReason) -> int:
    number = rig.new_id(session)
    body = bytes([kind]) + number.to_bytes(4, "big") + fields
    raw = len(body).to_bytes(LENGTH_BYTES, "big") + body
    session.send_bytes(raw)
    answer = session.wait_for(
        Refused, NOTHING_S, f"Refused {int(reason)} for a command of type {kind:02X}", _about(number)
    )
    needed = next((NEEDED[row.message] for row in ROWS if row.kind == kind and row.message in NEEDED), Capability(0))
    unknown_to_it = answer.reason == RefusalReason.NOT_SUPPORTED and not rig.can(needed)
    require(answer.reason == reason or unknown_to_it, f"reason {int(reason)}", int(answer.reason), raw)
    return number


def _about(number: int) -> Callable[[Refused | Meters | Attestation], bool]:
    return lambda one: one.id == number


def _refused(answer: Done | Refused, reason: RefusalReason, what: str) -> None:
    right = isinstance(answer, Refused) and answer.reason == reason
    require(right, f"Refused {int(reason)} for {what}", _named(answer), encode_message(answer))


def _named(answer: Done | Refused) -> str:
    return "Done" if isinstance(answer, Done) else f"Refused {int(answer.reason)}"
