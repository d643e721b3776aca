"""Device families on the command line."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

import click

from cardshoe.cli.echo import echo

if TYPE_CHECKING:
    from firmware_bridge.families import Family, Part

T = TypeVar("T")


class FamilyName(click.ParamType["Family"]):
    name = "family"

    def convert(self, value: "str | Family", param: click.Parameter | None, ctx: click.Context | None) -> "Family":
        """Load the family of that name."""
        from drivers.errors import UnknownFamily
        from firmware_bridge.families import family_named

        if not isinstance(value, str):
            return value
        try:
            return family_named(value)
        except UnknownFamily as error:
            return self.fail(f"{value!r} is unknown. {error.remedy}", param, ctx)


def offering(part: "Part", kind: type[T]) -> Iterator[tuple["Family", T]]:
    """Families with a part; unusable ones are reported on standard error."""
    from drivers.errors import DriverError, NoPart
    from firmware_bridge.families import families

    for offer in families().values():
        try:
            family = offer.load()
            found = family.part(part, kind)
        except NoPart:
            continue
        except DriverError as error:
            echo(f"{error} Until then it is left out.", err=True)
        else:
            yield family, found
