"""Which faces a device reads, of a deck in known order."""

from collections.abc import Sequence
from typing import Final

from conformance.bench import Bench
from conformance.check_result import FaceReading, require

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
FACES: Final = tuple(f"{rank}{suit}" for suit in SUITS for rank in RANKS)
"""A sorted deck, the first card first."""

SHOWN: Final = 8


def readings(drawn: Sequence[str], told: Sequence[str | None]) -> tuple[FaceReading, ...]:
    """Pair cards with reports, in order, with the fewest differences: a report too few or too many moves no other."""
    costs = [[at + to if not (at and to) else 0 for to in range(len(told) + 1)] for at in range(len(drawn) + 1)]
    for at, face in enumerate(drawn, start=1):
        for to, seen in enumerate(told, start=1):
            both = costs[at - 1][to - 1] + (face != seen)
            costs[at][to] = min(both, costs[at - 1][to] + 1, costs[at][to - 1] + 1)
    found: list[FaceReading] = []
    at, to = len(drawn), len(told)
    while at:
        cost = costs[at][to]
        if to and cost == costs[at - 1][to - 1] + (drawn[at - 1] != told[to - 1]):
            at, to = at - 1, to - 1
            found.append(FaceReading(drawn[at], told[to]))
        elif cost == costs[at - 1][to] + 1:
            at -= 1
            found.append(FaceReading(drawn[at], None))
        else:
            to -= 1
    return tuple(reversed(found))


def require_all_read(bench: Bench, told: Sequence[str | None], raw: bytes = b"") -> None:
    """Compare reports with ``FACES``, and keep the matrix for the report.

    Raises:
        RequirementFailed: a face was not read as what it is, or the number of reports differs.
    """
    bench.faces = readings(FACES, told)
    wrong = [f"{one.face} {one.words}" for one in bench.faces if not one.is_right]
    more = f" and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    got = f"{len(told)} reports; {', '.join(wrong[:SHOWN]) or 'each face read'}{more}"
    require(not wrong and len(told) == len(FACES), f"{len(FACES)} cards, each read as what it is", got, raw)
