"""Which cases exercise which rule, found by running the cases: ``python -m tests.regulations.traceability --write``.

A case is listed for a rule if the rule fired in one of the steps whose outputs the case compares, and if the case
fails once the rule is taken out of the rulebook. What fired on the way to where a case begins does not count.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from regulations.rulebook import Rulebook
from tests.regulations.support.notation import Case, read_cases
from tests.regulations.support.running import run
from tests.regulations.support.tracing import RULEBOOK, Trace, rows_heard, traced_rulebook

REPOSITORY: Final = Path(__file__).parent.parent.parent
MATRIX: Final = REPOSITORY / "regulations" / "baccarat" / "traceability.json"


def fired_in(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """The cases in which each rule fired; a case that the machine does not satisfy yet exercises nothing."""
    found: defaultdict[str, list[Case]] = defaultdict(list)
    for case in cases:
        if case.broken:
            continue
        trace = Trace()
        with rows_heard(trace):
            run(case, traced_rulebook(trace), trace)
        for name in trace.fired:
            found[name].append(case)
    return dict(found)


@cache
def without(name: str) -> Rulebook:
    """The rules but one."""
    return RULEBOOK.without(name)


def fails_without(case: Case, name: str) -> bool:
    """Whether a case notices that a rule is missing: by another answer, or by a machine that breaks down."""
    try:
        run(case, without(name))
    except Exception:  # noqa: BLE001  a machine without one of its rules may break in any way
        return True
    return False


def rule_names() -> list[str]:
    """The names of all rules, sorted."""
    return sorted(RULEBOOK.name_of(rule) for rule in RULEBOOK.rules)


def listed(name: str, fired: dict[str, list[Case]]) -> list[str]:
    """The names of the cases listed for a rule, sorted."""
    return sorted(case.name for case in fired.get(name, []) if fails_without(case, name))


def matrix() -> dict[str, list[str]]:
    """The names of the cases listed for each rule."""
    fired = fired_in(read_cases())
    return {name: listed(name, fired) for name in rule_names()}


def written() -> str:
    """The matrix as the file holds it."""
    return json.dumps(matrix(), ensure_ascii=False, indent=1) + "\n"


def main() -> int:
    """Writes the matrix, or says whether the file is fresh."""
    parser = argparse.ArgumentParser(description="The traceability matrix of the law.")
    parser.add_argument("--write", action="store_true", help=f"write {MATRIX.relative_to(REPOSITORY)}")
    fresh = written()
    if parser.parse_args().write:
        MATRIX.write_text(fresh, encoding="utf-8")
        return 0
    if MATRIX.is_file() and MATRIX.read_text(encoding="utf-8") == fresh:
        return 0
    sys.stderr.write(f"{MATRIX} is not fresh: run python -m tests.regulations.traceability --write\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
