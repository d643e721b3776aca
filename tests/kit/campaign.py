"""The command of a campaign: its options, and one form of report, whose last line is for programs."""

import argparse
import os
import time
from collections.abc import Mapping, Sequence
from typing import Final

from tests.conftest import DEFAULT_SEED


class CampaignCommand:
    """A command that tries much, prints what it finds and ends with 0, or with 1 if anything is wrong.

    Args:
        name: begins the last line.
        purpose: the help text.
        seed: the usual one; `None`: nothing depends on chance.
    """

    def __init__(self, name: str, purpose: str | None, *, seed: int | None = DEFAULT_SEED) -> None:
        self._name: Final = name
        form = argparse.RawDescriptionHelpFormatter
        self._parser: Final = argparse.ArgumentParser(prog=name, description=purpose, formatter_class=form)
        self.option: Final = self._parser.add_argument
        self.refuse: Final = self._parser.error
        if seed is not None:
            self.option("--seed", type=int, default=seed, help=f"of all that is left to chance (default {seed})")
        self._seed: int | None = None
        self._began_s = 0.0

    def begin(self, arguments: Sequence[str] | None = None) -> argparse.Namespace:
        """Read the options; the time counts from here."""
        given = self._parser.parse_args(arguments)
        self._seed = getattr(given, "seed", None)
        self._began_s = time.monotonic()
        return given

    @property
    def cpu_s(self) -> float:
        """CPU seconds of this process and of the children that have ended."""
        return sum(os.times()[:4])

    def say(self, line: object) -> None:
        """Print a line at once."""
        print(line, flush=True)

    def list(self, counts: Mapping[str, int]) -> None:
        """Print how often each thing happened."""
        for what, count in sorted(counts.items()):
            self.say(f"  {what:<50} {count}")

    def end(self, figures: object, *, is_good: bool) -> int:
        """Print the last line; return the exit code."""
        seed = "" if self._seed is None else f" seed={self._seed}"
        wall_s = time.monotonic() - self._began_s
        self.say(f"{self._name}: {figures}{seed} cpu_s={self.cpu_s:.0f} wall_s={wall_s:.0f}")
        return 0 if is_good else 1
