"""A device that is plugged in is heard of, and a missing port opened at once: by polling, by udev, with neither."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from drivers.discovery import port_maker
from drivers.errors import PortLost, PortMissing
from drivers.hotplug import HotplugWatcher, PlugEvent, PollingSource, UdevSource
from drivers.port import Port
from drivers.port_names import PortCandidate
from drivers.port_thread import Backoff, PortThread
from drivers.usb_port import list_bulk_devices
from tests.drivers.listening import PortEar
from tests.kit.far_ends import PtyEnd, UsbEnd
from tests.kit.waiting import PATIENCE_S, Log, eventually

QUICKLY_S = 0.005
FOR_EVER = Backoff(first_s=0.001, factor=1e9, max_s=3600.0)
"""The first pause passes, the second never does: whatever opens the port after it was a hint."""


@dataclass(frozen=True)
class UdevEvent:
    """The part of a `pyudev.Device` that is used."""

    action: str
    device_node: str | None
    device_path: str = "/devices/x"


class Kernel:
    """A monitor whose events a test makes; it keeps the contract of `pyudev.Monitor.poll`."""

    def __init__(self) -> None:
        self.events: SimpleQueue[UdevEvent] = SimpleQueue()
        self.listeners: list[threading.Thread] = []

    @property
    def opened(self) -> int:
        return len(self.listeners)

    @property
    def is_heard(self) -> bool:
        return any(thread.is_alive() for thread in self.listeners)

    def listen(self) -> "Kernel":
        self.listeners.append(threading.current_thread())
        return self

    def poll(self, timeout: float) -> UdevEvent | None:
        assert 0 < timeout < 1  # longer, and the thread would not end soon after its last subscriber
        try:
            return self.events.get(timeout=timeout)
        except Empty:
            return None


class Deaf:
    """A source that hears of nothing on this machine."""

    def watch(self, hear: Callable[[PlugEvent], None], stopping: threading.Event) -> None:
        del hear, stopping
        raise ImportError("No module named 'pyudev'")


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[PtyEnd]:
    end = PtyEnd(tmp_path / "shoe")
    yield end
    end.end()


class Looks:
    """A list of ports that counts how often it was looked at."""

    def __init__(self, list_now: Callable[[], list[PortCandidate]]) -> None:
        self._list_now = list_now
        self._count = 0

    def __call__(self) -> list[PortCandidate]:
        there = self._list_now()
        self._count += 1
        return there

    def watcher(self) -> HotplugWatcher:
        return HotplugWatcher(PollingSource(self, QUICKLY_S))

    def wait_for_one(self) -> None:
        """Wait for a look that began after this call: changes from now on are seen."""
        enough = self._count + 2
        eventually(lambda: self._count >= enough, "somebody looks")


def looks_at(end: PtyEnd) -> Looks:
    """Looks at the link itself, as the list of ports looks at /dev."""
    return Looks(lambda: [PortCandidate(end.url)] if end.link.is_symlink() else [])


def test_what_comes_and_goes_is_told(pty: PtyEnd) -> None:
    log, looks = Log(), looks_at(pty)
    end_it = looks.watcher().subscribe(log.add)
    looks.wait_for_one()
    pty.vanish()
    log.wait_for(lambda entries: entries == [PlugEvent("unplugged", pty.url)])
    pty.plug_in()
    log.wait_for(lambda entries: entries[1:] == [PlugEvent("plugged", pty.url)])
    end_it()


def test_udev_s_events_are_told_in_our_words() -> None:
    kernel, log = Kernel(), Log()
    end_it = HotplugWatcher(UdevSource(kernel.listen)).subscribe(log.add)
    for event in (
        UdevEvent("add", "/dev/ttyUSB0"),
        UdevEvent("bind", "/dev/ttyUSB0"),
        UdevEvent("change", "/dev/ttyUSB0"),
        UdevEvent("add", None, "/devices/usb1/1-1/1-1:1.0"),
        UdevEvent("remove", "/dev/ttyUSB0"),
    ):
        kernel.events.put(event)
    log.wait_for(
        lambda entries: (
            entries
            == [
                PlugEvent("plugged", "/dev/ttyUSB0"),
                PlugEvent("plugged", "/sys/devices/usb1/1-1/1-1:1.0"),
                PlugEvent("unplugged", "/dev/ttyUSB0"),
            ]
        )
    )
    end_it()


def test_it_listens_while_somebody_is_subscribed_and_no_longer() -> None:
    kernel, first, second = Kernel(), Log(), Log()
    watcher = HotplugWatcher(UdevSource(kernel.listen))
    assert kernel.opened == 0
    end_first, end_second = watcher.subscribe(first.add), watcher.subscribe(second.add)
    kernel.events.put(UdevEvent("add", "1"))
    for log in (first, second):
        log.wait_for(lambda entries: entries == [PlugEvent("plugged", "1")])
    end_first()
    end_first()
    kernel.events.put(UdevEvent("add", "2"))
    second.wait_for(lambda entries: entries[1:] == [PlugEvent("plugged", "2")])
    assert len(first.entries()) == 1
    assert kernel.opened == 1  # one thread for both
    end_second()
    eventually(lambda: not kernel.is_heard, "the thread has ended")
    end_third = watcher.subscribe(first.add)
    eventually(lambda: kernel.opened == 2, "it listens anew")
    end_third()


def test_where_one_source_is_deaf_the_next_is_asked() -> None:
    kernel, log = Kernel(), Log()
    end_it = HotplugWatcher(Deaf(), UdevSource(kernel.listen)).subscribe(log.add)
    kernel.events.put(UdevEvent("add", "1"))
    log.wait_for(lambda entries: entries == [PlugEvent("plugged", "1")])
    end_it()


def test_a_defect_of_one_subscriber_keeps_nothing_from_the_others(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_event: PlugEvent) -> None:
        raise ValueError("defect")

    kernel, log = Kernel(), Log()
    watcher = HotplugWatcher(UdevSource(kernel.listen))
    end_first, end_second = watcher.subscribe(fail), watcher.subscribe(log.add)
    kernel.events.put(UdevEvent("add", "1"))
    kernel.events.put(UdevEvent("add", "2"))
    log.wait_for(lambda entries: len(entries) == 2)
    assert "defect in a subscriber to" in caplog.text
    end_first()
    end_second()


def test_this_machine_s_own_sources_begin_and_end() -> None:
    """Udev where its library is, else the list of ports; what they tell depends on who plugs in what meanwhile."""
    before = set(threading.enumerate())
    end_it = HotplugWatcher().subscribe(lambda _event: None)
    (begun,) = (thread for thread in set(threading.enumerate()) - before if thread.name == "hotplug")
    end_it()
    begun.join(PATIENCE_S)
    assert not begun.is_alive()


# --- the hint to a port that is missing -------------------------------------------------------------------------------


def test_a_port_is_opened_as_soon_as_it_is_plugged_in(pty: PtyEnd) -> None:
    listener, looks = PortEar(), looks_at(pty)
    thread = PortThread(pty.url, port_maker(pty.url), listener, backoff=FOR_EVER, hotplug=looks.watcher())
    thread.start()
    listener.wait_for_openings(1)
    for number in (1, 2):
        pty.vanish()
        listener.wait_for_loss(PortLost, number)
        listener.wait_for_loss(PortMissing, number)  # the pause that begins now is longer than the test
        looks.wait_for_one()
        pty.plug_in()
        listener.wait_for_openings(number + 1)
    assert thread.stop(PATIENCE_S)


def test_a_usb_device_is_opened_as_soon_as_it_is_plugged_in() -> None:
    end, listener = UsbEnd(), PortEar()
    looks = Looks(lambda: list_bulk_devices(end.backend))
    thread = PortThread(end.url, end.port, listener, backoff=FOR_EVER, hotplug=looks.watcher())
    thread.start()
    listener.wait_for_openings(1)
    end.vanish()
    listener.wait_for_loss(PortLost)
    listener.wait_for_loss(PortMissing)
    looks.wait_for_one()
    end.plug_in()
    listener.wait_for_openings(2)
    end.send(b"card")
    listener.wait_for_bytes(b"card")
    assert thread.stop(PATIENCE_S)
    end.end()


class Missing:
    """Counts the attempts to open a port that never is there."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self.attempts = 0

    def __call__(self) -> Port:
        self.attempts = next(self._numbers)
        raise PortMissing("shoe", "nothing there", "Plug it in.")


