"""How long a statistical test runs: short in ``make test``, in full in ``make soak``."""

import os
from typing import Final

SOAK: Final = os.environ.get("CARDSHOE_SOAK") == "1"
"""True if the full figures are wanted."""


def at_length(short: int, full: int) -> int:
    """So many repetitions: ``short`` in ``make test``, ``full`` in ``make soak``."""
    return full if SOAK else short
