"""Checks of the persons who authorise an input."""

from collections.abc import Mapping, Sequence

from regulations.events.vocabulary import Role


def two_persons(by: Sequence[int | str]) -> bool:
    """7 and ``"7"`` are the same person."""
    return len({str(person) for person in by}) > 1


def is_supervised(by: Sequence[int | str], roles: Mapping[str, Role]) -> bool:
    known = [roles.get(str(person)) for person in by]
    return None in known or "supervisor" in known
