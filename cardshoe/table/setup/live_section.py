"""``[live]``: accounts of display and uplink."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from cardshoe.process.config_mistakes import ConfigMistake
from cardshoe.table.setup.uplink_section import UplinkSection


class LiveSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[live]``: accounts that may connect; `cardshoe run` then starts neither display nor uplink.

    Attributes:
        folder: of the live socket; its group may connect.
        display: account that may enter inputs.
        uplink: account that may only read, in the journals' group.
    """

    folder: Annotated[str, Meta(min_length=1)]
    display: str = "cardshoe-display"
    uplink: str = "cardshoe-uplink"

    def below(self, folder: Path) -> "LiveSection":
        """With a folder relative to the configuration's."""
        return msgspec.structs.replace(self, folder=str(folder / self.folder))


def faults_of_live(live: LiveSection | None, uplink: UplinkSection | None) -> Iterator[ConfigMistake]:
    if live is None or uplink is None:
        return
    if uplink.folder is None:
        reason = f"with [live] the uplink is the account {live.uplink!r} and writes nothing beside the journals: name "
        yield ConfigMistake(
            key="uplink.folder", reason=f"{reason}a folder of its own, such as /var/lib/cardshoe-uplink/TABLE"
        )
