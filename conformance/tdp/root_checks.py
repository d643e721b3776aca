"""Sections 10 and 12, rules R1 to R4."""

from typing import Final

from conformance.check import Checks
from conformance.check_result import require
from conformance.tdp.limits import NOTHING_S
from conformance.tdp.rig import TdpRig
from conformance.tdp.session import HostSession
from protocols.tdp.codec import encode_message
from protocols.tdp.codes import Capability, RefusalReason
from protocols.tdp.commands import RecallRoot, RememberRoot
from protocols.tdp.messages import Done, Refused, RootRemembered

CHECKS: Final[Checks[TdpRig]] = Checks("roots")

_ROOTS: Final = "10. Commands; 12. Exactly once"
_MEMORY: Final = "the memory of roots: one size and one root for each log"
_LOGS: Final = 8
_HASH_BYTES: Final = 32
_SIZE: Final = (1 << 32) + 4711


@CHECKS.check(_ROOTS, "RecallRoot: RootRemembered first, then Done, both with the command's id")
def root_is_recalled(rig: TdpRig) -> None:
    """A root given by RememberRoot is recalled: RootRemembered, then Done; of an unknown log nothing."""
    session = _ready(rig)
    log, root = _hash(rig), _hash(rig)
    nothing = recalled(rig, session, log)
    require((nothing.size, nothing.root) == (0, bytes(_HASH_BYTES)), "size 0, zeros", nothing, encode_message(nothing))
    remembered(rig, session, log, _SIZE, root)
    other, largest = _hash(rig), (1 << 64) - 1
    remembered(rig, session, other, largest, root)
    _stands(rig, session, other, (largest, root))
    told = recalled(rig, session, log)
    require((told.size, told.root) == (_SIZE, root), f"size {_SIZE}, root {root.hex()}", told, encode_message(told))
    about = [
        type(taken.message).__name__
        for taken in session.log
        if isinstance(taken.message, RootRemembered | Done) and taken.message.id == told.id
    ]
    require(about == [RootRemembered.__name__, Done.__name__], "RootRemembered, then Done", about)


@CHECKS.check(_ROOTS, _MEMORY)
def smaller_tree_refused(rig: TdpRig) -> None:
    """A smaller size than is remembered is refused with reason 11, and changes nothing; a larger one is taken."""
    session = _ready(rig)
    log, root = _hash(rig), _hash(rig)
    remembered(rig, session, log, _SIZE, root)
    _refused(rig, session, RememberRoot(0, log, _SIZE - 1, _hash(rig)), RefusalReason.SMALLER_TREE)
    _stands(rig, session, log, (_SIZE, root))
    larger = _hash(rig)
    remembered(rig, session, log, _SIZE + 1, larger)
    _stands(rig, session, log, (_SIZE + 1, larger))


@CHECKS.check(_ROOTS, _MEMORY)
def other_root_refused(rig: TdpRig) -> None:
    """The same size with another root is refused with reason 12, and changes nothing; with the same root it is Done."""
    session = _ready(rig)
    log, root = _hash(rig), _hash(rig)
    for _ in range(2):
        remembered(rig, session, log, _SIZE, root)
    _refused(rig, session, RememberRoot(0, log, _SIZE, _hash(rig)), RefusalReason.OTHER_ROOT)
    _stands(rig, session, log, (_SIZE, root))


@CHECKS.check(_ROOTS, "RememberRoot: a size of 0 is invalid")
def empty_tree_refused(rig: TdpRig) -> None:
    """A size of 0 is refused with reason 2."""
    session = _ready(rig)
    _refused(rig, session, RememberRoot(0, _hash(rig), 0, _hash(rig)), RefusalReason.BAD_VALUE)


@CHECKS.check(
    _ROOTS, "the memory of roots: the last 8 logs at least; a new one takes the place of that told longest ago"
)
def last_eight_logs_remembered(rig: TdpRig) -> None:
    """The last eight logs are remembered, by the time of their last report; *logs* counts each that took a place."""
    session = _ready(rig)
    logs = [_hash(rig) for _ in range(_LOGS + 2)]
    roots = {log: (number, _hash(rig)) for number, log in enumerate(logs, 1)}
    before = recalled(rig, session, logs[0]).logs
    # The first is told anew before the eighth: the second is then the one told longest ago, and goes first.
    told = (*logs[: _LOGS - 1], logs[0], *logs[_LOGS - 1 :])
    for number, log in enumerate(told, 1):
        remembered(rig, session, log, *roots[log])
        expected = before + len(set(told[:number]))
        seen = recalled(rig, session, log).logs
        require(seen == expected, f"logs {expected}", seen)
    for log in (logs[0], *logs[3:]):
        _stands(rig, session, log, roots[log])


def _ready(rig: TdpRig) -> HostSession:
    session = rig.ready()
    rig.needs(Capability.REMEMBERS_ROOTS)
    return session


def remembered(rig: TdpRig, session: HostSession, log: bytes, size: int, root: bytes) -> None:
    rig.done(session, lambda new: RememberRoot(new, log, size, root))


def recalled(rig: TdpRig, session: HostSession, log: bytes) -> RootRemembered:
    command = rig.done(session, lambda new: RecallRoot(new, log))
    told = session.wait_for(RootRemembered, NOTHING_S, "RootRemembered before Done", lambda one: one.id == command.id)
    require(told.log == log, f"of log {log.hex()}", told, encode_message(told))
    return told


def _stands(rig: TdpRig, session: HostSession, log: bytes, expected: tuple[int, bytes]) -> None:
    told = recalled(rig, session, log)
    size, root = expected
    require((told.size, told.root) == expected, f"size {size}, root {root.hex()}", told, encode_message(told))


def _refused(rig: TdpRig, session: HostSession, command: RememberRoot, reason: RefusalReason) -> None:
    answer = rig.do(session, lambda new: RememberRoot(new, command.log, command.size, command.root))
    right = isinstance(answer, Refused) and answer.reason == reason
    require(right, f"Refused {int(reason)} for a size of {command.size}", answer, encode_message(answer))


def _hash(rig: TdpRig) -> bytes:
    return rig.bench.rng.randbytes(_HASH_BYTES)
