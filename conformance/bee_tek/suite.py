"""The suite of the family ``bee_tek``."""

import dataclasses
from collections.abc import Mapping
from typing import Final

from conformance.bee_tek import line_checks
from conformance.bee_tek.rig import BeeTekRig
from conformance.bench import Bench
from conformance.runner import Suite
from drivers.bee_tek import LINE
from drivers.serial_port import SerialSettings


def _line(settings: Mapping[str, object]) -> SerialSettings:
    return SerialSettings.from_mapping({**dataclasses.asdict(LINE), **settings})


def _rig(bench: Bench, _settings: Mapping[str, object]) -> BeeTekRig:
    return BeeTekRig(bench)


SUITE: Final[Suite[BeeTekRig]] = Suite(
    family="bee_tek",
    page="docs/protocols/bee-tek.md",
    checks=tuple(line_checks.CHECKS),
    line=_line,
    rig=_rig,
)
"""Every check of a Bee-Tek shoe."""