def heard(number: int) -> Callable[[list[object]], bool]:
    return lambda entries: len(entries) == number


def test_what_is_unplugged_is_no_reason_to_try_again() -> None:
    kernel, missing, log = Kernel(), Missing(), Log()
    watcher = HotplugWatcher(UdevSource(kernel.listen))
    thread = PortThread("shoe", missing, PortEar(), backoff=FOR_EVER, hotplug=watcher)
    thread.start()
    eventually(lambda: missing.attempts == 2, "the first pause is over")
    end_it = watcher.subscribe(log.add)  # hears of each event after the thread
    for number, action in enumerate(("remove", "remove", "add"), 1):
        kernel.events.put(UdevEvent(action, "/dev/ttyUSB0"))
        log.wait_for(heard(number))
    eventually(lambda: missing.attempts == 4, "the hint, and the first pause after it")
    assert thread.stop(PATIENCE_S)
    assert missing.attempts == 4
    end_it()
    eventually(lambda: not kernel.is_heard, "the thread that ended hears no more")


def test_a_port_that_is_there_hears_of_nothing(pty: PtyEnd) -> None:
    kernel, listener = Kernel(), PortEar()
    watcher = HotplugWatcher(UdevSource(kernel.listen))
    pty.vanish()
    thread = PortThread(pty.url, port_maker(pty.url), listener, backoff=FOR_EVER, hotplug=watcher)
    thread.start()
    listener.wait_for_loss(PortMissing)
    eventually(lambda: kernel.opened == 1, "it waits for the plug")
    pty.plug_in()
    kernel.events.put(UdevEvent("add", pty.url))
    listener.wait_for_openings(1)
    eventually(lambda: not kernel.is_heard, "with the port there nobody listens")
    assert thread.stop(PATIENCE_S)


