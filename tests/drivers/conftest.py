"""A USB device on a bus inside the process, and a port that is open to it."""

from collections.abc import Iterator

import pytest

from drivers.usb_port import UsbPort
from tests.kit.far_ends import UsbEnd


@pytest.fixture
def end() -> Iterator[UsbEnd]:
    end = UsbEnd()
    yield end
    end.end()


@pytest.fixture
def port(end: UsbEnd) -> Iterator[UsbPort]:
    port = UsbPort(end.url, backend=end.backend)
    port.open()
    yield port
    port.close()
