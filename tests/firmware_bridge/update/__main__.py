"""``make updatecut``: whatever fails in an update night, nothing is bricked, rolled back, lost or taken unapproved.

The power goes in every flash operation of an update and of a revert; the host dies everywhere, in combination with it;
packages are altered. It fails if anything was found, or if a machine with a known mistake was not caught. The last line
is for programs.
"""

import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from tests.firmware_bridge.update import packages
from tests.firmware_bridge.update.flashcuts import Extent, campaign
from tests.firmware_bridge.update.hostcuts import HostCuts
from tests.firmware_bridge.update.hostile import LiesOfAll
from tests.firmware_bridge.update.wrong_machines import Gullible, RecordsLate
from tests.kit.campaign import CampaignCommand

NIGHTS: Final = 16_000
CONTROL_NIGHTS: Final = 400
_MEMORY: Final = Path("/dev/shm")  # noqa: S108  # a file system in memory: the disk has nothing to do with this


def controls(folder: Path, seed: int, nights: int) -> dict[str, bool]:
    """Machines with a mistake; whether each was caught.

    Args:
        folder: for their sites.
        seed: of what goes wrong.
        nights: how many each is given.
    """
    late = HostCuts(folder / "late", RecordsLate)
    late.campaign(nights, seed)
    gullible = HostCuts(folder / "gullible", judge=Gullible, device=LiesOfAll)
    gullible.campaign(nights, seed)
    return {
        "records after the act": bool(late.found.faults["unattested"]),
        "trusts the device's own digest": bool(gullible.found.faults["lost"]),
    }


def main() -> int:
    command = CampaignCommand("update", __doc__)
    command.option("--stories", type=int, default=4, help="lives of a device in which the power is cut everywhere")
    command.option("--every", type=int, default=1, help="tear only each so-manieth page of an upload")
    command.option("--nights", type=int, default=NIGHTS, help="update nights in which host and power fail")
    command.option("--mutations", type=int, default=10_000, help="altered packages")
    command.option("--control-nights", type=int, default=CONTROL_NIGHTS, help="nights of machines with a mistake")
    given = command.begin()
    flash = campaign(seed=given.seed, extent=Extent(given.stories, given.every), tell=command.say)
    with tempfile.TemporaryDirectory(dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None) as name:
        folder = Path(name)
        hosts = HostCuts(folder / "site")
        hosts.campaign(given.nights, given.seed)
        altered = packages.run(folder / "packages", given.mutations, given.seed)
        caught = controls(folder, given.seed, given.control_nights)
    found = hosts.found
    faults: Counter[str] = flash.faults + found.faults
    for kind, where in {**flash.examples, **found.examples}.items():
        command.say(f"first {kind}: {where}")
    command.list(found.ends)
    for mistake, is_caught in caught.items():
        command.say(f"  a machine that {mistake}: {'caught' if is_caught else 'NOT CAUGHT'}")
    others = sum(count for kind, count in faults.items() if kind not in {"brick", "unapproved", "rollback", "lost"})
    return command.end(
        f"states={flash.states + len(found.hashes)} nights={found.nights} cuts={flash.cuts} "
        f"bricks={faults['brick']} unapproved={faults['unapproved']} "
        f"rollbacks={faults['rollback']} packages={altered.packages} accepted={len(altered.accepted)} "
        f"lost={faults['lost']} others={others} controls={'caught' if all(caught.values()) else 'missed'}",
        is_good=not faults and not altered.accepted and all(caught.values()),
    )


if __name__ == "__main__":
    sys.exit(main())
