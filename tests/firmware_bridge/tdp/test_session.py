"""Which events of a TDP device are new, and whether it is still the device that it was."""

from dataclasses import replace
from typing import Final

import msgspec
import pytest

from firmware_bridge.tdp.session import IN_FLIGHT_MAX, TdpSession
from protocols.tdp import events as tdp
from protocols.tdp.codes import BootReason, Capability
from protocols.tdp.events import EventKey
from protocols.tdp.exactly_once import OUTBOX_MAX
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput, CardDrawn, CutCardPlaced, Loaded, Shuffled
from regulations.events.line import DeviceReport
from tests.firmware_bridge.tdp.device import HELLO, NAME, STATUS, Device, brief, hello
from tests.firmware_bridge.tdp.host import AT_S, Host

AT: Final = "1970-01-01T00:00:00.000000Z"


@pytest.fixture
def host() -> Host:
    host = Host()
    assert host.hear(HELLO, STATUS) == ["identified SN-001 1.4.0"]
    return host


def test_each_event_is_passed_on_once_with_its_key(host: Host) -> None:
    device = Device()
    first, second = device.card("8S"), device.card("KH")
    assert host.hear(first, second) == ["1: 8S down", "2: KH down"]
    assert host.hear(first, second) == []
    assert host.session.repeats == 2
    assert host.keys() == [(5, 1), (5, 2)]
    card = host.journal[-1]
    assert isinstance(card, DeviceReport)
    assert (card.device, card.raw) == (NAME, "00121000000005000000020002000000002d0163")


def test_only_what_is_durable_is_acknowledged(host: Host) -> None:
    device = Device()
    assert host.session.acknowledgement is None
    events = host.session.translate(device.card("8S"), AT_S)
    assert host.session.acknowledgement is None
    assert host.session.translate(device.card("9S"), AT_S), "the next is new before the first is durable"
    host.keep(events)
    assert host.session.acknowledgement == EventKey(5, 1)


def test_after_a_restart_of_the_host_the_device_repeats_and_nothing_is_doubled(host: Host) -> None:
    device = Device()
    sent = [device.loaded(416), device.card("8S"), device.packet("2C", None, "KD"), device.card("4D")]
    host.hear(*sent[:3])
    again = Host(host.journal)
    acknowledged = []
    for messages, told in (((HELLO, STATUS), []), (sent[:2], []), (sent[2:], ["5: 4D down"])):
        assert again.hear(*messages) == told
        acknowledged.append(again.session.acknowledgement)
    assert acknowledged == [None, EventKey(5, 2), EventKey(5, 4)], "nothing that did not come in this session"
    assert again.session.repeats == 3


def test_a_gap_blocks_and_what_follows_waits_for_a_person(host: Host) -> None:
    device = Device()
    host.hear(device.card("8S"))
    device.card("9S")  # its event is lost
    third, fourth = device.card("TS"), device.card("JS")
    assert host.hear(third, fourth) == ["fault event_gap", "cleared event_gap"]
    assert host.session.acknowledgement == EventKey(5, 1)
    assert host.settle() == ["3: TS down", "4: JS down"]
    assert host.session.acknowledgement == EventKey(5, 4)
    assert host.hear(device.card("QS")) == ["5: QS down"]
    assert host.session.gaps == 1


def test_behind_a_gap_no_more_is_held_than_a_device_keeps(host: Host) -> None:
    device = Device()
    host.hear(device.card("8S"))
    device.card("9S")  # its event is lost
    for _ in range(2 * OUTBOX_MAX):
        host.hear(device.card("TS"))
    assert host.settle() == [f"{count}: TS down" for count in range(3, 3 + OUTBOX_MAX)]
    assert host.session.acknowledgement == EventKey(5, 2 + OUTBOX_MAX)


def test_after_a_gap_a_lost_session_repeats_nothing_that_was_heard_before_it(host: Host) -> None:
    device = Device()
    first = device.card("8S")
    host.hear(first)
    device.card("9S")
    third = device.card("TS")
    host.hear(third)
    assert brief(host.session.lost()) == ["device_lost"]
    assert host.settle() == []
    assert brief(host.session.back()) == ["device_back"]
    # It lost the second event, and its acknowledgement of the first was lost as well.
    assert host.hear(HELLO, STATUS, first, third, device.card("JS")) == [
        *("fault late_card", "cleared late_card", "3: TS down", "4: JS down")
    ]


