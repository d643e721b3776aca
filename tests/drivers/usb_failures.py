"""Opening a USB device that cannot be opened."""

import pytest

from drivers.errors import DriverError, PortLost
from drivers.usb_port import UsbPort
from tests.kit.usb_backend import SimulatedBackend

NAME = "bulk:1209:0001:SHOE1"
"""Of the device that the fixture `end` is."""


def failure_to_open(backend: SimulatedBackend, name: str = NAME) -> DriverError:
    port = UsbPort(name, backend=backend)
    with pytest.raises(DriverError) as caught:
        port.open()
    with pytest.raises(PortLost, match="not open"):  # a failed opening leaves nothing open
        port.read(0)
    assert caught.value.port == name
    return caught.value
