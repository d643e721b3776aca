"""The family of devices that speak TDP."""

from typing import Final

from firmware_bridge.families import Family
from firmware_bridge.interlock import DeviceActionKind

FAMILY: Final = Family(
    name="tdp",
    summary="Shuffler, shuffler-dealer or shoe that speaks TDP/1, over USB, RS-232 or TCP",
    open="drivers.tdp:open_device",
    make="firmware_bridge.tdp.bridge:TdpBridge",
    line="drivers.tdp_settings:line_of",
    faults="firmware_bridge.tdp.faults:FAULTS",
    frames="protocols.tdp.frames:frames",
    suite="conformance.tdp.suite:SUITE",
    simulated="sim.kinds.tdp:KINDS",
    replay="sim.tdp.replayed:replay_messages",
    # It locks by itself after each card, so nothing unlocks it for longer.
    commands=tuple(
        kind for kind in DeviceActionKind if kind not in (DeviceActionKind.UNLOCK, DeviceActionKind.CONFIRM_ROUND)
    ),
    doubts=(("security", "plain", "uses plain TDP, for bring-up only: its cards can be read and forged on the wire"),),
)