def test_a_second_gap_is_told_as_well(host: Host) -> None:
    device = Device()
    host.hear(device.card("8S"))
    for _ in range(2):
        device.card("9S")
        later = device.card("TS")
        assert host.hear(later) == ["fault event_gap", "cleared event_gap"]
        assert host.settle() == [f"{later.count}: TS down"]


def test_a_restart_blocks_unless_nothing_could_be_lost(host: Host) -> None:
    device = Device()
    blocked = ["fault restarted", "cleared restarted"]
    assert host.hear(device.of(tdp.StackLoaded, 416), device.card("8S")) == ["loaded 416", "1: 8S down"]
    assert host.hear(device.restarted(BootReason.UPDATE)) == blocked
    host.session.shoe_over()
    assert host.hear(device.restarted(BootReason.WATCHDOG)) == blocked
    assert host.hear(device.restarted(BootReason.UPDATE)) == ["note restarted 5"]
    assert host.hear(device.restarted(BootReason.COMMANDED)) == ["note restarted 4"]


def test_the_first_start_that_is_heard_of_a_device_is_a_note() -> None:
    host = Host()
    device = Device(boot=0)
    assert host.hear(hello(boot_count=1), device.restarted()) == ["identified SN-001 1.4.0", "note restarted 3"]


def test_a_restart_that_lost_events_is_a_gap(host: Host) -> None:
    device = Device()
    host.hear(device.card("8S"))
    device.card("9S")
    assert host.hear(device.restarted()) == ["fault event_gap", "cleared event_gap"]
    assert host.settle() == ["fault restarted", "cleared restarted"]


@pytest.mark.parametrize(
    "changed",
    [
        {"firmware_version": "1.4.1"},
        {"image_digest": b"\xd2" * 32},
        {"security_counter": 8},
        {"serial": "SN-002"},
        {"model": "Shuffler 8"},
        {"maker": "Emca"},
    ],
    ids=str,
)
def test_another_identity_blocks_and_is_kept(host: Host, changed: dict[str, object]) -> None:
    other = hello(**changed)
    told = host.hear(other)
    assert told[:2] == ["fault identity_changed", "cleared identity_changed"]
    assert told[2].startswith("identified")
    assert host.hear(other) == []
    assert Host(host.journal).hear(other) == []
    assert Host(host.journal).hear(HELLO)[0] == "fault identity_changed"


def test_another_unit_has_numbers_of_its_own(host: Host) -> None:
    host.hear(Device().card("8S"))
    host.hear(hello(serial="SN-002", boot_count=1))
    assert host.session.acknowledgement is None
    assert host.hear(Device(boot=1, number=40).card("9S")) == ["1: 9S down"]


def test_an_update_keeps_the_numbers(host: Host) -> None:
    device = Device()
    host.hear(device.card("8S"))
    host.hear(hello(firmware_version="1.5.0"))
    device.card("9S")
    assert host.hear(device.card("TS")) == ["fault event_gap", "cleared event_gap"]


def begun_anew() -> tuple[Host, Device]:
    """A host with four cards, and the same device with its memory lost."""
    host = Host()
    host.hear(HELLO, STATUS)
    device = Device()
    host.hear(*(device.card(card) for card in ("8S", "9S", "TS", "JS")))
    return host, Device(boot=1)


def test_a_boot_count_that_goes_back_is_doubted_and_its_cards_are_not_taken_for_repeats() -> None:
    host, device = begun_anew()
    assert host.hear(hello(boot_count=1)) == ["fault boot_count_back", "cleared boot_count_back"]
    assert host.session.acknowledgement is None
    assert host.hear(device.card("2C"), device.card("3C")) == []
    assert host.settle() == ["1: 2C down", "2: 3C down"]
    assert host.session.acknowledgement == EventKey(1, 2)


