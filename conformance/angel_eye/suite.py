"""The suite of the family ``angel_eye``."""

from collections.abc import Mapping
from typing import Final

from conformance.angel_eye import command_checks, telegram_checks
from conformance.angel_eye.rig import AngelEyeRig
from conformance.bench import Bench
from conformance.runner import Suite
from drivers.angel_eye import LINE


def _rig(bench: Bench, _settings: Mapping[str, object]) -> AngelEyeRig:
    return AngelEyeRig(bench)


SUITE: Final[Suite[AngelEyeRig]] = Suite(
    family="angel_eye",
    page="docs/protocols/angel-eye.md",
    digest="e446499b0e519ffd9f331980a1c54383f8236d4540357250d9ce2d4d55b325ea",
    checks=(*command_checks.CHECKS, *telegram_checks.CHECKS),
    line=LINE.changed,
    rig=_rig,
)
"""Commands first, since most need no hand at the shoe."""
