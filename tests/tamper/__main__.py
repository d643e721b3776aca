"""``make tamper``: the whole campaign. Fails if anything was missed, or if a recovered journal was complained of."""

import os
import sys
import tempfile
from pathlib import Path

from tests.kit.campaign import CampaignCommand
from tests.tamper.campaign import MEMORY, Campaign


def main() -> int:
    """Run it; the last line is for programs."""
    command = CampaignCommand("tamper", __doc__)
    command.option("--mutations", type=int, default=50_000)
    command.option("--crashes", type=int, default=1_000)
    given = command.begin()
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        campaign = Campaign(Path(folder), given.seed)
        campaign.crash(given.crashes)
        campaign.mutate(given.mutations)
    result = campaign.result
    for missed in result.missed[:50]:
        command.say(missed)
    command.list(result.by_kind)
    figures = f"mutations={result.mutations} found={result.found} crashes={result.crashes}"
    return command.end(
        f"{figures} false_alarms={result.false_alarms}",
        is_good=result.found == result.mutations and not result.false_alarms,
    )


if __name__ == "__main__":
    sys.exit(main())