def test_numbers_that_go_back_within_a_boot_are_doubted() -> None:
    host, _ = begun_anew()
    device = Device(boot=5)
    assert host.hear(device.beat(last=2)) == ["fault event_numbers_back", "cleared event_numbers_back"]
    assert host.hear(device.beat(last=2)) == []
    host.hear(device.card("2C"))
    assert host.settle() != []
    assert host.session.acknowledgement == EventKey(5, 1)


def test_a_repeated_event_with_other_bytes_is_doubted() -> None:
    host, _ = begun_anew()
    device = Device(boot=5)
    told = host.hear(device.card("2C"))
    assert told == ["fault event_differs", "cleared event_differs"]
    assert host.hear(device.card("3C")) == []
    assert [text.split(": ")[1] for text in host.settle()] == ["2C down", "3C down"]
    # Also after a restart of the host: the journal knows the bytes.
    again, _ = begun_anew()
    assert Host(again.journal).hear(HELLO, Device(boot=5).card("2C"))[0] == "fault event_differs"


def test_nothing_may_be_let_out_before_all_that_happened_is_heard() -> None:
    host = Host()
    device = Device()
    host.hear(HELLO, STATUS)
    card = device.card("8S")
    caught_up = []
    for message in (device.beat(), card, device.beat()):
        host.hear(message)
        caught_up.append(host.session.is_caught_up)
    host.session.lost()
    assert [*caught_up, host.session.is_caught_up] == [False, False, True, False]


@pytest.mark.parametrize("is_over", [True, False])
def test_between_two_shoes_a_cover_may_be_opened_also_after_a_restart(host: Host, *, is_over: bool) -> None:
    device = Device()
    host.hear(device.loaded(416), device.card("8S"))
    again = Host(host.journal)
    if is_over:
        again.session.shoe_over()
    assert again.hear(device.of(tdp.CoverOpened, 0)) == ["note cover_opened 0" if is_over else "fault cover_open"]
    assert again.hear(device.restarted(BootReason.UPDATE))[-1] == (
        "note restarted 5" if is_over else "cleared restarted"
    )


def test_what_others_do_is_no_sign_that_the_shoe_is_over(host: Host) -> None:
    device = Device()
    host.hear(device.loaded(416))
    others: list[AnyInput] = [
        Shuffled(by="shuffler", device="another", boot=1, number=9, at=AT),
        CutCardPlaced(behind=14, at=AT),
        Loaded(cards=416, device="spare", at=AT),
    ]
    assert Host([*host.journal, *others]).hear(device.of(tdp.CoverOpened, 0)) == ["fault cover_open"]


def test_a_refused_report_is_not_heard_again(host: Host) -> None:
    device = Device()
    loaded = device.loaded(400)
    host.hear(loaded)
    again = TdpSession(NAME)
    for event in host.journal:
        again.replay_refused(event)
    assert again.translate(loaded, AT_S) == []
    assert again.repeats == 1


def test_each_log_is_told_who_the_device_is(host: Host) -> None:
    after = Host(host.journal)
    after.session.log_begun()
    assert after.hear(HELLO) == ["identified SN-001 1.4.0"]
    # One that begins while the device is there is told at once.
    after.session.log_begun()
    assert brief(after.session.introduction()) == ["identified SN-001 1.4.0"]
    assert after.hear(HELLO) == []
    assert TdpSession(NAME).introduction() == []
    assert Host([*after.journal]).hear(HELLO) == []
    assert Host([*after.journal]).hear(hello(serial="SN-009"))[:2] == [
        "fault identity_changed",
        "cleared identity_changed",
    ]


def test_a_unit_that_comes_back_goes_on_where_it_was(host: Host) -> None:
    device = Device()
    card = device.card("8S")
    host.hear(card)
    host.hear(hello(serial="SN-002", boot_count=2), Device(boot=2).card("9S"))
    assert host.hear(HELLO, card) == ["fault identity_changed", "cleared identity_changed", "identified SN-001 1.4.0"]
    assert Host(host.journal).hear(card) == [], "also after a restart of the host"
    assert host.hear(device.card("TS")) == ["2: TS down"]


