"""``cardshoe run``: the table at work."""

import contextlib
import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardshoe.cli.accounts import check_accounts, floor_list, share_lines, shared_of
from cardshoe.cli.echo import echo
from cardshoe.journal import Journal
from cardshoe.journal.witness.configured import holder_at
from cardshoe.journal.witness.targets import Holder
from cardshoe.journal.witness.tasks import Tasks
from cardshoe.journal.witness.witness import Window, Witness
from cardshoe.journal.witness.witnesses import Witnesses
from cardshoe.persons.registry import Registry
from cardshoe.process.clock import wall_time
from cardshoe.process.signals import signals_stop
from cardshoe.table.controller import Controller, Item
from cardshoe.table.device_witness import devices_that_remember
from cardshoe.table.inbox import Inbox
from cardshoe.table.live.child import Child
from cardshoe.table.live.place import TablePlace
from cardshoe.table.live.server import RECENT, LiveServer
from cardshoe.table.log.log_builder import Taken
from cardshoe.table.log.snapshot import enters_card, waits_by_hand
from cardshoe.table.log.table_journal import OpenLog, check_room_at_start, check_room_to_go_on, open_log
from cardshoe.table.service.lifecycle import go_on_with_the_shoes_build, on_duty
from cardshoe.table.setup.admission import appoint_judge
from cardshoe.table.setup.config import DeviceSection, TableConfig, load, warnings
from cardshoe.table.setup.core_dumps import forbid_dumps
from cardshoe.table.setup.secrets_at_start import check_secrets
from cardshoe.table.setup.table_lock import at_work
from cardshoe.table.setup.unfinished_update import device_file
from cardshoe.table.setup.usb_opening import Reminder, check_usb
from cardshoe.table.setup.usb_section import allowed_of
from cardshoe.table.staff_service import Persons
from cardshoe.table.terminal.formatting import fitted
from cardshoe.table.terminal.output_queue import Screen
from cardshoe.table.terminal.terminal_session import Seat, seat_at
from drivers.discovery import check_unused, port_by_name
from firmware_bridge import report
from firmware_bridge.bridge import Bridge
from firmware_bridge.families import family_named
from firmware_bridge.interlock import ActKind
from firmware_bridge.usb_guard import UsbGuard
from regulations.events.inputs import Resolve
from regulations.events.outputs import ShoeOver

if TYPE_CHECKING:
    from cardshoe.table.display.child import DisplayChild


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
    if (doubt := go_on_with_the_shoes_build(table)) is not None:
        echo(f"cardshoe: {doubt}", err=True)
    for warning in warnings(table):
        told = f"cardshoe: {warning}"
        echo(*(fitted(told) if sys.stderr.isatty() else [told]), err=True)
    level = logging.DEBUG if verbose else logging.WARNING
    with seat_at(table, as_json=as_json, plain=plain, level=level) as seat:
        run_table(table, seat)


def run_table(config: TableConfig, seat: Seat) -> None:
    """Runs a table until it is closed, or until Ctrl-C, SIGTERM, SIGHUP or `quit`.

    Args:
        config: what it is.
        seat: where a person types, and is told of it.

    Raises:
        DriverError: a device's port is missing, busy or forbidden at the start.
        UsbRefused: a device on USB is not what it may be.
        JournalError: the journal cannot be used, its disk failed, or a witness cannot be read or holds more of it.
        TrustError: the devices cannot be judged: something is wrong with the site's folder.
        Stop: a device of the table is being updated, or another table has it; or others can reach a secret; or the disk
            has too little room, at the start or later; or it ended for a newer build.
    """
    check_secrets(config)
    printer = seat.screen
    inbox: Inbox[Item] = Inbox()
    bridges = [_bridge(device, inbox.put) for device in config.devices]
    for device in config.devices:
        _check_port(device)
    guard = UsbGuard([allowed_of(device) for device in config.devices], inbox.put)
    check_usb(guard)
    appoint_judge(config, bridges)
    check_room_at_start(config.journal_dir, config.table.table_id)

    with contextlib.ExitStack() as held:
        display = _display(config)
        if display is not None:
            held.callback(display.close)
        uplink = _uplink(config)
        held.enter_context(at_work(config.journal_dir, config.table.table_id))
        for device in config.devices:
            if (file := device_file(config, device)) is not None:
                held.enter_context(file.locked())
        recent: deque[Taken] = deque(maxlen=RECENT)
        log = open_log(
            config.journal_dir,
            config.table,
            wall_time(),
            lambda taken: _remember(bridges, guard, taken, recent),
            bridges=bridges,
            sealing_key=config.sealing_key,
        )
        held.enter_context(log.journal)
        share_lines(config, log)
        check_room_to_go_on(log)
        controller = Controller(log, inbox)
        place = TablePlace.of(config.journal_dir, config.table.table_id)
        persons = None if config.persons is None else _persons(config, config.persons, controller, held)
        live = LiveServer(
            place, log.view, controller, recent=recent or [log.last], persons=persons, shared=shared_of(config)
        )
        for bridge in bridges:
            controller.attach(bridge)
            guard.attach(bridge.name, bridge.interlock)
        controller.listen(Reminder(guard))
        controller.listen(seat.follower)
        controller.listen(live)
        log.journal.listen(live.noted)
        held.enter_context(live)  # whoever hears that the table runs may connect
        if display is not None:
            held.enter_context(display)
            printer.say("pages: " + " ".join(display.addresses))
        if uplink is not None:
            held.enter_context(uplink)
        _say_whence(log, printer)
        seat.begin(log)
        with signals_stop(controller.stop):
            if seat.qr is not None:
                seat.qr.start(log.journal)
            seat.listen(controller, persons)
            if persons is not None:
                _say_first_code(persons, seat)
            with (
                _heard(bridges, guard),
                _witnessed(config, log.journal, bridges, controller, inbox, printer, persons),
                on_duty(config, log, controller, inbox.put, printer.say),
            ):
                controller.run()
    _tell_the_end(bridges, controller, printer)


