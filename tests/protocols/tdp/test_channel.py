"""One end of the stream by itself, worked out by hand from section 6 of the page: numbers, times, going back."""

from protocols.tdp.channel import Channel
from protocols.tdp.framing import SEQUENCES
from protocols.tdp.timing import ACK_WITHIN_S, GIVE_UP_S, RETRY_S


def sending(text: bytes, window: int = 4) -> Channel:
    """A channel that has just sent so many frames of 16 bytes as fit, at 0 s."""
    channel = Channel(window, 16)
    channel.queue(text)
    channel.frames(0.0)
    return channel


def numbers(channel: Channel, now_s: float) -> list[int]:
    return [number for number, _ in channel.frames(now_s)]


def test_a_window_and_no_more_is_under_way() -> None:
    channel = Channel(3, 16)
    channel.queue(bytes(16 * 5 + 1))
    assert numbers(channel, 0.0) == [0, 1, 2]
    channel.acknowledged(2, 0.1)
    assert channel.frames(0.1) == [(3, bytes(16)), (4, bytes(16))]
    channel.acknowledged(5, 0.2)
    assert channel.frames(0.2) == [(5, bytes(1))]
    assert channel.backlog == 1


def test_all_under_way_is_sent_again_when_nothing_was_acknowledged_for_the_fixed_time() -> None:
    channel = sending(bytes(64))
    assert channel.deadline_s == RETRY_S
    assert numbers(channel, RETRY_S - 0.001) == []
    assert numbers(channel, RETRY_S) == [0, 1, 2, 3]
    channel.acknowledged(1, 0.3)
    assert numbers(channel, 0.3 + RETRY_S - 0.001) == [], "anew with each acknowledgement of something new"
    assert numbers(channel, 0.3 + RETRY_S) == [1, 2, 3]
    assert channel.repeated == 7


def test_it_is_stuck_when_nothing_new_is_acknowledged_though_it_repeats() -> None:
    channel = sending(bytes(20))
    for step in range(1, 12):
        assert numbers(channel, step * RETRY_S) == [0, 1]
    assert not channel.is_stuck(GIVE_UP_S - 0.001)
    assert channel.is_stuck(GIVE_UP_S)
    channel.acknowledged(1, GIVE_UP_S)
    assert not channel.is_stuck(GIVE_UP_S)
    channel.acknowledged(2, GIVE_UP_S)
    assert not channel.is_stuck(100.0), "nothing is under way"


def test_going_back_sends_all_under_way_and_not_what_is_acknowledged_meanwhile() -> None:
    channel = sending(bytes(64))
    channel.go_back()
    channel.acknowledged(2, 0.1)
    assert numbers(channel, 0.1) == [2, 3]
    channel.go_back()
    channel.acknowledged(4, 0.1)
    assert numbers(channel, 0.1) == []
    channel.go_back()
    assert numbers(channel, 0.1) == [], "there is nothing to send again"


def test_an_acknowledgement_of_what_was_not_sent_or_is_old_moves_nothing() -> None:
    channel = sending(bytes(64))
    channel.acknowledged(2, 0.1)
    for old in (0, 1, 2, 5, 200):
        channel.acknowledged(old, 0.2)
    assert channel.backlog == 32
    assert channel.deadline_s == 0.1 + RETRY_S


def test_only_the_expected_frame_is_taken_and_every_frame_is_answered_within_the_time() -> None:
    channel = Channel(4, 16)
    assert channel.data(0, b"a", 1.0) == b"a"
    assert (channel.expected, channel.owes(1.0), channel.deadline_s) == (1, False, 1.0 + ACK_WITHIN_S)
    assert channel.owes(1.0 + ACK_WITHIN_S)
    channel.frame_sent()
    assert channel.data(0, b"a", 2.0) == b"", "known"
    assert (channel.owes(2.0 + ACK_WITHIN_S), channel.complains) == (True, False)
    assert channel.data(2, b"c", 2.0) == b"", "too early"
    assert (channel.owes(2.0 + ACK_WITHIN_S), channel.complains) == (True, True)
    assert channel.data(1, b"b", 2.0) == b"b"
    assert channel.duplicates == 2


def test_it_complains_once_until_it_is_heeded_or_the_other_end_has_repeated_by_itself() -> None:
    channel = Channel(4, 16)
    for now_s, complains in ((0.0, True), (0.1, False), (RETRY_S, True), (RETRY_S, False)):
        channel.missed(now_s)
        assert channel.complains is complains
        channel.frame_sent()
    channel.data(0, b"a", 0.3)
    channel.missed(0.3)
    assert channel.complains, "what was asked for has come: this is another gap"


def test_what_waits_goes_with_the_next_or_after_its_time() -> None:
    channel = Channel(4, 16)
    channel.queue(b"acknowledged ", waits=True)
    assert channel.frames(1.0) == []
    assert channel.deadline_s == 1.0 + ACK_WITHIN_S
    channel.queue(b"go", waits=False)
    assert channel.frames(1.001) == [(0, b"acknowledged go")]
    channel.frame_sent()
    channel.acknowledged(1, 1.1)
    channel.queue(b"alone", waits=True)
    channel.frames(2.0)
    assert channel.frames(2.0 + ACK_WITHIN_S) == [(1, b"alone")]
    channel.frame_sent()
    channel.queue(b"with", waits=True)
    channel.go_back()
    assert channel.frames(2.1) == [(1, b"alone"), (2, b"with")], "with what goes anyway"


def test_what_waits_does_not_wait_longer_for_a_full_window() -> None:
    channel = sending(bytes(16), window=1)
    channel.queue(b"waits", waits=True)
    assert channel.frames(0.1) == []
    assert channel.frames(0.1 + ACK_WITHIN_S) == []
    channel.frame_sent()
    assert channel.deadline_s == RETRY_S, "it does not ask again and again"
    channel.acknowledged(1, 0.2)
    assert channel.frames(0.2) == [(1, b"waits")]


def test_numbers_go_round() -> None:
    sender, receiver = Channel(4, 16), Channel(4, 16)
    for step in range(SEQUENCES):
        sender.queue(bytes([step]) * 48)
        came = b"".join(receiver.data(number, payload, step) for number, payload in sender.frames(step))
        assert came == bytes([step]) * 48
        sender.acknowledged(receiver.expected, step)
        assert sender.backlog == 0
    assert receiver.expected == 3 * SEQUENCES % SEQUENCES == 0
