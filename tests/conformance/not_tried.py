"""Checks that devices without a lock, a motor, TLS or a key cannot be asked."""

from conformance.check_result import CheckStatus
from conformance.runner import ConformanceReport

NO_TLS = {
    "tls.handshake-first",
    "tls.least-profile-is-enough",
    "tls.silent-until-the-host-speaks",
    "tls.tls-12-refused",
    "tls.host-without-certificate-refused",
    "tls.host-of-its-own-making-refused",
    "tls.host-of-another-authority-refused",
    "tls.no-host-refused",
    "tls.authority-refused",
    "tls.any-use-refused",
    "tls.intermediate-refused",
    "tls.plain-messages-refused",
}
NO_ATTESTATION = {"commands.attestation"}
FORGETS_EVENTS = {"power.acknowledgement-between-boots-ignored"}
NO_LOCK = {
    "commands.lock-when-locked",
    "events.full-outbox-takes-back",
    "lock.another-session-locks",
    "lock.fault-takes-back",
    "lock.lock-takes-back",
    "lock.loss-of-the-session-locks",
    "lock.nothing-moves-while-unlocked",
    "lock.open-cover-takes-back",
    "lock.starts-locked",
    "lock.unlock-again-is-not-done-again",
    "lock.unlock-replaces",
    "lock.unlocks-for-so-many",
    "power.cards-drawn-while-unplugged",
    "power.locked-after-power",
    "run.sessions-begin-locked",
}
NO_CUT_CARD = {"machine.cut-card-is-reported"}
NO_EJECT = {"machine.ejects"}
NO_SHUFFLE = {
    "events.no-place-left-stops-a-shuffle",
    "power.nothing-moves-after-power",
    "machine.shuffles",
    "machine.shuffling-is-state-2",
    "machine.failed-shuffle-is-reported",
}
UNKNOWN_ORDER = {"events.all-faces"}
"""A device that shuffles or dispenses reads cards in an order that is not known."""
NO_DISPENSER = {
    "lock.dispense-again-is-not-done-again",
    "lock.dispenses-32-at-once",
    "lock.dispenses-so-many",
    "lock.jammed-packet-is-reported",
    "lock.nothing-moves-while-unlocked",
}


def skipped(report: ConformanceReport) -> set[str]:
    """The checks that were not tried; all the rest must have passed."""
    wrong = [
        f"{result.name} {result.verdict.value}: expected {result.expected}; got {result.got}"
        for result in report.results
        if result.verdict in {CheckStatus.FAILED, CheckStatus.ERROR}
    ]
    assert wrong == []
    return {result.name for result in report.results if result.verdict is CheckStatus.SKIPPED}
