"""Checks over a whole run; they come last."""

from typing import Final

from conformance.check import Checks
from conformance.check_result import CheckSkipped, require
from conformance.tdp.rig import TdpRig
from protocols.tdp.codec import encode_message
from protocols.tdp.codes import Capability, Condition
from protocols.tdp.events import PowerRestored
from protocols.tdp.messages import Status

CHECKS: Final[Checks[TdpRig]] = Checks("run")


@CHECKS.check("9. Events; 12. Exactly once", "numbering and outbox, over sessions and power cuts")
def events_add_up(rig: TdpRig) -> None:
    """Over the run no event was missing, out of order, changed, or came again after it was acknowledged."""
    rig.ready()
    if not len(rig.ledger):
        raise CheckSkipped("no event came in this run")
    trespasses = rig.ledger.trespasses
    require(
        not trespasses,
        f"{len(rig.ledger)} events in order, each once it is acknowledged never again",
        "; ".join(trespass.what for trespass in trespasses[:3]),
        trespasses[0].raw if trespasses else b"",
    )
    rig.bench.observe(f"{len(rig.ledger)} events in this run")


@CHECKS.check("9. Events; 12. Exactly once", "PowerRestored: an event before it, or 0 and 0 without history")
def starts_name_earlier_events(rig: TdpRig) -> None:
    """Each PowerRestored of the run names an event of an earlier boot, or 0 and 0: a first boot has none to name."""
    rig.ready()
    told = [event for session in rig.sessions for event in session.events() if isinstance(event, PowerRestored)]
    if not told:
        raise CheckSkipped("no start was reported in this run")
    for event in told:
        none = (event.previous_boot, event.previous_last) == (0, 0)
        earlier = 1 <= event.previous_boot < event.boot and event.previous_last >= 1
        require(none or earlier, "an event of an earlier boot, or 0 and 0", event, encode_message(event))


@CHECKS.check("8. Reports; 11. Security", "the identity: it must not change while the device is the same")
def identity_stays(rig: TdpRig) -> None:
    """Over the whole run the device had one identity, and its boot count never went back."""
    rig.ready()
    names = ("maker", "model", "serial", "hardware_revision", "firmware_version", "image_digest", "capabilities")
    first = rig.hellos[0]
    for before, hello in zip(rig.hellos, rig.hellos[1:], strict=False):
        raw = encode_message(hello)
        changed = [name for name in names if getattr(hello, name) != getattr(first, name)]
        require(not changed, "one identity", f"{', '.join(changed)} changed", raw)
        require(hello.boot_count >= before.boot_count, f"boot {before.boot_count} or later", hello.boot_count, raw)
        require(hello.security_counter >= before.security_counter, "a security counter that does not fall", hello, raw)


@CHECKS.check("10. Commands: host to device", "the lock when a session begins, the first after a start too")
def sessions_begin_locked(rig: TdpRig) -> None:
    """In each session of the run the first Status had condition 0, locked."""
    rig.ready()
    rig.needs(Capability.LOCKS)
    for session in rig.sessions:
        status = next((taken.message for taken in session.log if isinstance(taken.message, Status)), None)
        locked = status is None or Condition.LOCKED in status.conditions
        require(locked, "condition 0, locked, in the first Status of a session", status)