def test_what_the_other_unit_s_journal_takes_is_not_acknowledged_to_this_one(host: Host) -> None:
    old = host.session.translate(Device().card("8S"), AT_S)
    host.hear(hello(serial="SN-002", boot_count=5))
    new = host.session.translate(Device().card("9S"), AT_S)
    host.keep(old)
    before = host.session.acknowledgement
    host.keep(new)
    assert (before, host.session.acknowledgement) == (None, EventKey(5, 1))


def test_the_faults_of_a_unit_that_is_gone_are_over(host: Host) -> None:
    device = Device()
    host.hear(device.of(tdp.Fault, 3, 1))
    assert host.hear(hello(serial="SN-002"))[:3] == [
        *("fault identity_changed", "cleared identity_changed", "cleared stuck_at_exit")
    ]
    host.hear(Device(number=7).of(tdp.Fault, 9, 1))
    assert "cleared motor_stall" not in host.hear(hello(serial="SN-002", firmware_version="2.0")), (
        "an update mends none"
    )


def test_an_update_that_lost_the_boot_count_is_doubted_too(host: Host) -> None:
    host.hear(Device().card("8S"))
    told = host.hear(hello(firmware_version="2.0", boot_count=1))
    assert told[0] == "fault identity_changed"
    assert "fault boot_count_back" in told


def test_an_event_that_cannot_be_read_is_a_gap_when_nothing_comes_after_it(host: Host) -> None:
    device = Device()
    host.hear(device.card("8S"))
    device.card("9S")  # its message was skipped
    assert host.hear(device.beat()) == [], "it may be on its way"
    assert host.hear(device.beat()) == ["fault event_gap", "cleared event_gap"]
    assert host.settle() == []
    assert host.hear(device.beat()) == []
    caught_up = host.session.is_caught_up
    assert (caught_up, host.hear(device.card("TS"))) == (True, ["3: TS down"])


def test_kept_events_that_take_their_time_are_no_gap(host: Host) -> None:
    device = Device()
    cards = [device.card("8S") for _ in range(4)]
    for card in cards:
        assert host.hear(device.beat(), card) == [f"{card.count}: 8S down"]


def test_a_card_of_before_the_loss_does_not_open_the_next_round(host: Host) -> None:
    device = Device()
    kept = device.card("KS")
    host.keep(host.session.lost())
    host.settle()  # a person voids the round
    host.keep(host.session.back())
    assert host.hear(HELLO, STATUS, kept) == ["fault late_card", "cleared late_card", "1: KS down"]
    assert host.hear(device.beat(), device.card("QS")) == ["2: QS down"]


def test_a_device_that_floods_is_stopped_and_nothing_grows_without_bound(host: Host) -> None:
    device = Device()
    told = []
    for _ in range(IN_FLIGHT_MAX + 600):
        told += brief(host.session.translate(device.of(tdp.CoverClosed, 0), AT_S))
    assert len(told) == IN_FLIGHT_MAX + 2
    assert told[-2:] == ["fault event_flood", "cleared event_flood"]


def test_lost_and_back_take_turns_and_outlast_a_restart(host: Host) -> None:
    assert host.session.back() == []
    host.keep(host.session.lost())
    assert brief(Host(host.journal).session.back()) == ["device_back"]


def test_what_is_left_is_counted_by_a_device_that_counts(host: Host) -> None:
    assert host.session.stack_left() == [], "no card came from it"
    host.hear(Device().card("8S"))
    assert brief(host.session.stack_left()) == ["stack_counted 416"]
    host.session.lost()
    assert host.session.stack_left() == []
    host.hear(hello(capabilities=Capability(0)), STATUS)
    assert host.session.stack_left() == []


def test_starts_that_nobody_heard_of_are_no_gap_also_after_a_restart_of_the_host(host: Host) -> None:
    device = Device()
    host.hear(device.card("8S"))
    host.hear(device.restarted())
    device.restarted()  # lost, in a device that keeps no events
    again = Host(host.journal)
    assert again.hear(device.restarted()) == ["fault restarted", "cleared restarted"]
    assert again.session.gaps == 0


