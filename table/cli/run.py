"""``cardshoe run``: the table at work."""

import logging
import queue
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from drivers.discovery import port_by_name
from firmware_bridge.bridge import Bridge
from firmware_bridge.families import bridge_family
from firmware_bridge.interlock import Act, ActKind
from firmware_bridge.report import Inbox
from regulations.errors import MalformedLine
from regulations.events.outputs import ShoeOver
from table import console
from table.clock import wall_time
from table.config import DeviceSection, TableConfig, load, warnings
from table.controller import Controller, Item
from table.journal import WitnessFile
from table.printing import JsonPrinter, Printer, TextPrinter
from table.scribe import Taken
from table.signals import signals_stop
from table.table_journal import OpenLog, open_log
from table.typing_in import typed_lines
from table.witness import Witness

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
    logging.basicConfig(level=logging.DEBUG if verbose else logging.WARNING, format="cardshoe: %(message)s")
    table = load(config, wall_time())
    for warning in warnings(table):
        click.echo(f"cardshoe: {warning}", err=True)
    run_table(table, JsonPrinter() if as_json else TextPrinter())


def run_table(config: TableConfig, printer: Printer) -> None:
    """Runs a table until it is closed, or until Ctrl-C, SIGTERM or `quit`.

    Raises:
        DriverError: a device's port is missing, busy or forbidden at the start.
        JournalError: the journal cannot be used, its disk failed, or the witness cannot be read or holds more of it.
    """
    inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
    bridges = [_bridge(device, inbox.put) for device in config.devices]
    for device in config.devices:
        _check_port(device)

    log = open_log(
        config.journal_dir,
        config.table,
        wall_time(),
        lambda taken: _remember(bridges, taken),
        bridges=bridges,
        sealing_key=config.sealing_key,
    )
    with log.journal:
        controller = Controller(log, inbox)
        for bridge in bridges:
            controller.attach(bridge)
        controller.listen(printer)
        if log.recovered:
            printer.say(f"{log.journal.path}: taken up after {log.recovered} inputs")
        else:
            printer.say(f"first key, to be noted elsewhere: {log.journal.header.key}")
            printer.say(f"{log.journal.path}: begun")
        printer(log.last)
        witness = _witness(config, log)
        with signals_stop(controller.stop):
            threading.Thread(target=_read_console, args=(controller, printer), daemon=True).start()
            try:
                for bridge in bridges:
                    bridge.start()
                controller.run()
            finally:
                for bridge in bridges:
                    bridge.stop()
                if witness is not None:
                    _end_witness(witness, printer)
    for bridge in bridges:
        printer.say(f"{bridge.name}: {bridge.health().advice()}")


def _remember(bridges: Sequence[Bridge[Any]], taken: Taken) -> None:
    """Has the bridges take up an input of a log that goes on."""
    for bridge in bridges:
        if taken.is_refused:
            bridge.remember_report(taken.opened)
        else:
            bridge.remember(taken.opened)
        if any(isinstance(output, ShoeOver) for output in taken.outputs):
            bridge.remember_shoe_over()


def _witness(config: TableConfig, log: OpenLog) -> Witness | None:
    if config.witness is None:
        return None
    witness = Witness(WitnessFile(config.witness))
    witness.start(log.journal)
    return witness


def _end_witness(witness: Witness, printer: Printer) -> None:
    window = witness.stop()
    if window.notes:
        printer.say(f"the witness lacks {window.notes} notes, the oldest for {window.seconds:.0f} s")


def _check_port(device: DeviceSection) -> None:
    """A device that is not there at the start is a mistake in the set-up; one that goes later is an event."""
    port = port_by_name(device.port, bridge_family(device.family).line(device.settings))
    port.open()
    port.close()


def _bridge(device: DeviceSection, inbox: Inbox) -> Bridge[Any]:
    commands = [ActKind(command) for command in device.commands]
    return bridge_family(device.family).make(device.name, device.port, device.settings, commands, inbox)


def _read_console(controller: Controller, printer: Printer) -> None:
    """Reads standard input to its end; the end alone does not stop the table: it may run unattended."""
    for line in typed_lines():
        text = line.strip()
        if not text:
            continue
        if text in QUIT:
            controller.stop()
            return
        if text == "help":
            printer.say(console.help_text())
            continue
        try:
            wanted = console.parse(text)
        except MalformedLine as error:
            printer.say(f"not understood: {error}")
            continue
        if isinstance(wanted, Act):
            controller.ask(wanted)
        else:
            controller.submit(wanted)
