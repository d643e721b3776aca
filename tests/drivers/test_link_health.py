"""The diagnosis ladder: how far what a device says gets."""

from collections.abc import Callable

import pytest

from drivers.errors import PortMissing
from drivers.link_health import ADVICE, ERRORS_KEPT, REPEAT_WINDOW_S, UNFRAMED_BYTES, UNFRAMED_S, LinkHealth, LinkStage

FRAME = bytes.fromhex("05 31 44 81 B8 03 34 46")
MISSING = PortMissing("/dev/shoe", "nothing there", "Plug it in.")


def test_the_ladder_is_climbed_rung_by_rung() -> None:
    health = LinkHealth()
    reached = [health.rung]
    steps: tuple[Callable[[], None], ...] = (
        lambda: health.opened(5.0),
        lambda: health.received(9, 5.5),
        lambda: health.garbage(9),
        lambda: health.reply(expected=False),
        lambda: health.frame(FRAME, 6.0),
        lambda: health.received(1, 6.5),
    )
    for step in steps:
        step()
        reached.append(health.rung)
    assert reached == [
        LinkStage.DISCONNECTED,
        LinkStage.CONNECTED,
        LinkStage.BYTES,
        LinkStage.BYTES,
        LinkStage.FRAMES,
        LinkStage.EVENTS,
        LinkStage.EVENTS,
    ]
    assert health.connected_since_s == 5.0
    assert (health.bytes_in, health.garbage_bytes, health.replies, health.stray_replies) == (10, 9, 1, 1)


def test_the_last_errors_are_kept_without_their_bytes() -> None:
    health = LinkHealth()
    for number in range(1, ERRORS_KEPT + 3):
        health.garbage(number, "noise", float(number))
    assert [one.length for one in health.errors] == list(range(3, ERRORS_KEPT + 3))
    assert health.errors[-1] == (ERRORS_KEPT + 2.0, "noise", ERRORS_KEPT + 2)


def test_three_copies_are_one_event() -> None:
    health = LinkHealth()
    for moment_s in (0.0, 0.05, 0.1):
        health.frame(FRAME, moment_s)
    assert (health.frames, health.events, health.repeats) == (3, 1, 2)
    health.frame(FRAME, 0.1 + REPEAT_WINDOW_S)  # after a whole second it is a new one
    assert (health.frames, health.events, health.repeats) == (4, 2, 2)
    health.frame(FRAME[::-1], 1.2)
    assert (health.events, health.repeats) == (3, 2)


def test_a_loss_begins_the_ladder_anew_and_keeps_the_counts() -> None:
    health = LinkHealth()
    health.opened(1.0)
    health.received(3, 1.0)
    health.lost(MISSING)
    assert (health.rung, health.connected_since_s, health.losses) == (LinkStage.DISCONNECTED, None, 1)
    health.lost(MISSING)  # still gone: no second loss
    assert health.losses == 1
    health.opened(2.0)
    assert (health.rung, health.connections, health.bytes_in) == (LinkStage.CONNECTED, 2, 3)


def test_bytes_that_make_no_frame_are_noticed_after_the_time_for_one() -> None:
    health = LinkHealth()
    health.opened(0.0)
    health.received(UNFRAMED_BYTES - 1, 10.0)
    assert not health.makes_no_frames(100.0), "the noise of a plug"
    health.received(1, 100.0)
    assert not health.makes_no_frames(200.0), "and another, much later"
    health.received(UNFRAMED_BYTES - 1, 100.0 + UNFRAMED_S - 0.1)
    assert health.makes_no_frames(100.0 + UNFRAMED_S)
    health.received(1, 150.0)
    assert health.makes_no_frames(150.0), "until there is a frame"
    health.opened(200.0)
    assert not health.makes_no_frames(200.0), "each connection begins anew"
    health.received(UNFRAMED_BYTES, 210.0)
    assert not health.makes_no_frames(210.0 + UNFRAMED_S - 0.1)
    assert health.makes_no_frames(210.0 + UNFRAMED_S)
    health.frame(FRAME, 214.0)
    assert not health.makes_no_frames(300.0)
    health.received(UNFRAMED_BYTES, 310.0)
    assert health.makes_no_frames(310.0 + UNFRAMED_S), "behind a frame as well"


def test_line_ends_and_spaces_are_no_bytes_without_a_frame() -> None:
    health = LinkHealth()
    health.opened(0.0)
    health.received(100, 1.0, filling=100)
    assert health.unframed_from_s is None
    health.received(100, 2.0, filling=100 - UNFRAMED_BYTES)
    assert health.makes_no_frames(2.0 + UNFRAMED_S)


def test_a_device_that_was_quiet_needs_no_repair() -> None:
    health = LinkHealth()
    health.opened(0.0)
    assert health.outcome() == "The port was open, and the device said nothing."
    health.frame(FRAME, 1.0)
    health.lost(MISSING)
    assert health.outcome() == str(MISSING)
    health.opened(2.0)
    assert health.outcome() == ADVICE[LinkStage.EVENTS]
    health.received(9, 3.0)
    assert health.outcome() == ADVICE[LinkStage.BYTES]


@pytest.mark.parametrize("rung", LinkStage)
def test_every_rung_has_its_advice(rung: LinkStage) -> None:
    health = LinkHealth(rung=rung)
    assert health.advice() == ADVICE[rung]


def test_without_a_connection_the_error_is_the_advice() -> None:
    health = LinkHealth()
    health.lost(MISSING)
    assert health.advice() == "/dev/shoe: nothing there. Plug it in."
