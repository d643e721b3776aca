"""``cardshoe run``: the table at work."""

import contextlib
import logging
import os
import sys
from collections import deque
from pathlib import Path

import click

from cardshoe.cli.echo import echo
from cardshoe.cli.running.devices import TableDevices
from cardshoe.cli.running.equipment import EquipmentReport
from cardshoe.cli.running.opening import opening_of, print_how_to_open
from cardshoe.cli.running.processes import (
    check_accounts,
    display_process,
    share_lines,
    shared_of,
    uplink_process,
)
from cardshoe.cli.running.staff import give_first_code, staff_at
from cardshoe.cli.running.witnesses import witnessed
from cardshoe.process.clock import wall_time
from cardshoe.process.signals import signals_stop
from cardshoe.table.controller import Controller, Item
from cardshoe.table.inbox import Inbox
from cardshoe.table.live.place import TablePlace
from cardshoe.table.live.server import RECENT, LiveServer
from cardshoe.table.log.house_day import HouseDay
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import OpenLog, check_room_at_start, check_room_to_resume, open_log
from cardshoe.table.service.lifecycle import on_duty, resume_with_build_of_shoe
from cardshoe.table.setup.config import TableConfig, load, warnings
from cardshoe.table.setup.core_dumps import forbid_dumps
from cardshoe.table.setup.secrets_at_start import check_secrets
from cardshoe.table.setup.table_lock import at_work
from cardshoe.table.terminal.formatting import fitted
from cardshoe.table.terminal.output_queue import Screen
from cardshoe.table.terminal.terminal_session import TerminalSession, seat_at


@click.command("run")
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--json", "as_json", is_flag=True, help="Print the table log, one JSON object a line, once it is durable."
)
@click.option("--plain", is_flag=True, help="Read and print plain lines, without the line editor of a terminal.")
@click.option("--verbose", "-v", is_flag=True, help="Log to standard error what drivers and bridge do.")
def run_command(config: Path, *, as_json: bool, plain: bool, verbose: bool) -> None:
    """Run the table that CONFIG (table.toml) describes.

    A log that was open is taken up where it ended. Standard input takes what persons do, one event a line (`help` lists
    them). Ctrl-C stops the program between two events; the log stays open.
    """
    forbid_dumps()
    table = load(config, wall_time())
    check_accounts(table, service="NOTIFY_SOCKET" in os.environ)
    if (doubt := resume_with_build_of_shoe(table)) is not None:
        echo(f"cardshoe: {doubt}", err=True)
    for warning in warnings(table):
        told = f"cardshoe: {warning}"
        echo(*(fitted(told) if sys.stderr.isatty() else [told]), err=True)
    level = logging.DEBUG if verbose else logging.WARNING
    with seat_at(table, as_json=as_json, plain=plain, level=level) as seat:
        run_table(table, seat)


def run_table(config: TableConfig, seat: TerminalSession) -> None:
    """Run a table until Ctrl-C, SIGTERM, SIGHUP or `quit`; without pages and staff, until it is closed.

    Raises:
        DriverError: a port is missing, busy or forbidden at the start.
        JournalError: the journal, its disk or a witness fails, or a witness holds more.
        TrustError: the site's folder cannot be used.
        Stop: a device is being updated, or another table has it.
        UsbRefused: the USB guard cannot work.
    """
    check_secrets(config)
    printer = seat.screen
    inbox: Inbox[Item] = Inbox()
    devices = TableDevices(config, inbox)
    check_room_at_start(config.journal_dir, config.table.table_id)

    with contextlib.ExitStack() as held:
        display = display_process(config)
        if display is not None:
            held.callback(display.close)
        uplink = uplink_process(config)
        held.enter_context(at_work(config.journal_dir, config.table.table_id))
        held.enter_context(devices.locked())
        recent: deque[LoggedInput] = deque(maxlen=RECENT)
        log = open_log(
            config.journal_dir,
            config.table,
            wall_time(),
            lambda taken: _remember(devices, taken, recent),
            bridges=devices.bridges,
            sealing_key=config.sealing_key,
        )
        held.callback(lambda: log.journal.close())  # noqa: PLW0108  another one by then, perhaps
        share_lines(config, log)
        check_room_to_resume(log)
        opening = opening_of(config)
        controller = Controller(log, inbox, day=HouseDay(config.day_begins), opening=opening)
        held.enter_context(signals_stop(controller.stop))
        place = TablePlace.of(config.journal_dir, config.table.table_id)
        persons = None if config.persons is None else staff_at(config, config.persons, controller, held)
        live = LiveServer(
            place,
            log,
            controller,
            recent=recent,
            persons=persons,
            shared=shared_of(config),
            equipment=held.enter_context(EquipmentReport(config.devices, devices.bridges, config.path)),
        )
        devices.attach(controller)
        controller.show(seat.follower)
        controller.show(live)
        log.journal.listen(live.noted)
        controller.succeed(lambda _: _succeed(config, log, live, seat))
        held.enter_context(live)  # whoever hears that the table runs may connect
        if display is not None:
            held.enter_context(display)
            printer.say("pages: " + " ".join(display.addresses))
        if uplink is not None:
            held.enter_context(uplink)
        if opening is not None:
            controller.listen(lambda taken: print_how_to_open(taken, printer))
        _print_origin(log, printer)
        seat.begin(log)
        if seat.qr is not None:
            seat.qr.start(log.journal)
        seat.listen(controller, persons)
        if persons is not None:
            give_first_code(persons, seat)
        with (
            devices.listening(),
            witnessed(config, log, devices.bridges, controller, inbox, printer, persons),
            on_duty(config, log, controller, inbox.put, printer.say),
        ):
            controller.run()
    for outcome in devices.outcomes():
        printer.say(outcome)
    if (closed := controller.closed_for_room) is not None:
        raise closed


def _remember(devices: TableDevices, taken: LoggedInput, recent: deque[LoggedInput]) -> None:
    recent.append(taken)
    devices.replay(taken)


def _succeed(config: TableConfig, log: OpenLog, live: LiveServer, seat: TerminalSession) -> None:
    share_lines(config, log)
    log.journal.listen(live.noted)
    if seat.qr is not None:
        seat.qr.start(log.journal)
    _print_origin(log, seat.screen)


def _print_origin(log: OpenLog, printer: Screen) -> None:
    if not log.recovered:
        if log.journal.header.key_before is None:
            printer.say(f"first key (write it down and keep it off this computer): {log.journal.header.key}")
        printer.say(f"{log.journal.path}: begun")
        return
    inputs = "1 input" if log.recovered == 1 else f"{log.recovered} inputs"
    printer.say(f"{log.journal.path}: resumed after {inputs}")
