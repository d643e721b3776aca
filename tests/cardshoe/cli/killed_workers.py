"""Workers of a campaign that are killed; a process that plays imports this alone."""

import os
import signal
from pathlib import Path
from typing import Final

from cardshoe.cli.campaign.blocks import Block, Campaign, play_block

MARK: Final = "CARDSHOE_TEST_KILLED"


def killed_once(campaign: Campaign, block: int) -> Block:
    """Plays a block in a worker, the first of which is killed at its second block."""
    mark = Path(os.environ[MARK])
    if block == 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play_block(campaign, block)


def killed_always(_campaign: Campaign, _block: int) -> Block:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError
