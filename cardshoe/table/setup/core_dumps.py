"""No copy of this process's memory on a disk: it holds the journal's key and cards that lie face down."""

import ctypes
import logging
import resource
import sys
from typing import Final

logger: Final = logging.getLogger(__name__)

_PR_SET_DUMPABLE: Final = 4
"""``prctl`` of Linux (``linux/prctl.h``)."""


def forbid_dumps() -> None:
    """Have this process write no core, and let no other process of the same user read its memory."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        logger.warning("cores cannot be forbidden here (errno %d): let the system write none", ctypes.get_errno())
