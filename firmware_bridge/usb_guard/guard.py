"""Watches the USB devices of a table before it opens and while it runs.

A failed check holds the interlock until the device is correct or unplugged.
"""

import logging
import threading
from collections.abc import Sequence
from typing import Final

from drivers.errors import DriverError
from drivers.hotplug import HotplugWatcher, UdevSource
from drivers.usb_devices import UsbBus
from drivers.usb_facts.facts import UsbFacts
from firmware_bridge.interlock import Interlock
from firmware_bridge.report import Inbox
from firmware_bridge.usb_guard.examination import examine
from firmware_bridge.usb_guard.kinds import dangers
from firmware_bridge.usb_guard.policy import UsbPolicy
from firmware_bridge.usb_guard.refusals import FAULT_CODES, FailedUsbCheck
from regulations.events.inputs import AnyInput, Fault, FaultCleared

logger: Final = logging.getLogger(__name__)

LOOK_EVERY_S: Final = 1.0
"""2.6 ms of CPU for ten devices."""

STOP_TIMEOUT_S: Final = 5.0


class _Watched:
    def __init__(self, allowed: UsbPolicy) -> None:
        self.allowed: Final = allowed
        self.approved: UsbFacts | None = None
        self.open_codes: set[str] = set()


class UsbGuard:
    """Ports that are not on USB are ignored; ``inbox``: in the guard's thread, must not wait."""

    def __init__(
        self,
        devices: Sequence[UsbPolicy],
        inbox: Inbox,
        *,
        bus: UsbBus | None = None,
        every_s: float = LOOK_EVERY_S,
        hotplug: HotplugWatcher | None = None,
    ) -> None:
        self._bus: Final = bus or UsbBus()
        self._watched: Final = {one.device: _Watched(one) for one in devices if self._bus.leads_to_usb(one.port)}
        self._inbox: Final = inbox
        self._every_s: Final = every_s
        self._hotplug: Final = hotplug or HotplugWatcher(UdevSource())
        self._interlocks: Final[dict[str, Interlock]] = {}
        self._known: set[str] = set()
        self._is_blind = False
        self._lock: Final = threading.Lock()
        self._woken: Final = threading.Event()
        self._stopping: Final = threading.Event()
        self._thread: threading.Thread | None = None

    # --- before the table opens --------------------------------------------------------------------------------------

    def approve(self) -> dict[str, tuple[FailedUsbCheck, ...]]:
        """By device: why it may not play; correct and unplugged ones are left out.

        Raises:
            DriverError: USB cannot be seen at all.
            OSError: the same, from the system.
        """
        if not self._watched:
            return {}
        there = self._bus.devices()
        with self._lock:
            self._known = {one.node for one in there}
            verdicts = {name: self._judged(watched, there)[1] for name, watched in self._watched.items()}
        return {name: refusals for name, refusals in verdicts.items() if refusals}

    def replay(self, event: AnyInput) -> None:
        """Events since the last shoe game are enough: it begins without open faults."""
        if not isinstance(event, Fault | FaultCleared) or event.origin != "table":
            return
        if event.device in self._watched and event.code in FAULT_CODES:
            codes = self._watched[event.device].open_codes
            (codes.add if isinstance(event, Fault) else codes.discard)(str(event.code))

    # --- while it runs -----------------------------------------------------------------------------------------------

    def attach(self, device: str, interlock: Interlock) -> None:
        """Has the guard hold a device's interlock while something is wrong with it; before :meth:`start`."""
        self._interlocks[device] = interlock

    def start(self) -> None:
        if self._watched:
            self._thread = threading.Thread(target=self._run, name="usb-guard", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join(STOP_TIMEOUT_S)

    def settled(self) -> None:
        """Faults still present are reported again."""
        with self._lock:
            for name, watched in self._watched.items():
                for code in sorted(watched.open_codes):
                    self._inbox(Fault(device=name, code=code, origin="table"))

    def poll(self) -> None:
        """Judges every device once, and tells the table what has changed since the last look."""
        try:
            there = self._bus.devices()
        except (DriverError, OSError) as error:
            if not self._is_blind:
                logger.warning("USB devices are not guarded: %s", error)
            self._is_blind = True
            return
        self._is_blind = False
        with self._lock:
            cards = [self._judge_and_tell(name, watched, there) for name, watched in self._watched.items()]
            self._name_strangers([one for one in there if one not in cards])
            self._known = {one.node for one in there}

    def _run(self) -> None:
        unsubscribe = self._hotplug.subscribe(lambda _event: self._woken.set())
        try:
            while not self._stopping.is_set():
                try:
                    self.poll()
                except Exception:  # the one thing worse than a guard with a defect is none
                    logger.exception("defect in the USB guard; it looks again")
                self._woken.wait(self._every_s)
                self._woken.clear()
        finally:
            unsubscribe()

    def _judge_and_tell(self, name: str, watched: _Watched, there: Sequence[UsbFacts]) -> UsbFacts | None:
        device, refusals = self._judged(watched, there)
        interlock = self._interlocks.get(name)
        by_code = {one.fault_code: one for one in refusals}
        if interlock is not None:
            if refusals:
                interlock.hold("usb_guard", f"USB: {refusals[0].problem}")
            else:
                interlock.release("usb_guard")
        for code in sorted(by_code.keys() - watched.open_codes):
            logger.error("%s: %s", name, by_code[code])
            if interlock is not None:
                interlock.latch(f"USB: {by_code[code].problem}")
            self._inbox(Fault(device=name, code=code, origin="table"))
        for code in sorted(watched.open_codes - by_code.keys()):
            self._inbox(FaultCleared(device=name, code=code, origin="table"))
        watched.open_codes = set(by_code)
        return device

    def _judged(
        self, watched: _Watched, there: Sequence[UsbFacts]
    ) -> tuple[UsbFacts | None, tuple[FailedUsbCheck, ...]]:
        device, refusals = examine(self._bus, watched.allowed, there, watched.approved)
        if device is not None and not refusals and watched.approved is None:
            watched.approved = device
        return device, refusals

    def _name_strangers(self, others: Sequence[UsbFacts]) -> None:
        for one in others:
            found = dangers((one.device_kind, *one.kinds()))
            if found and one.node not in self._known:
                logger.warning("a USB device was plugged in that is no card device: %s (%s)", one, ", ".join(found))
