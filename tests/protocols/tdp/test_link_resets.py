"""A host's way with a ``RESET``: it refuses the session being opened, if it names that one, and nothing else."""

import pytest

from protocols.tdp import handshake
from protocols.tdp.framing import HALF, Frame, FrameKind, encode_frame
from protocols.tdp.handshake import ResetReason
from protocols.tdp.link import Link, SessionRefused
from protocols.tdp.states import LinkState, Role
from tests.protocols.tdp.lines import host_with_session

TOKEN = 7


def reset(session: int, reason: ResetReason) -> bytes:
    return encode_frame(Frame(FrameKind.RESET, session, payload=handshake.encode_reset(handshake.Reset(reason))))


def test_the_session_being_opened_is_refused() -> None:
    host = Link(Role.HOST, TOKEN)
    host.open(0.0)
    assert host.receive(reset(TOKEN * HALF, ResetReason.VERSION), 0.0) == [SessionRefused(ResetReason.VERSION, 1, 1)]
    assert host.strange == 0


@pytest.mark.parametrize("number", [(TOKEN + 1) * HALF, TOKEN * HALF + 1, 0])
def test_another_session_s_reset_refuses_nothing(number: int) -> None:
    host = Link(Role.HOST, TOKEN)
    host.open(0.0)
    assert host.receive(reset(number, ResetReason.VERSION), 0.0) == []
    assert (host.state, host.strange) == (LinkState.OPENING, 1)


def test_a_late_refusal_refuses_no_session_that_stands() -> None:
    host = host_with_session()
    session = host.session
    assert session is not None
    assert host.receive(reset(session - session % HALF, ResetReason.SECURITY), 0.0) == []
    assert (host.state, host.strange) == (LinkState.OPEN, 1)
