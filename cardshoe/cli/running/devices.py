"""A running table's devices: bridges, locks, USB guard."""

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from cardshoe.table.controller import Controller, Item
from cardshoe.table.inbox import Inbox
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.snapshot import enters_card, waits_by_hand
from cardshoe.table.setup.admission import appoint_judge
from cardshoe.table.setup.config import DeviceSection, TableConfig
from cardshoe.table.setup.unfinished_update import device_file
from cardshoe.table.setup.usb_opening import Reminder, check_usb
from cardshoe.table.setup.usb_section import allowed_of
from drivers.discovery import check_unused, port_by_name
from firmware_bridge import report
from firmware_bridge.bridge import Bridge
from firmware_bridge.families import family_named
from firmware_bridge.interlock import DeviceActionKind
from firmware_bridge.usb_guard.guard import UsbGuard
from regulations.events.inputs import Resolve
from regulations.events.outputs import ShoeOver


class TableDevices:
    def __init__(self, config: TableConfig, inbox: Inbox[Item]) -> None:
        self._config: Final = config
        self.bridges: Final = [_bridge(device, inbox.put) for device in config.devices]
        for device in config.devices:
            _check_port(device)
        self._guard: Final = UsbGuard([allowed_of(device) for device in config.devices], inbox.put)
        check_usb(self._guard)
        appoint_judge(config, self.bridges)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep updates and other tables off the devices while the block runs."""
        with contextlib.ExitStack() as held:
            for device in self._config.devices:
                if (file := device_file(self._config, device)) is not None:
                    held.enter_context(file.locked())
            yield

    def replay(self, taken: LoggedInput) -> None:
        """Apply an input of a continued log."""
        self._guard.replay(taken.opened)
        for bridge in self.bridges:
            if taken.is_refused or waits_by_hand(taken):
                bridge.replay_refused(taken.opened)
            else:
                bridge.replay(taken.opened)
            if isinstance(taken.event, Resolve) and enters_card(taken):
                bridge.card_entered()
            if taken.tells(ShoeOver):
                bridge.replay_shoe_over()

    def attach(self, controller: Controller) -> None:
        """Connect bridges and guard to the controller."""
        for bridge in self.bridges:
            controller.attach(bridge)
            self._guard.attach(bridge.name, bridge.interlock)
        controller.listen(Reminder(self._guard))

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Open ports and guard while the block runs."""
        try:
            for bridge in self.bridges:
                bridge.start()
            self._guard.start()
            yield
        finally:
            self._guard.stop()
            for bridge in self.bridges:
                bridge.stop()

    def outcomes(self) -> list[str]:
        """One line per device."""
        return [f"{bridge.name}: {bridge.health().outcome()}" for bridge in self.bridges]


def _check_port(device: DeviceSection) -> None:
    port = port_by_name(device.port, family_named(device.family).part("line")(device.settings))
    port.open()
    port.close()
    check_unused(device.port)


def _bridge(device: DeviceSection, inbox: report.Inbox) -> Bridge[Any]:
    commands = [DeviceActionKind(command) for command in device.commands]
    return family_named(device.family).part("make")(device.name, device.port, device.settings, commands, inbox)
