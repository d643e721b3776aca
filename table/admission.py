"""Whether the devices of a table may be at it: who judges them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_bridge.admission.judge import Judge, Nobody
from firmware_bridge.bridge import Bridge
from table.config import TableConfig

if TYPE_CHECKING:
    from firmware_bridge.admission.site_judge import SiteJudge


def appoint_judge(config: TableConfig, bridges: Sequence[Bridge[Any]]) -> None:
    """Has the devices of a table judged by its site; without one the log says that nobody did.

    Args:
        config: the table.
        bridges: of its devices, in the order of the configuration; not started yet.

    Raises:
        TrustError: the site's folder cannot be used, or is older than what this table has seen: no table opens on it.
    """
    judge: Judge = Nobody()
    if config.trust is not None:
        judge = site_judge(config.trust, config.journal_dir)
    for device, bridge in zip(config.devices, bridges, strict=True):
        bridge.appoint(judge, device.family, device.port)


def site_judge(site: Path, journals: Path, *, keeps: bool = True) -> "SiteJudge":
    """The judge of a table with a site.

    Args:
        site: the site's folder.
        journals: the folder of the table's journals, where it remembers what it has seen.
        keeps: whether it does; ``False`` for whoever only looks.

    Raises:
        TrustError: as :func:`appoint_judge`.
    """
    # tuf takes longer to import than all the rest, and most tables have no site yet.
    from firmware_bridge.admission.seen import FILE, Seen  # noqa: PLC0415  see above
    from firmware_bridge.admission.site_judge import SiteJudge  # noqa: PLC0415  see above

    judge = SiteJudge(site, Seen(journals / FILE, keeps=keeps))
    judge.open()
    return judge
