"""All checks, in repair order."""

from collections.abc import Iterator

from cardshoe.cli.doctoring import clock, disk, installation, journals, persons
from cardshoe.cli.doctoring.findings import Finding, fine, problem, warning
from cardshoe.process.clock import wall_time
from cardshoe.table.setup.config import TableConfig
from cardshoe.table.setup.secrets_at_start import exposed


def machine() -> Iterator[Finding]:
    yield from installation.installation()
    yield from clock.clock()


def ports() -> Iterator[Finding]:
    try:
        from cardshoe.cli.doctoring.devices import port
        from drivers.discovery import list_ports
    except (ImportError, AttributeError) as error:
        yield _no_drivers(error)
        return
    found = list_ports()
    for candidate in found:
        finding, _ = port("port", candidate.best_name(), candidate.device, found)
        # Nobody has said that the table needs this one.
        yield finding if not finding.exit_code else warning("port", finding.what, finding.remedy)
    if not found:
        yield fine("port", "no serial ports on this machine; `cardshoe ports` says more")


def table(config: TableConfig, listen_s: float) -> Iterator[Finding]:
    """The devices, disk and journal of a table; ``listen_s`` seconds each, 0: none opened."""
    try:
        # A wrong package in the place of pyserial shows here; the doctor must outlive what it is to find.
        from cardshoe.cli.doctoring import trust
        from cardshoe.cli.doctoring.devices import device
        from cardshoe.cli.doctoring.usb import usb
        from drivers.discovery import list_ports
    except (ImportError, AttributeError) as error:
        yield _no_drivers(error)
    else:
        found = list_ports() if config.devices else []
        judge, findings = trust.site(config)
        for one in config.devices:
            yield from device(one, found, listen_s, judge)
        yield from usb(config.devices)
        if not config.devices:
            yield fine("device", "none in the configuration: every card is entered by hand")
        yield from findings
        yield from trust.updates(config)
        if judge is not None:
            yield from (trust.enrolled(one, judge) for one in config.devices)
    yield from persons.persons(config)
    yield from (problem("secret", what, remedy) for what, remedy in exposed(config))
    yield from disk.folder(config.journal_dir)
    yield from journals.newest(config.journal_dir, config.table.table_id, wall_time())


def _no_drivers(error: Exception) -> Finding:
    return problem("device", f"the drivers cannot be loaded: {error}", installation.REINSTALL)
