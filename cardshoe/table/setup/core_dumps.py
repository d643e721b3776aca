"""Keep this process's memory off disks: it holds keys and face-down cards."""

import ctypes
import logging
import resource
import sys
from typing import Final

logger: Final = logging.getLogger(__name__)

_PR_SET_DUMPABLE: Final = 4


def forbid_dumps() -> None:
    """Forbid core dumps and memory access by the same user.

    "Not dumpable" too, because systemd's core pipe ignores the limit of 0.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        logger.warning("cores cannot be forbidden here (errno %d): let the system write none", ctypes.get_errno())
