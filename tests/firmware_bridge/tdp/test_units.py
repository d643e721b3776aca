"""The units of a TDP device that stood under one name: how many are remembered, and what a forgotten one may say."""

import pytest

from firmware_bridge.tdp.session import UNITS_MAX
from tests.firmware_bridge.tdp.device import HELLO, STATUS, Device, hello
from tests.firmware_bridge.tdp.host import Host


@pytest.fixture
def host() -> Host:
    host = Host()
    host.hear(HELLO, STATUS)
    return host


def test_a_device_that_names_one_unit_after_another_fills_no_memory(host: Host) -> None:
    """Each was remembered, and all of them were listed again for the next: 12,000 took minutes of the port's thread."""
    card = Device().card("8S")
    host.hear(card)
    for number in range(2, UNITS_MAX):
        host.hear(hello(serial=f"SN-{number:03}"))
    assert host.hear(HELLO, card)[2:] == ["identified SN-001 1.4.0"]
    for number in range(100, 100 + 2 * UNITS_MAX):
        host.hear(hello(serial=f"SN-{number}"))
    assert len(host.session.state.others) == UNITS_MAX - 1
    # The first one is forgotten: what it says again lies only once a person has looked.
    assert host.hear(HELLO, card)[2:] == ["identified SN-001 1.4.0"]
    assert Host(host.journal).hear(card) == [], "also after a restart of the host"
    assert host.settle() == ["1: 8S down"]
