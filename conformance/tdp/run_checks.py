"""Checks over a whole run; they come last."""

from typing import Final

from conformance.check import Checks
from conformance.check_result import CheckSkipped, require
from conformance.tdp.rig import TdpRig
from protocols.tdp.codec import encode_message

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
