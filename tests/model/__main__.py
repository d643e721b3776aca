"""Searches the model of TDP's link with more faults than ``make test``, then finds each seeded bug: ``make model``."""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from cardshoe.process.progress import watched
from protocols.tdp.link import Link
from tests.conftest import DEFAULT_SEED
from tests.model.replaying import Replay
from tests.model.spin import MISSING, search, walk
from tests.model.wrong_links import BUGS

SEARCHES: Final[tuple[dict[str, int], ...]] = (
    {"FAULTS": 2, "RESTARTS": 1},
    {"FAULTS": 3, "RESTARTS": 1},
    {"FAULTS": 2, "RESTARTS": 2},
    {"FAULTS": 2, "RESTARTS": 1, "HOST_ITEMS": 3},
    {"FAULTS": 4, "RESTARTS": 1, "COPIES": 0, "MODULUS": 3, "ITEMS": 6},
    {"FAULTS": 3, "RESTARTS": 1, "COPIES": 0, "MODULUS": 4, "WINDOW": 3, "ITEMS": 6, "HOST_ITEMS": 2},
)
"""Each takes seconds to a minute and up to 3 GB. The last two: numbers that come round, a wider window."""
WALKS: Final = 300


def main() -> int:
    """Run; returns 0 if the model has no error, and each bug is found in it and shown by the wrong link, not ours."""
    parser = argparse.ArgumentParser(prog="model", description=__doc__)
    parser.add_argument("--walks", type=int, default=WALKS, help="ways by chance that our link is to go step by step")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="of the first of them")
    options = parser.parse_args()
    if MISSING:
        print(f"model: needs {' and '.join(MISSING)}, as Debian packages", flush=True)
        return 1
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for settings in watched("model", SEARCHES, unit="searches", prints=True):
            began_s = time.monotonic()
            found = search(folder, shortest=False, is_large=True, **settings)
            good &= found.error is None and found.is_whole
            print(
                f"{settings}: {found.states} states, {found.error or 'no error'}, {time.monotonic() - began_s:.0f} s",
                flush=True,
            )
        for bug in watched("bugs", BUGS, unit="bugs", prints=True):
            found = search(folder, is_large=True, BUG=bug.number)
            wrong, right = (list(Replay(link).play(found.steps).wrong) for link in (bug.link, Link))
            good &= found.error is not None and bool(wrong) and not right
            print(
                f"{bug.link.__name__}: {len(found.steps)} steps, {wrong}, our link: {right or 'nothing wrong'}",
                flush=True,
            )
        differs = 0
        for part in watched("walks", range(options.walks), options.walks, unit="walks"):
            replay = Replay(Link).play(walk(folder, options.seed + part, FAULTS=4, RESTARTS=3))
            differs += bool(replay.differs or replay.wrong)
    print(f"model: walks={options.walks} differ={differs} {'sound' if good and not differs else 'UNSOUND'}", flush=True)
    return 0 if good and not differs else 1


if __name__ == "__main__":
    sys.exit(main())
