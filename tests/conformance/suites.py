"""The suites of our own families."""

from typing import Any, Final

from conformance.runner import Suite
from firmware_bridge.families import families, family_named

FAMILIES: Final = tuple(families([]))


def suite(family: str) -> Suite[Any]:
    """The suite of a family."""
    return family_named(family, []).part("suite", Suite)
