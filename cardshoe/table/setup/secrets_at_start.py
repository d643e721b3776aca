"""Check a table's secrets before it starts."""

from collections.abc import Iterator
from pathlib import Path

from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.sealing_keys import find_keys
from cardshoe.table.setup.config import TableConfig
from firmware_bridge.trust.exposure import Exposure, exposure


def must_be_kept(path: Path) -> None:
    found = exposure(path)
    if found is not None:
        raise Stop(found.what, _remedy(found), Exit.USAGE)


def check_secrets(config: TableConfig) -> None:
    """Check every secret that signs, seals or authenticates."""
    for path in secrets_of(config):
        must_be_kept(path)


def exposed(config: TableConfig) -> Iterator[tuple[str, str]]:
    for path in secrets_of(config):
        if (found := exposure(path)) is not None:
            yield found.what, _remedy(found)


def secrets_of(config: TableConfig) -> Iterator[Path]:
    yield from sorted(config.journal_dir.glob("*.journal-key-*"))
    yield find_keys(config.sealing_key, config.journal_dir)
    if config.witness_tls is not None:
        yield Path(config.witness_tls.key)
    # The keys of display and uplink are looked at by whoever has them.
    if config.uplink is not None and config.live is None:
        yield Path(config.uplink.tls.key)
    for device in config.devices:
        key = device.settings.get("key")
        if isinstance(key, str):
            yield Path(key)
    if config.persons is not None:
        yield config.persons
    if config.persons_key is not None and config.live is None:
        yield config.persons_list
    if config.trust is not None:
        from firmware_bridge.trust.site import KEY  # noqa: PLC0415  most tables have no site

        yield config.trust / KEY


def _remedy(found: Exposure) -> str:
    return f"Run {found.command}. If it may have been read, replace it (docs/security.md)."
