"""``cardshoe run``: the table at work."""

import contextlib
import logging
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from drivers.discovery import port_by_name
from firmware_bridge import report
from firmware_bridge.bridge import Bridge
from firmware_bridge.families import family_named
from firmware_bridge.interlock import Act, ActKind
from firmware_bridge.usb_guard import UsbGuard
from regulations.errors import MalformedLine
from regulations.events.outputs import ShoeOver
from table.clock import wall_time
from table.controller import Controller, Item
from table.inbox import Inbox
from table.journal import Journal
from table.log.scribe import Taken
from table.log.table_journal import open_log
from table.setup.admission import appoint_judge
from table.setup.at_work import at_work
from table.setup.config import DeviceSection, TableConfig, load, warnings
from table.setup.no_dumps import forbid_dumps
from table.setup.secrets_at_start import check_secrets
from table.setup.unfinished import device_file
from table.setup.usb_opening import Reminder, check_usb
from table.setup.usb_section import allowed_of
from table.signals import signals_stop
from table.terminal import console
from table.terminal.outlet import Screen, logged
from table.terminal.printing import JsonPrinter, TextPrinter
from table.terminal.typing_in import typed_lines
from table.witnessing.configured import holder_at
from table.witnessing.device_holder import devices_that_remember
from table.witnessing.holders import Holder
from table.witnessing.qr import QrScreen
from table.witnessing.tasks import Tasks
from table.witnessing.witness import Window, Witness
from table.witnessing.witnesses import Witnesses

if TYPE_CHECKING:
    from table.log.metrics import MetricsFile

QUIT = {"quit", "exit"}


@click.command("run")
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--json", "as_json", is_flag=True, help="Print the table log, one JSON object a line, once it is durable."
)
@click.option("--verbose", "-v", is_flag=True, help="Say on standard error what drivers and bridge are doing.")
def run_command(config: Path, *, as_json: bool, verbose: bool) -> None:
    """Run the table that CONFIG (table.toml) describes.

    A log that was open is taken up where it ended. Standard input takes what persons do, one event a line (`help` lists
    them). Ctrl-C stops the program between two events; the log stays open.
    """
    forbid_dumps()
    table = load(config, wall_time())
    for warning in warnings(table):
        click.echo(f"cardshoe: {warning}", err=True)
    with (
        logged(sys.stderr, logging.DEBUG if verbose else logging.WARNING),
        Screen(JsonPrinter() if as_json else TextPrinter()) as shown,
    ):
        run_table(table, shown, None if as_json else QrScreen(shown.say, _columns))


def run_table(config: TableConfig, printer: Screen, screen: QrScreen | None) -> None:
    """Runs a table until it is closed, or until Ctrl-C, SIGTERM, SIGHUP or `quit`.

    Args:
        config: what it is.
        printer: what is told of it.
        screen: shows QR codes; ``None``: none are shown.

    Raises:
        DriverError: a device's port is missing, busy or forbidden at the start.
        UsbRefused: a device on USB is not what it may be.
        JournalError: the journal cannot be used, its disk failed, or a witness cannot be read or holds more of it.
        TrustError: the devices cannot be judged: something is wrong with the site's folder.
        Stop: a device of the table is being updated, or another table has it; or others can reach a secret.
    """
    check_secrets(config)
    inbox: Inbox[Item] = Inbox()
    bridges = [_bridge(device, inbox.put) for device in config.devices]
    for device in config.devices:
        _check_port(device)
    guard = UsbGuard([allowed_of(device) for device in config.devices], inbox.put)
    check_usb(guard)
    appoint_judge(config, bridges)

    with contextlib.ExitStack() as held:
        held.enter_context(at_work(config.journal_dir, config.table.table_id))
        for device in config.devices:
            if (file := device_file(config, device)) is not None:
                held.enter_context(file.locked())
        log = open_log(
            config.journal_dir,
            config.table,
            wall_time(),
            lambda taken: _remember(bridges, guard, taken),
            bridges=bridges,
            sealing_key=config.sealing_key,
        )
        held.enter_context(log.journal)
        controller = Controller(log, inbox)
        for bridge in bridges:
            controller.attach(bridge)
            guard.attach(bridge.name, bridge.interlock)
        controller.listen(Reminder(guard))
        controller.listen(printer)
        if log.recovered:
            inputs = "1 input" if log.recovered == 1 else f"{log.recovered} inputs"
            printer.say(f"{log.journal.path}: resumed after {inputs}")
        else:
            printer.say(f"first key (write it down and keep it off this computer): {log.journal.header.key}")
            printer.say(f"{log.journal.path}: begun")
        printer(log.last)
        with signals_stop(controller.stop):
            if screen is not None:
                screen.start(log.journal)
            threading.Thread(target=_read_console, args=(controller, printer, screen), daemon=True).start()
            try:
                for bridge in bridges:
                    bridge.start()
                guard.start()
                with _witnessed(config, log.journal, bridges, controller, inbox, printer):
                    controller.run()
            finally:
                guard.stop()
                for bridge in bridges:
                    bridge.stop()
    for bridge in bridges:
        printer.say(f"{bridge.name}: {bridge.health().advice()}")


