"""A device's permanent memory of the host's logs (``docs/protocols/tdp.md``, section 12, rules R1 to R5)."""

from typing import Final

from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import RecallRoot, RememberRoot
from protocols.tdp.messages import RootRemembered

LOGS_MAX: Final = 8
"""Logs of which something is remembered at once (rule R1)."""
NOTHING: Final = (0, bytes(32))
"""Size and root where nothing is remembered."""


class RootMemory:
    """Size and root of the logs that were told last; nothing makes it forget but other logs."""

    def __init__(self) -> None:
        self._roots: Final[dict[bytes, tuple[int, bytes]]] = {}
        """By log, the one told longest ago first."""
        self.logs = 0
        """How many different logs ever took a place."""

    def why_not(self, command: RememberRoot) -> RefusalReason | None:
        """Why a root is not taken (rule R2); None: it is."""
        size, root = self._roots.get(command.log, NOTHING)
        if command.size == 0:
            return RefusalReason.BAD_VALUE
        if command.size < size:
            return RefusalReason.SMALLER_TREE
        return RefusalReason.OTHER_ROOT if command.size == size and command.root != root else None

    def keep(self, command: RememberRoot) -> None:
        """Keep what ``why_not`` has nothing against; a new log takes the place of the one told longest ago."""
        if self._roots.pop(command.log, None) is None:
            self.logs += 1
            if len(self._roots) >= LOGS_MAX:
                del self._roots[next(iter(self._roots))]
        self._roots[command.log] = (command.size, command.root)

    def message(self, command: RecallRoot) -> RootRemembered:
        """The answer to a question."""
        return RootRemembered(command.id, command.log, *self._roots.get(command.log, NOTHING), self.logs)
