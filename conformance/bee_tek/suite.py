"""The suite of the family ``bee_tek``."""

from collections.abc import Mapping
from typing import Final

from conformance.bee_tek import line_checks
from conformance.bee_tek.rig import BeeTekRig
from conformance.bench import Bench
from conformance.runner import Suite
from drivers.bee_tek import LINE


def _rig(bench: Bench, _settings: Mapping[str, object]) -> BeeTekRig:
    return BeeTekRig(bench)


SUITE: Final[Suite[BeeTekRig]] = Suite(
    family="bee_tek",
    page="docs/protocols/bee-tek.md",
    digest="9900be030b7f26dd5236cffe833719f5cff94ae1471a80ed8b44ccf53d133549",
    checks=tuple(line_checks.CHECKS),
    line=LINE.changed,
    rig=_rig,
)
