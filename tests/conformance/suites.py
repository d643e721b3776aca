"""The suites of our own families."""

from collections.abc import Mapping
from typing import Any, Final

from conformance.bench import Bench
from conformance.check import ConformanceCheck
from conformance.runner import Suite
from drivers.serial_port import SerialSettings
from firmware_bridge.families import families, family_named

FAMILIES: Final = tuple(families([]))


def suite(family: str) -> Suite[Any]:
    """The suite of a family."""
    return family_named(family, []).part("suite", Suite)


class PlainRig:
    """A rig that does nothing; ``end`` fails where a check asks for it."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.ends = 0

    def begin(self) -> None:
        """Nothing to bring into a state."""

    def end(self) -> None:
        self.ends += 1

    def identity(self) -> dict[str, str]:
        return {"ends": str(self.ends)}


def suite_of(*checks: ConformanceCheck[PlainRig]) -> Suite[PlainRig]:
    def line(settings: Mapping[str, object]) -> SerialSettings:
        return SerialSettings.from_mapping(settings)

    def rig(bench: Bench, _settings: Mapping[str, object]) -> PlainRig:
        return PlainRig(bench)

    return Suite(family="plain", page="page.md", digest="00ff", checks=checks, line=line, rig=rig)
