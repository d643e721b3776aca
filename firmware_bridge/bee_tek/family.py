"""The family of Bee-Tek shoes."""

from typing import Final

from firmware_bridge.families import Family

FAMILY: Final = Family(
    name="bee_tek",
    summary="USPC Bee-Tek shoe, RS-232 or raw TCP, read-only",
    open="drivers.bee_tek:open_device",
    make="firmware_bridge.bee_tek.bridge:BeeTekBridge",
    line="drivers.bee_tek:LINE.changed",
    faults="firmware_bridge.bee_tek.bridge:FAULTS",
    frames="protocols.bee_tek.frames:frames",
    suite="conformance.bee_tek.suite:SUITE",
    simulated="sim.kinds.bee_tek:KINDS",
    equipment="shoe",
)
