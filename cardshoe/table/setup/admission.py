"""Verifiers of a table's devices."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from cardshoe.journal import NotAJournal, read_only
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.journal_names import journals_of, stem_of
from cardshoe.table.setup.config import DeviceSection, TableConfig
from cardshoe.table.setup.unfinished_update import unfinished
from firmware_bridge.admission.trust_memory import FILE, TrustMemory
from firmware_bridge.admission.verifier import DeviceVerifier, NoVerifier, UpdateBlock
from firmware_bridge.bridge import Bridge
from regulations.events.codec import decode_input
from regulations.events.errors import MalformedLine
from regulations.events.notices import DeviceJudged

if TYPE_CHECKING:
    from firmware_bridge.admission.site_verifier import SiteVerifier

logger: Final = logging.getLogger(__name__)


def appoint_judge(config: TableConfig, bridges: Sequence[Bridge[Any]]) -> None:
    """Let the site verify a table's devices; without a site the log records that.

    A device with an unfinished update is always refused.

    Raises:
        TrustError: the site's folder is unusable, or older than seen before.
        JournalError: as :func:`memory_of`.
        Stop: as :func:`check_needs_no_site`.
    """
    judge: DeviceVerifier = NoVerifier()
    if config.trust is not None:
        judge = site_judge(config.trust, memory_of(config))
    else:
        check_needs_no_site(config)
    for device, bridge in zip(config.devices, bridges, strict=True):
        bridge.appoint(watched(judge, config, device), device.family, device.port)


def watched(judge: DeviceVerifier, config: TableConfig, device: DeviceSection) -> DeviceVerifier:
    return UpdateBlock(judge, lambda: unfinished(config, device))


def check_needs_no_site(config: TableConfig) -> None:
    """Check that a table without a site never had one: deleting ``[trust]`` must not disable checks.

    Raises:
        Stop: a site has verified its devices.
    """
    path = memory_path(config)
    if path.exists():
        raise Stop(
            f"{config.path} has no [trust], and a site has judged the devices of this table before ({path})",
            "Name the site's folder in [trust]. "
            "To run a table without device verification, give it a new folder for its journals.",
            Exit.USAGE,
        )


def memory_path(config: TableConfig) -> Path:
    return config.journal_dir / f"{stem_of(config.table.table_id)}.{FILE}"


def memory_of(config: TableConfig, *, keeps: bool = True) -> TrustMemory:
    """A table's memory of its site; if lost, rebuilt from the newest journal.

    Raises:
        TrustError: it cannot be read or written.
        JournalError: it is lost, and a journal cannot be read.
    """
    path = memory_path(config)
    is_gone = config.trust is not None and not path.exists()
    seen = TrustMemory(path, keeps=keeps)
    if is_gone:
        for journal in reversed(journals_of(config.journal_dir, config.table.table_id)):
            judged = _verdicts_in(journal)
            if judged:
                for one in judged:
                    seen.recall(one)
                logger.warning("%s was gone; what it held of registry and devices is taken from %s", path, journal)
                break
    return seen


def _verdicts_in(journal: Path) -> list[DeviceJudged]:
    found = []
    with read_only(journal) as evidence:
        for entry in evidence.entries():
            line = entry.lines[0]
            if line.startswith(b'{"event":"device_judged"'):
                try:
                    event = decode_input(line)
                except MalformedLine as error:
                    raise NotAJournal(
                        journal,
                        f"entry {entry.number}, a verdict on a device, cannot be read by this version: {error}",
                        "Start the table with the version of cardshoe that wrote it: that one takes from it what was "
                        "seen of registry and devices.",
                    ) from error
                if isinstance(event, DeviceJudged) and event.registry is not UNSET:
                    found.append(event)
    return found


def site_judge(site: Path, seen: TrustMemory) -> "SiteVerifier":
    # tuf takes longer to import than all the rest, and most tables have no site yet.
    from firmware_bridge.admission.site_verifier import SiteVerifier  # noqa: PLC0415  see above

    judge = SiteVerifier(site, seen)
    judge.open()
    return judge
