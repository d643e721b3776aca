"""Searches the model of TDP's link with more faults than ``make test``, then finds each seeded bug: ``make model``."""

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from cardshoe.process.progress import watched
from protocols.tdp.link import Link
from tests.kit.campaign import CampaignCommand
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
    command = CampaignCommand("model", __doc__)
    command.option("--walks", type=int, default=WALKS, help="ways by chance that our link is to go step by step")
    options = command.begin()
    if MISSING:
        command.say(f"model: needs {' and '.join(MISSING)}, as Debian packages")
        return 1
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for settings in watched("model", SEARCHES, unit="searches", prints=True):
            began_s = time.monotonic()
            found = search(folder, shortest=False, is_large=True, **settings)
            good &= found.error is None and found.is_whole
            took_s = time.monotonic() - began_s
            command.say(f"{settings}: {found.states} states, {found.error or 'no error'}, {took_s:.0f} s")
        for bug in watched("bugs", BUGS, unit="bugs", prints=True):
            found = search(folder, is_large=True, BUG=bug.number)
            wrong, right = (list(Replay(link).play(found.steps).wrong) for link in (bug.link, Link))
            good &= found.error is not None and bool(wrong) and not right
            command.say(f"{bug.link.__name__}: {len(found.steps)} steps, {wrong}, our link: {right or 'nothing wrong'}")
        differs = 0
        for part in watched("walks", range(options.walks), options.walks, unit="walks"):
            replay = Replay(Link).play(walk(folder, options.seed + part, FAULTS=4, RESTARTS=3))
            differs += bool(replay.differs or replay.wrong)
    is_sound = good and not differs
    return command.end(f"walks={options.walks} differ={differs} is_sound={is_sound}", is_good=is_sound)


if __name__ == "__main__":
    sys.exit(main())