@contextlib.contextmanager
def _heard(bridges: Sequence[Bridge[Any]], guard: UsbGuard) -> Iterator[None]:
    """While the block runs, the devices and the machine's USB ports are listened to."""
    try:
        for bridge in bridges:
            bridge.start()
        guard.start()
        yield
    finally:
        guard.stop()
        for bridge in bridges:
            bridge.stop()


def _tell_the_end(bridges: Sequence[Bridge[Any]], controller: Controller, printer: Screen) -> None:
    """Says how far each device came.

    Raises:
        Stop: the table was closed for want of room.
    """
    for bridge in bridges:
        printer.say(f"{bridge.name}: {bridge.health().outcome()}")
    if (closed := controller.closed_for_room) is not None:
        raise closed


def _persons(config: TableConfig, file: Path, controller: Controller, held: contextlib.ExitStack) -> Persons:
    """The persons of the table, until it ends.

    Raises:
        Stop: their file is none, or others can reach it.
    """
    registry = Registry(file)
    registry.persons()
    persons = Persons(registry, controller.note, listed=floor_list(config))
    controller.listen(persons)
    return held.enter_context(persons)


def _say_first_code(persons: Persons, seat: Seat) -> None:
    """Gives whoever stands at a table that knows nobody a code to add the first supervisor."""
    if persons.known.persons():
        return
    if sys.stdout.isatty() and not seat.is_json:
        seat.screen.say(f"nobody is known here. One-time code, for 10 minutes: {persons.first.make()}")
    else:
        file = persons.registry.path.with_name(f"{persons.registry.path.name}.code")
        try:
            persons.first.write(file)
        except OSError as error:
            seat.screen.say(f"nobody is known here, and {file} cannot be written: {error.strerror}")
            return
        seat.screen.say(f"nobody is known here. One-time code, for 10 minutes: in {file}")
    seat.screen.say("Add the first supervisor with it: `enrol ID`. Or at a shell: `cardshoe persons add`.")


def _say_whence(log: OpenLog, printer: Screen) -> None:
    """Tells whether the log begins or goes on."""
    if not log.recovered:
        printer.say(f"first key (write it down and keep it off this computer): {log.journal.header.key}")
        printer.say(f"{log.journal.path}: begun")
        return
    inputs = "1 input" if log.recovered == 1 else f"{log.recovered} inputs"
    printer.say(f"{log.journal.path}: resumed after {inputs}")


def _remember(bridges: Sequence[Bridge[Any]], guard: UsbGuard, taken: Taken, recent: deque[Taken]) -> None:
    """Has the bridges and the guard take up an input of a log that goes on, and keeps it for clients that come back."""
    recent.append(taken)
    guard.replay(taken.opened)
    for bridge in bridges:
        if taken.is_refused or waits_by_hand(taken):
            bridge.replay_refused(taken.opened)
        else:
            bridge.replay(taken.opened)
        if isinstance(taken.event, Resolve) and enters_card(taken):
            bridge.card_entered()
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
    persons: Persons | None,
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
    with _metrics(config, journal, witnesses.windows, persons):
        try:
            yield
        finally:
            for name, window in witnesses.stop().items():
                if window.notes:
                    printer.say(f"the witness {name} lacks {window.notes} notes, the oldest for {window.seconds:.0f} s")


def _metrics(
    config: TableConfig, journal: Journal, windows: Callable[[], dict[str, Window]], persons: Persons | None
) -> contextlib.AbstractContextManager[object]:
    """While the block runs, figures of the table are written for Prometheus, where the configuration says so."""
    if config.metrics is None:
        return contextlib.nullcontext()
    from cardshoe.process.metrics_file import MetricsFile
    from cardshoe.table.log.metrics import figures_of, metrics_of

    table_id, list_s = config.table.table_id, (lambda: None) if persons is None else persons.list_left_s
    return MetricsFile(config.metrics, lambda: metrics_of(table_id, figures_of(journal, windows(), list_s())))


def _display(config: TableConfig) -> "DisplayChild | None":
    """Pages and interface, as a process of their own; ``None``: none are wanted, or another account serves them."""
    from cardshoe.table.display.settings import settings_of

    if config.live is not None or (settings := settings_of(config)) is None:
        return None
    from cardshoe.table.display.child import DisplayChild

    return DisplayChild(settings)


def _uplink(config: TableConfig) -> Child | None:
    """Start the process that sends the log to the floor; ``None``: nothing is sent, or another account does."""
    from cardshoe.table.uplink.settings import settings_of

    if config.live is not None or (settings := settings_of(config)) is None:
        return None
    settings.section.tls.client()  # what is wrong with the certificates is said now
    return Child("uplink", "cardshoe.table.uplink", settings.written())


def _check_port(device: DeviceSection) -> None:
    """A device that is not there at the start is a mistake in the set-up; one that goes later is an event."""
    port = port_by_name(device.port, family_named(device.family).line(device.settings))
    port.open()
    port.close()
    check_unused(device.port)


def _bridge(device: DeviceSection, inbox: report.Inbox) -> Bridge[Any]:
    commands = [ActKind(command) for command in device.commands]
    return family_named(device.family).make(device.name, device.port, device.settings, commands, inbox)
