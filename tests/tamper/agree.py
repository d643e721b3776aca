"""Do both verifiers say the same of a file, whatever was done to it? `python -m tests.tamper.agree --edits 100000`.

The same is: holds, or does not; and the first bad entry that is named, if one is.
"""

import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Final

from cardshoe.journal import JournalError, Keyring, WitnessFile, read_only
from cardshoe.process.exits import Stop
from tests.kit.campaign import CampaignCommand
from tests.tamper import edits, mutations
from tests.tamper.campaign import MEMORY, PER_SPECIMEN, separate_verifier
from tests.tamper.specimen import Specimen, specimen

Verdict = tuple[bool, int | None]
"""Whether it holds, and if not, the first bad entry that is named."""

TAMPERED: Final = "tampered"
KINDS: Final = (*edits.KINDS, TAMPERED)
"""What is done: to the form of lines, notes and files, and what the tamper campaign does to journals."""


@dataclass
class Result:
    """The result of a run.

    Attributes:
        edits: how many were made.
        held: how many left a journal that both take.
        by_kind: edits of each kind.
        disagreements: what one said, and what the other; with what was done.
    """

    edits: int = 0
    held: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)


def ours(path: Path, witness: Path | None) -> tuple[Verdict, str]:
    """The program's verdict on the form, the tree and the signatures of a journal."""
    try:
        with read_only(path) as evidence:
            if not evidence.header.key:
                return (False, 0), "not signed"
            evidence.verify(None if witness is None else WitnessFile(witness))
    except (JournalError, Stop) as error:
        return (False, getattr(error, "entry", None)), str(error)
    return (True, None), "holds"


def theirs(verifier: ModuleType, path: Path, witness: Path | None) -> tuple[Verdict, str]:
    try:
        verifier.verify(path, witness)
    except verifier.Wrong as wrong:
        return (False, wrong.entry), str(wrong)
    return (True, None), "holds"


class Comparison:
    """Edits made and judged by both.

    Args:
        folder: for passing files; a file system in memory makes it quick.
        seed: decides everything but the keys of the journals that the campaign tampers with.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.result = Result()
        self.verifier = separate_verifier()
        self._specimen: Specimen | None = None

    def run(self, count: int) -> Result:
        """Make and judge so many edits."""
        for number in range(count):
            folder = self.folder / "work"
            folder.mkdir()
            try:
                self._one(folder, number)
            finally:
                shutil.rmtree(folder)
        return self.result

    def _one(self, folder: Path, number: int) -> None:
        chance = random.Random(f"{self.seed}/{number}")
        kind = chance.choice(KINDS)
        path, witness = folder / "x.journal", None
        if kind in edits.KINDS:
            done = edits.KINDS[kind](path, chance)
        else:
            done, witness = self._tampered(folder, path, chance)
        (mine, said), (other, told) = ours(path, witness), theirs(self.verifier, path, witness)
        self.result.edits += 1
        self.result.by_kind[kind] += 1
        self.result.held += mine[0] and other[0]
        if mine != other:
            self.result.disagreements.append(
                f"{number} {kind} ({done}):\n  ours   {mine}: {said}\n  theirs {other}: {told}"
            )

    def _tampered(self, folder: Path, path: Path, chance: random.Random) -> tuple[str, Path]:
        if self._specimen is None or self.result.edits % PER_SPECIMEN == 0:
            (folder / "made").mkdir()
            self._specimen = specimen(folder / "made", chance)
        of, witness = self._specimen, folder / "witness"
        witness.write_bytes(of.witness)
        path.write_bytes(of.database)
        Keyring(path).path(of.epoch).write_bytes(of.key)
        return str(mutations.Tamperer(path, witness, of, chance).any()), witness


def main() -> int:
    """Run it; the last line is for programs."""
    command = CampaignCommand("agree", __doc__)
    command.option("--edits", type=int, default=100_000)
    given = command.begin()
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        result = Comparison(Path(folder), given.seed).run(given.edits)
    for one in result.disagreements[:50]:
        command.say(one)
    command.list(result.by_kind)
    figures = f"edits={result.edits} held={result.held} disagreements={len(result.disagreements)}"
    return command.end(figures, is_good=not result.disagreements)


if __name__ == "__main__":
    sys.exit(main())
