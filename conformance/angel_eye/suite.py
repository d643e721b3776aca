"""The suite of the family ``angel_eye``."""

import dataclasses
from collections.abc import Mapping
from typing import Final

from conformance.angel_eye import command_checks, telegram_checks
from conformance.angel_eye.rig import AngelEyeRig
from conformance.bench import Bench
from conformance.runner import Suite
from drivers.angel_eye import LINE
from drivers.serial_port import SerialSettings


def _line(settings: Mapping[str, object]) -> SerialSettings:
    return SerialSettings.from_mapping({**dataclasses.asdict(LINE), **settings})


def _rig(bench: Bench, _settings: Mapping[str, object]) -> AngelEyeRig:
    return AngelEyeRig(bench)


SUITE: Final[Suite[AngelEyeRig]] = Suite(
    family="angel_eye",
    page="docs/protocols/angel-eye.md",
    checks=(*command_checks.CHECKS, *telegram_checks.CHECKS),
    line=_line,
    rig=_rig,
)
"""Every check of an Angel Eye shoe; commands first, since most of them need nobody at the shoe."""
