"""The kinds of simulated devices that the families have."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cardshoe.cli.echo import echo
from cardshoe.cli.families import offering
from firmware_bridge.families import Family
from sim.simulated import SimulatedKind

_FORM: Final = "its part `simulated` must be a tuple of SimulatedKind, each with a name of its own"


class Simulated(NamedTuple):
    """A kind, and the family by which a table meets it."""

    family: Family
    kind: SimulatedKind[Any]


def simulated_kinds() -> Iterator[Simulated]:
    """All kinds, ours first; what cannot be used is reported on standard error and left out."""
    taken: dict[str, str] = {}
    for family, kinds in offering("simulated", tuple):
        for kind in kinds:
            if not isinstance(kind, SimulatedKind):
                echo(f"{family.name}: {kind!r} cannot be simulated: {_FORM}. It is left out.", err=True)
            elif kind.name in taken:
                where = f"{family.name}: {kind.name!r} is taken by the family {taken[kind.name]!r}"
                echo(f"{where}: {_FORM}. It is left out.", err=True)
            else:
                taken[kind.name] = family.name
                yield Simulated(family, kind)