def _remember(bridges: Sequence[Bridge[Any]], guard: UsbGuard, taken: Taken) -> None:
    """Has the bridges and the guard take up an input of a log that goes on."""
    guard.replay(taken.opened)
    for bridge in bridges:
        if taken.is_refused:
            bridge.replay_refused(taken.opened)
        else:
            bridge.replay(taken.opened)
        if taken.tells(ShoeOver):
            bridge.replay_shoe_over()


@contextlib.contextmanager
def _witnessed(
    config: TableConfig,
    journal: Journal,
    bridges: Sequence[Bridge[Any]],
    controller: Controller,
    inbox: Inbox[Item],
    printer: Screen,
) -> Iterator[None]:
    """While the block runs, what is signed goes to the witnesses, and the metrics say how far they are.

    Devices among the witnesses must be listened to already: they are asked first what they remember.
    """
    tasks = Tasks(inbox.put)
    holders: list[Holder] = [
        holder_at(place, config.path.parent, config.witness_tls, tasks, config.witness_keys)
        for place in config.witnesses
    ]
    holders += devices_that_remember(bridges, printer.say)
    witnesses = Witnesses([Witness(holder) for holder in holders], tasks, controller.note)
    witnesses.start(journal)
    metrics = _metrics(config, journal, witnesses.windows)
    try:
        yield
    finally:
        for name, window in witnesses.stop().items():
            if window.notes:
                printer.say(f"the witness {name} lacks {window.notes} notes, the oldest for {window.seconds:.0f} s")
        if metrics is not None:
            metrics.stop()


def _metrics(config: TableConfig, journal: Journal, windows: Callable[[], dict[str, Window]]) -> "MetricsFile | None":
    if config.metrics is None:
        return None
    from table.log.metrics import MetricsFile, figures_of

    metrics = MetricsFile(config.metrics, config.table.table_id, lambda: figures_of(journal, windows()))
    metrics.start()
    return metrics


def _columns() -> int | None:
    """How wide the terminal is; ``None`` if nobody looks at one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _check_port(device: DeviceSection) -> None:
    """A device that is not there at the start is a mistake in the set-up; one that goes later is an event."""
    port = port_by_name(device.port, family_named(device.family).line(device.settings))
    port.open()
    port.close()


def _bridge(device: DeviceSection, inbox: report.Inbox) -> Bridge[Any]:
    commands = [ActKind(command) for command in device.commands]
    return family_named(device.family).make(device.name, device.port, device.settings, commands, inbox)


def _read_console(controller: Controller, printer: Screen, screen: QrScreen | None) -> None:
    """Reads standard input to its end; the end alone does not stop the table: it may run unattended."""
    for line in typed_lines(printer.say):
        text = line.strip()
        if not text:
            continue
        if text in QUIT:
            controller.stop()
            return
        if text.split()[0] == "help":
            about = text.split()[1:]
            printer.say(console.help_on(about[0]) if about else console.help_text())
            continue
        if text == "qr":
            if screen is None:
                printer.say("QR codes are shown in words alone, not with --json")
            else:
                screen.show_newest()
            continue
        try:
            wanted = console.parse(text)
        except MalformedLine as error:
            printer.say(console.not_understood(text, error))
            continue
        if isinstance(wanted, Act):
            controller.ask(wanted)
        else:
            controller.submit(wanted)
    if sys.stdin is not None and sys.stdin.isatty():
        printer.say(
            "the keyboard has ended (Ctrl-D): nothing more can be typed here. The table goes on; SIGTERM ends it."
        )
