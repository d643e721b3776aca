"""Fixtures that the tests of the application share."""

import pytest

from tests.second_device.room import Room


@pytest.fixture
def room(seed: int) -> Room:
    room = Room(seed)
    room.connect()
    return room


@pytest.fixture
def loaded(room: Room) -> Room:
    room.station.device.mechanism.load(52)
    room.run(0.05)
    return room
