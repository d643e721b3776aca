"""The family: what cardshoe imports to find the shoe; the parts are imported when they are used."""

from typing import Final

from firmware_bridge.families import Family

FAMILY: Final = Family(
    name="acme",
    summary="Acme shoe, RS-232 or raw TCP, read-only",
    open="acme_shoe.bridge:AcmeDevice",
    make="acme_shoe.bridge:AcmeBridge",
    line="acme_shoe.bridge:LINE.changed",
    faults="acme_shoe.bridge:FAULTS",
    frames="acme_shoe.codec:frames",
    suite="acme_shoe.suite:SUITE",
    simulated="acme_shoe.simulated:KINDS",
    equipment="shoe",
)
