"""Create the configured witnesses."""

import ssl
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from cardshoe.journal.witness.places import is_address
from cardshoe.journal.witness.targets import FileTarget, WitnessTarget
from cardshoe.journal.witness.tasks import Tasks

NO_KEYS: Final[Mapping[str, str]] = MappingProxyType({})


def holder_at(
    place: str, folder: Path, tls: ssl.SSLContext | None, tasks: Tasks, keys: Mapping[str, str] = NO_KEYS
) -> WitnessTarget:
    """Create the link to a witness; ``tasks`` make its proofs."""
    if is_address(place):
        from cardshoe.journal.witness.http_target import HttpTarget, client_for  # noqa: PLC0415  long to load, and seldom needed

        return HttpTarget(client_for(place, tls, keys.get(place)), tasks)
    return FileTarget(folder / place, place)