def test_a_fluttering_hub_does_not_make_an_attempt_of_each_event() -> None:
    """The first pause is waited for in any case; here it is longer than the test."""
    kernel, missing = Kernel(), Missing()
    thread = PortThread(
        "shoe",
        missing,
        PortEar(),
        backoff=Backoff(first_s=3600.0),
        hotplug=HotplugWatcher(UdevSource(kernel.listen)),
    )
    thread.start()
    eventually(lambda: kernel.opened == 1, "it waits")
    for _ in range(100):
        kernel.events.put(UdevEvent("add", "/dev/ttyUSB0"))
    eventually(kernel.events.empty, "all are heard of")
    assert thread.stop(PATIENCE_S)
    assert missing.attempts == 1


def test_without_any_source_the_pauses_alone_bring_it_back(pty: PtyEnd) -> None:
    listener = PortEar()
    quick = Backoff(first_s=0.005, factor=1.5, max_s=0.02)
    thread = PortThread(pty.url, port_maker(pty.url), listener, backoff=quick, hotplug=HotplugWatcher(Deaf()))
    thread.start()
    listener.wait_for_openings(1)
    pty.vanish()
    listener.wait_for_loss(PortLost)
    pty.plug_in()
    listener.wait_for_openings(2)
    assert thread.stop(PATIENCE_S)
