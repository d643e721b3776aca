"""``make tamper``: the whole campaign. Fails if anything was missed, or if a recovered journal was complained of."""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.tamper.campaign import MEMORY, Campaign


def main() -> int:
    """Run it; the last line is for programs."""
    parser = argparse.ArgumentParser(prog="make tamper", description=__doc__)
    parser.add_argument("--mutations", type=int, default=50_000)
    parser.add_argument("--crashes", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=20261121)
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        campaign = Campaign(Path(folder), given.seed)
        campaign.crash(given.crashes)
        campaign.mutate(given.mutations)
    result = campaign.result
    for missed in result.missed[:50]:
        print(missed)
    print(f"seed {given.seed}, {time.monotonic() - began:.0f} s, {result.crashes} journals recovered from a crash")
    for kind, count in sorted(result.by_kind.items()):
        print(f"  {kind:<20} {count}")
    print(f"tamper: mutations={result.mutations} found={result.found} false_alarms={result.false_alarms}")
    return 0 if result.found == result.mutations and not result.false_alarms else 1


if __name__ == "__main__":
    sys.exit(main())
