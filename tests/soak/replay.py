"""Attacks TLS sessions over TDP from the wire: ``python -m tests.soak.replay``. ``docs/reliability.md`` says how.

Prints what was sent and what came of it; the last line is for programs, and the exit code is 1 unless nothing was
accepted, lost, doubled or invented, and the same attacker was seen to succeed without TLS.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from cardshoe.process.progress import Progress
from tests.kit import certificates
from tests.kit.campaign import CampaignCommand
from tests.soak.tdp_attacker import Recording
from tests.soak.tdp_replay import Count, Siege, Trust

FRAMES: Final = 1_000_000
PART: Final = 20_000
"""Frames for one pair of ends and one seed."""
CONTROL: Final = 2_000
"""Frames of the control, without TLS."""


def secured(site: Path, seed: int, frames: int) -> Count:
    """Attack sessions with TLS; what another device of the site said is known to the attacker."""
    other = Siege(seed, Trust.of_site(site, certificates.LOCALHOST)).record()
    return Siege(seed, Trust.of_site(site), other).play(frames)


def plain(seed: int, frames: int) -> Count:
    """The control: the same attack on sessions without TLS."""
    other: Recording = Siege(seed, Trust()).record()
    return Siege(seed, Trust(), other).play(frames)


def main() -> int:
    """Run; returns 0 if the attacker came to nothing with TLS, and to something without."""
    command = CampaignCommand("replay", __doc__)
    command.option("--frames", type=int, default=FRAMES)
    command.option("--processes", type=int, default=2)
    options = command.begin()
    began_s = time.monotonic()
    total = Count()
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(options.processes) as pool:
        site = certificates.make_site(Path(folder))
        parts = list(_parts(options.frames))
        seeds = range(options.seed, options.seed + len(parts))
        bar = Progress("attacks", options.frames, unit="frames")
        for count, cpu_s in pool.map(_secured, [site] * len(parts), seeds, parts):
            bar.clear()
            total += count
            for what, number in sorted(count.accepted.items()):
                command.say(f"ACCEPTED in this part, {what}: {number}")
            command.say(f"{total} cpu_s={cpu_s:.1f} wall_s={time.monotonic() - began_s:.0f}")
            bar.reached(sum(total.frames.values()))
        bar.clear()
    command.list({f"frames, {what}": number for what, number in total.frames.items()})
    command.list({f"sessions, {what}: {outcome}": number for (what, outcome), number in total.outcomes.items()})
    command.list({f"ACCEPTED, {what}": number for what, number in total.accepted.items()})
    control = plain(options.seed, CONTROL)
    caught = "caught" if control.accepted else "missed"
    return command.end(f"{total} control={caught}", is_good=total.is_sound and caught == "caught")


def _secured(site: Path, seed: int, frames: int) -> tuple[Count, float]:
    began_s = time.process_time()
    return secured(site, seed, frames), time.process_time() - began_s


def _parts(frames: int) -> Iterator[int]:
    while frames > 0:
        yield min(PART, frames)
        frames -= PART


if __name__ == "__main__":
    sys.exit(main())
