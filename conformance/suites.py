"""The suites by family, each imported only when it is used."""

from importlib import import_module
from typing import Any, Final

from conformance.runner import Suite
from drivers.errors import UnknownFamily

FAMILIES: Final = ("angel_eye", "bee_tek", "tdp")
"""Families that have a suite."""


def suite(family: str) -> Suite[Any]:
    """Return the suite of a family.

    Raises:
        UnknownFamily: it has none.
    """
    if family not in FAMILIES:
        raise UnknownFamily(family, FAMILIES)
    found: Suite[Any] = import_module(f"conformance.{family}.suite").SUITE
    return found
