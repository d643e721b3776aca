"""The family of Angel Eye shoes."""

from typing import Final

from firmware_bridge.families import Family
from firmware_bridge.interlock import DeviceActionKind

FAMILY: Final = Family(
    name="angel_eye",
    summary="Angel Eye II-EX baccarat shoe, RS-232 or raw TCP",
    open="drivers.angel_eye:open_device",
    make="firmware_bridge.angel_eye.bridge:ShoeBridge",
    line="drivers.angel_eye:LINE.changed",
    faults="firmware_bridge.angel_eye.bridge:FAULTS",
    frames="protocols.angel_eye.frames:frames",
    suite="conformance.angel_eye.suite:SUITE",
    simulated="sim.kinds.angel_eye:KINDS",
    commands=(
        DeviceActionKind.LOCK,
        DeviceActionKind.UNLOCK,
        DeviceActionKind.CLEAR_ERROR,
        DeviceActionKind.CONFIRM_ROUND,
    ),
    equipment="shoe",
    games=frozenset({"baccarat"}),
    # It takes an overdrawn card for the first of its next round.
    wants={"overdrawn_card": "next_round"},
)
