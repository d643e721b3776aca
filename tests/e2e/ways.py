"""Where the law's cases take each way out of each kind of irregularity."""

from collections.abc import Iterator
from functools import cache

from regulations.events.inputs import Closed, Resolve
from regulations.events.outputs import Irregularity, Refused, Resolved
from regulations.events.vocabulary import IrregularityCode, ResolutionAction
from tests.regulations.support.notation import Case, all_cases
from tests.regulations.support.running import as_told, opened

Way = tuple[IrregularityCode, ResolutionAction]


@cache
def ways() -> dict[Way, tuple[Case, int]]:
    """For each way out the case that takes it soonest, with the number of the step that says so."""
    found: dict[Way, tuple[Case, int]] = {}
    for way, case, number in _taken():
        if way not in found or number < found[way][1]:
            found[way] = case, number
    return found


def _taken() -> Iterator[tuple[Way, Case, int]]:
    for case in all_cases():
        procedure = opened(case.table)
        kinds: dict[int, IrregularityCode] = {}
        for number, step in enumerate(case.steps):
            if case.broken or "permit" in step.given:  # it would be another line's number here
                break
            said = as_told(procedure, step.given)
            if isinstance(said, Closed):
                break
            outputs = procedure.apply(said)
            if isinstance(said, Resolve) and isinstance(outputs[0], Resolved):
                yield (kinds[said.irregularity], said.action), case, number
            if not isinstance(outputs[0], Refused):
                kinds |= {one.irregularity: one.code for one in outputs if isinstance(one, Irregularity)}
