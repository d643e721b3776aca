"""No copy of this process's memory on a disk.

Memory holds the journal's key and face-down cards.
"""

import ctypes
import logging
import resource
import sys
from typing import Final

logger: Final = logging.getLogger(__name__)

_PR_SET_DUMPABLE: Final = 4


def forbid_dumps() -> None:
    """Forbid cores and memory access by other processes of the user.

    "Not dumpable" too, because a kernel that pipes cores (systemd) ignores the limit of 0. Debuggers of the same user
    cannot attach; root's can.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        logger.warning("cores cannot be forbidden here (errno %d): let the system write none", ctypes.get_errno())
