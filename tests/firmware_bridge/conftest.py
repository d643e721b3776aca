"""A session that knows that a stack was loaded, and a table with its burn dealt."""

import pytest

from firmware_bridge.angel_eye.session import ShoeSession
from tests.firmware_bridge.desk import BURN, SHOE, Desk, Listening


@pytest.fixture
def line() -> Listening:
    """No round is partial."""
    session = ShoeSession(SHOE)
    session.stack_loaded()
    return Listening(session=session)


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.say(BURN)
    return desk
