"""``python -m tests.firmware_bridge.update.packages`` alters sticks with firmware in every known way; none may pass.

Bits are flipped and files cut, as an accident does it; and fields, signatures, keys, versions and files are exchanged,
as somebody does it who knows the format. Half of the alterations are done by somebody who has the publisher's key and
binds what was altered by a new snapshot and timestamp: then no hash betrays it, and only the signatures of makers,
regulator and root can.
"""

import random
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from cardshoe.process.progress import watched
from firmware_bridge.trust.errors import TrustError
from tests.firmware_bridge.trust.forger import KINDS, STATES, Forger
from tests.firmware_bridge.trust.sticks import NOW, Makers, in_memory, key_from
from tests.kit.campaign import CampaignCommand


@dataclass
class World:
    """Sound sticks, and sites that know nothing or the first of them.

    Attributes:
        folder: holds ``one`` and ``two`` (sticks), ``state-one`` and ``state-two`` (sites that took them), and
            ``other``: a stick with the same names by strangers.
        makers: who made the sticks.
    """

    folder: Path
    makers: Makers

    @classmethod
    def make(cls, folder: Path) -> "World":
        """Make it in an empty folder."""
        makers = Makers(folder / "repository").begin()
        makers.release("1.0.0")
        makers.stick(folder / "one")
        # Between the sticks root changes hands, so that no file of the second is known to a site that has the first.
        makers.root = [*makers.root[1:], key_from("root-4")]
        makers.publication.begin(makers.holders, NOW)
        makers.sign_all()
        makers.release("1.1.0", 2)
        makers.stick(folder / "two")
        for name in ("one", "two"):
            makers.store(folder / f"state-{name}").import_from(folder / name, NOW)
        strangers = Makers(folder / "strangers")
        strangers.root = [key_from(f"stranger-root-{n}") for n in (1, 2, 3)]
        strangers.acme = [key_from(f"stranger-acme-{n}") for n in (1, 2, 3)]
        strangers.regulator, strangers.publisher = key_from("stranger-regulator"), key_from("stranger-publisher")
        strangers.begin()
        strangers.release("1.0.0")
        strangers.release("1.1.0", 2)
        strangers.stick(folder / "other")
        return cls(folder, makers)

    def accepts(self, stick: Path, state: str) -> str:
        """Why a site in that state refuses a stick; empty if it takes it."""
        site = stick.parent / "site"
        if state != "fresh":
            shutil.copytree(self.folder / f"state-{state}", site, symlinks=True)
        try:
            self.makers.store(site).import_from(stick, NOW)
        except TrustError as error:
            return error.code.value
        return ""


@dataclass
class Result:
    """The counts of the packages.

    Attributes:
        packages: sticks that were altered.
        accepted: those that were taken, described.
        by_kind: how many of each kind.
        codes: how often each refusal.
    """

    packages: int = 0
    accepted: list[str] = field(default_factory=list)
    by_kind: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)


def run(folder: Path, mutations: int, seed: int) -> Result:
    """Alter so many sticks and see whether one is taken.

    Args:
        folder: empty; a file system in memory makes it quick.
        mutations: how many.
        seed: decides everything.

    Raises:
        AssertionError: a sound stick is refused: then nothing would be shown by refusing altered ones.
    """
    world, chance, result = World.make(folder), random.Random(seed), Result()
    kinds = sorted(KINDS)
    for number in watched("packages", range(mutations), mutations, unit="packages"):
        kind = kinds[number % len(kinds)]
        with tempfile.TemporaryDirectory(dir=folder) as name:
            stick = Path(shutil.copytree(folder / "two", Path(name) / "stick"))
            forger = Forger(folder, world.makers, stick, chance)
            forger.alter(kind)
            code = world.accepts(stick, forger.state)
        result.packages += 1
        result.by_kind[kind] += 1
        result.codes[code or "accepted"] += 1
        if not code:
            result.accepted.append(f"{number}: {kind} {forger.done}, in a site that knows {forger.state}")
    for state in (*STATES, "two"):
        with tempfile.TemporaryDirectory(dir=folder) as name:
            stick = Path(shutil.copytree(folder / "two", Path(name) / "stick"))
            refused = world.accepts(stick, state)
            assert not refused, f"the sound stick is refused by a site that knows {state}: {refused}"
    return result


def main() -> int:
    """Run it; the last line is for programs."""
    command = CampaignCommand("packages", __doc__)
    command.option("--mutations", type=int, default=10_000)
    given = command.begin()
    with in_memory() as folder:
        result = run(folder, given.mutations, given.seed)
    for one in result.accepted[:50]:
        command.say(f"accepted: {one}")
    command.list({f"altered: {kind}": count for kind, count in result.by_kind.items()})
    command.list({f"refused as {code}": count for code, count in result.codes.items()})
    return command.end(f"packages={result.packages} accepted={len(result.accepted)}", is_good=not result.accepted)


if __name__ == "__main__":
    sys.exit(main())