@pytest.mark.parametrize("raw", ["", "00", "zz", "0005040000000900"])
def test_a_journal_whose_bytes_mean_nothing_here_still_counts_by_its_keys(raw: str) -> None:
    card = CardDrawn(card="8S", count=1, device=NAME, raw=raw, boot=5, number=3)
    host = Host([msgspec.structs.replace(card, at="1970-01-01T00:00:00.000000Z")])
    device = Device(number=3, other=(5, 3))
    assert host.hear(device.restarted()) == ["fault restarted", "cleared restarted"]


def test_a_fault_is_cleared_where_it_is(host: Host) -> None:
    device = Device()
    host.hear(device.of(tdp.Fault, 4, 3), device.of(tdp.Fault, 4, 2), device.of(tdp.Fault, 9, 5))
    assert [host.session.module_of(code) for code in (4, 9, 3)] == [2, 5, 0]
    host.hear(replace(STATUS, fault_code=4, fault_module=3))
    assert host.session.module_of(4) == 3
    again = Host(host.journal)
    assert again.session.module_of(4) == 0, "the journal keeps no modules"


def test_a_device_is_empty_only_if_it_counts(host: Host) -> None:
    empty = replace(STATUS, stack_cards=0)
    found = []
    for status, capabilities in ((STATUS, HELLO.capabilities), (empty, HELLO.capabilities), (empty, 0)):
        host.hear(hello(capabilities=Capability(capabilities)), status)
        found.append(host.session.is_empty)
    host.session.lost()
    assert [*found, host.session.is_empty] == [False, True, False, False]


def test_what_an_earlier_session_passed_on_is_acknowledged_when_it_came_again_and_is_durable(host: Host) -> None:
    card = Device().card("8S")
    passed_on = host.session.translate(card, AT_S)
    host.session.lost()
    host.session.back()
    host.keep(passed_on)
    assert host.session.acknowledgement is None, "it has not come in this session"
    assert host.hear(card) == []
    assert host.session.acknowledgement == EventKey(5, 1)


def test_a_repeated_event_is_not_acknowledged_before_the_first_is_durable(host: Host) -> None:
    card = Device().card("8S")
    passed_on = host.session.translate(card, AT_S)
    assert host.hear(card) == []
    assert host.session.acknowledgement is None
    host.keep(passed_on)
    assert host.session.acknowledgement == EventKey(5, 1)


def test_a_repeated_event_with_which_nothing_can_be_compared_is_doubted(host: Host) -> None:
    device = Device()
    first = device.card("8S")
    host.hear(first)
    for _ in range(2 * OUTBOX_MAX):
        host.hear(device.card("9S"))
    assert host.hear(first) == ["fault event_differs", "cleared event_differs"]


SILENT: Final = ["fault restarted_silently", "cleared restarted_silently"]


def test_a_start_without_a_word_is_told_once(host: Host) -> None:
    device = Device()
    host.hear(device.card("8S"), device.beat())
    host.session.lost()
    host.session.back()
    # Another boot, of which all was heard: nothing.
    device.boot, device.number = 6, 0
    assert host.hear(hello(boot_count=6), device.beat()) == SILENT
    assert host.session.is_caught_up
    assert host.hear(device.beat()) == []
    # Its first event must say that it started; any other is a gap.
    assert host.hear(device.card("9S")) == ["fault event_gap", "cleared event_gap"]


def test_a_start_that_was_told_is_no_silent_one(host: Host) -> None:
    device = Device()
    host.hear(device.card("8S"))
    assert host.hear(device.restarted(BootReason.WATCHDOG), device.beat()) == ["fault restarted", "cleared restarted"]
    assert Host(host.journal).hear(hello(boot_count=6), device.beat()) == []


def test_what_a_log_hears_of_first_may_have_started_before_it(host: Host) -> None:
    assert host.hear(Device(boot=9).beat()) == []


def test_the_fault_of_a_device_that_was_refused_is_not_one_that_it_tells(host: Host) -> None:
    """Its start clears the faults that it told before; that one a verdict alone ends."""
    device = Device()
    host.hear(device.card("8S"))
    refused = decode_input(b'{"event":"fault","device":"shuffler","code":"not_admitted","origin":"table"}')
    again = Host([*host.journal, refused])
    assert again.hear(device.restarted(BootReason.WATCHDOG)) == ["fault restarted", "cleared restarted"]
