"""The timeout, worked out by hand from RFC 6298 and the constants of the page."""

import pytest

from protocols.tdp.channel import Channel
from protocols.tdp.timing import TIMEOUT_INITIAL_S, TIMEOUT_MAX_S, TIMEOUT_MIN_S, RoundTrip


def test_timeout_follows_the_line() -> None:
    trip = RoundTrip()
    assert (trip.smoothed_s, trip.timeout_s) == (None, TIMEOUT_INITIAL_S)
    trip.measured(0.1)  # smoothed 0.1, deviation 0.05
    assert trip.timeout_s == pytest.approx(0.1 + 4 * 0.05)
    trip.measured(0.2)  # deviation 0.05 + (0.1 − 0.05) / 4, smoothed 0.1 + 0.1 / 8
    assert trip.smoothed_s == pytest.approx(0.1125)
    assert trip.timeout_s == pytest.approx(0.1125 + 4 * 0.0625)


def test_timeout_keeps_its_bounds() -> None:
    trip = RoundTrip()
    trip.measured(-1.0)
    assert trip.smoothed_s == 0.0
    assert trip.timeout_s == TIMEOUT_MIN_S
    trip.expired()
    assert trip.timeout_s == 2 * TIMEOUT_MIN_S
    for _ in range(10):
        trip.expired()
    assert trip.timeout_s == TIMEOUT_MAX_S
    trip.measured(9.0)
    assert trip.timeout_s == TIMEOUT_MAX_S


def test_a_frame_sent_twice_is_not_measured() -> None:
    channel = Channel(4, 224)
    channel.queue(b"once")
    channel.frames(0.0)
    channel.acknowledged(1, 0, 0.1)
    assert channel.round_trip.smoothed_s == pytest.approx(0.1)
    channel.queue(b"twice")
    channel.frames(1.0)
    assert channel.frames(1.0 + channel.round_trip.timeout_s) == [(1, b"twice")]
    channel.acknowledged(2, 0, 1.9)
    assert channel.round_trip.smoothed_s == pytest.approx(0.1)
    assert channel.round_trip.timeout_s == pytest.approx(0.6), "doubled until the next measurement"
