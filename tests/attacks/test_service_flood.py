"""Attack: what is at a device's service port never stops, in the middle of an update."""

import contextlib
import os
import threading
import tty
from typing import Final

import pytest

from drivers.serial_port import SerialPort, SerialSettings
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.errors import DeviceFailure
from firmware_bridge.update.service import SmpService

FLOODS: Final = {
    "line ends": b"\n" * 4096,
    "no line end": b"\xff" * 4096,
    "beginnings of packets": b"\x06\x09" + b"A" * 100 + b"\n",
    "a packet without an end": b"\x06\x09//8AAAAA\n" + (b"\x04\x14" + b"A" * 120 + b"\n") * 30,
}


@pytest.mark.timeout(30)
@pytest.mark.parametrize("what", FLOODS)
def test_a_service_port_that_never_stops_is_left(what: str) -> None:
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    name = os.ttyname(theirs)

    os.set_blocking(ours, False)
    over = threading.Event()

    def flood() -> None:
        while not over.is_set():
            with contextlib.suppress(OSError):  # nothing was asked
                os.read(ours, 4096)
            try:
                os.write(ours, FLOODS[what])
            except OSError:  # full
                over.wait(0.001)

    flooding = threading.Thread(target=flood)
    flooding.start()
    try:
        with pytest.raises(DeviceFailure) as caught:
            SmpService(lambda: SerialPort(name, SerialSettings()), answer_s=0.5, patience_s=1.0).slots()
        assert caught.value.code == UpdateCode.SERVICE_GARBAGE
    finally:
        over.set()
        flooding.join()
        os.close(theirs)
        os.close(ours)
