"""The suite of the family ``tdp``."""

from collections.abc import Mapping
from typing import Final

from conformance.bench import Bench
from conformance.runner import Suite
from conformance.tdp import (
    command_checks,
    event_checks,
    frame_checks,
    lock_checks,
    machine_checks,
    message_checks,
    outbox_checks,
    power_checks,
    root_checks,
    run_checks,
    secrecy_checks,
    session_checks,
    stream_checks,
    tls_checks,
)
from conformance.tdp.rig import TdpRig
from conformance.tdp.setup import line_of, setup_of
from conformance.tdp.shown import frames


def _rig(bench: Bench, settings: Mapping[str, object]) -> TdpRig:
    return TdpRig(bench, setup_of(settings))


SUITE: Final[Suite[TdpRig]] = Suite(
    family="tdp",
    page="docs/protocols/tdp.md",
    digest="63cb9b71410774894a65a7f6db97e5d27917c068cb18ca01cf7b5fb638aa0f8f",
    checks=(
        *session_checks.CHECKS,
        *frame_checks.CHECKS,
        *stream_checks.CHECKS,
        *tls_checks.CHECKS,
        *message_checks.CHECKS,
        *command_checks.CHECKS,
        *root_checks.CHECKS,
        *event_checks.CHECKS,
        *outbox_checks.CHECKS,
        *lock_checks.CHECKS,
        *machine_checks.CHECKS,
        *secrecy_checks.CHECKS,
        *power_checks.CHECKS,
        *run_checks.CHECKS,
    ),
    line=line_of,
    rig=_rig,
    decoded=frames,
)
"""The simplest first: without a link, messages need no check."""
