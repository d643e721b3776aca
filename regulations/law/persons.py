"""Who answers for an act."""

from collections.abc import Mapping, Sequence

from regulations.events.vocabulary import Role


def two_persons(by: Sequence[int | str]) -> bool:
    """True if at least two different persons answer; 7 and ``"7"`` are the same one."""
    return len({str(person) for person in by}) > 1


def is_supervised(by: Sequence[int | str], roles: Mapping[str, Role]) -> bool:
    """True if a supervisor is among these persons, or can be: the role of one of them is not in the log.

    Args:
        by: the persons who answer, one or more.
        roles: by person: the role of the last sign-in. A person who only approves does not sign in.
    """
    known = [roles.get(str(person)) for person in by]
    return None in known or "supervisor" in known
