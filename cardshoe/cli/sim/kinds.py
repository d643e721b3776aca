"""The kinds of simulated devices that the families have."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from cardshoe.cli.echo import echo
from cardshoe.cli.families import offering
from firmware_bridge.families import Family
from sim.simulated import SimulatedKind


class Simulated(NamedTuple):
    family: Family
    kind: SimulatedKind[Any]


def simulated_kinds() -> Iterator[Simulated]:
    taken: dict[str, str] = {}
    for family, kinds in offering("simulated", tuple):
        for kind in kinds:
            if not isinstance(kind, SimulatedKind):
                echo(f"{family.name}: {kind!r} is no SimulatedKind. It is left out; ask its maker.", err=True)
            elif kind.name in taken:
                problem = f"the simulated device {kind.name!r} is one of the family {taken[kind.name]!r} already"
                echo(f"{family.name}: {problem}. It is left out; ask its maker.", err=True)
            else:
                taken[kind.name] = family.name
                yield Simulated(family, kind)
