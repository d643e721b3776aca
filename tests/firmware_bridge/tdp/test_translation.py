"""Each event of a TDP device, as the table log has it."""

import pytest

from firmware_bridge.tdp.translation import Translation, TranslationState
from protocols.tdp import events as tdp
from protocols.tdp.codes import BootReason, Capability, Face
from regulations.events.inputs import AnyInput, CardDrawn, Loaded
from regulations.events.line import DeviceReport
from tests.firmware_bridge.tdp.device import NAME, Device, brief


@pytest.fixture
def meaning() -> Translation:
    return Translation(NAME, TranslationState())


def told(meaning: Translation, *events: tdp.DeviceEvent) -> list[str]:
    return brief([one for event in events for one in meaning.of(event)])


def test_a_card_lies_as_the_device_says(meaning: Translation) -> None:
    device = Device()
    faces = [device.card("8S", face=face) for face in (Face.UNKNOWN, Face.DOWN, Face.UP)]
    assert told(meaning, *faces) == ["1: 8S down", "2: 8S down", "3: 8S up"]


@pytest.mark.parametrize(("confidence", "read"), [(100, "8S"), (90, "8S"), (89, "??"), (0, "??")])
def test_a_reading_that_the_device_is_not_sure_of_is_none(meaning: Translation, confidence: int, read: str) -> None:
    assert told(meaning, Device().card("8S", confidence=confidence)) == [f"1: {read} down"]


def test_a_packet_is_its_cards_with_one_key(meaning: Translation) -> None:
    device = Device()
    assert told(meaning, device.card("2H")) == ["1: 2H down"]
    events = meaning.of(device.packet("TS", None, "KD"))
    assert brief(events) == ["2: TS down", "3: ?? down", "4: KD down"]
    assert {(event.boot, event.number) for event in events if isinstance(event, DeviceReport)} == {(5, 2)}


@pytest.mark.parametrize("reads", [False, True])
def test_a_card_that_no_reader_could_read_is_no_reading_that_failed(meaning: Translation, *, reads: bool) -> None:
    meaning.capabilities = Capability.READS_CARDS if reads else Capability.DISPENSES
    device = Device()
    cards = [one for event in (device.card(None), device.packet(None, None)) for one in meaning.of(event)]
    assert [one.unseen for one in cards if isinstance(one, CardDrawn)] == [not reads] * 3


def test_the_count_goes_on_where_the_wire_begins_at_0_again(meaning: Translation) -> None:
    device = Device(count=65533)
    meaning.replay(CardDrawn(card=None, count=65533, device=NAME))
    assert told(meaning, device.card("2H"), device.packet("3H", "4H"), device.card("5H")) == [
        "65534: 2H down",
        "65535: 3H down",
        "65536: 4H down",
        "65537: 5H down",
    ]
    assert told(meaning, device.loaded(52), device.card("2H")) == ["loaded 52", "1: 2H down"]


def test_a_shuffle_is_an_event_at_the_table_but_not_in_a_shuffler_dealer(meaning: Translation) -> None:
    device = Device()
    shuffle = (device.of(tdp.ShuffleStarted), device.of(tdp.ShuffleDone, 416))
    assert told(meaning, *shuffle) == ["note shuffle_started", "shuffled shuffler"]
    meaning.capabilities = Capability.SHUFFLES | Capability.TAKES_RETURNS
    assert told(meaning, *shuffle) == ["note shuffle_started", "note shuffle_done 416"]
    meaning.capabilities = Capability.SHUFFLES
    assert told(meaning, *shuffle)[1] == "shuffled shuffler"


def test_a_stack_in_a_shuffler_that_does_not_deal_is_not_what_is_dealt_from(meaning: Translation) -> None:
    device = Device()
    meaning.capabilities = Capability.SHUFFLES | Capability.EJECTS | Capability.COUNTS_CARDS
    assert told(meaning, device.loaded(416)) == ["note stack_loaded 416"]
    assert told(meaning, device.of(tdp.CoverOpened, 0)) == ["note cover_opened 0"]
    meaning.capabilities |= Capability.DISPENSES
    assert told(meaning, device.loaded(416)) == ["loaded 416"]


def test_what_happens_to_the_stack(meaning: Translation) -> None:
    device = Device()
    events = (device.loaded(416), device.of(tdp.CutCardDrawn, 3), device.of(tdp.CardsReturned, 7), device.loaded(0))
    assert told(meaning, *events) == ["loaded 416", "cut_card", "cards_returned 7", "note emptied"]


def test_a_machine_that_stops_waiting_for_cards_has_taken_none_back(meaning: Translation) -> None:
    # Locked while it waited, as for an irregularity: the cards are still to be returned.
    assert told(meaning, Device().of(tdp.CardsReturned, 0)) == ["note cards_returned 0"]


def test_a_fault_begins_with_the_first_part_and_ends_with_the_last(meaning: Translation) -> None:
    device = Device()
    events = [
        device.of(tdp.Fault, 3, 1),
        device.of(tdp.Fault, 3, 2),
        device.of(tdp.FaultCleared, 3, 1),
        device.of(tdp.FaultCleared, 3, 2),
        device.of(tdp.FaultCleared, 3, 2),
    ]
    assert told(meaning, *events) == [
        "fault stuck_at_exit",
        "note stuck_at_exit",
        "note stuck_at_exit_cleared",
        "cleared stuck_at_exit",
        "note stuck_at_exit_cleared",
    ]


def test_a_fault_of_a_later_version_blocks_by_its_number(meaning: Translation) -> None:
    device = Device()
    assert told(meaning, device.of(tdp.Fault, 200, 2), device.of(tdp.FaultCleared, 200, 2)) == [
        "fault fault_200",
        "cleared fault_200",
    ]


def test_a_cover_and_its_fault_are_one(meaning: Translation) -> None:
    device = Device()
    meaning.replay(Loaded(cards=416, device=NAME))
    events = [
        device.of(tdp.CoverOpened, 0),
        device.of(tdp.Fault, 8, 0),
        device.of(tdp.CoverOpened, 1),
        device.of(tdp.FaultCleared, 8, 0),
        device.of(tdp.CoverClosed, 0),
        device.of(tdp.CoverClosed, 1),
    ]
    words = [text.split()[0] for text in told(meaning, *events)]
    assert words == ["fault", "note", "note", "note", "note", "cleared"]


def test_a_cover_is_opened_to_load_and_not_while_a_stack_is_dealt_from(meaning: Translation) -> None:
    device = Device()
    opened = (device.of(tdp.CoverOpened, 0), device.of(tdp.CoverClosed, 0))
    notes = ["note cover_opened 0", "note cover_open_cleared"]
    assert told(meaning, *opened) == notes
    told(meaning, device.loaded(416))
    assert told(meaning, *opened) == ["fault cover_open", "cleared cover_open"]
    told(meaning, device.loaded(0))
    assert told(meaning, *opened) == notes


def test_the_key_away_from_dealing_blocks(meaning: Translation) -> None:
    device = Device()
    turned = [device.of(tdp.KeyTurned, position) for position in (2, 1, 0, 0)]
    assert told(meaning, *turned) == [
        "fault key_turned",
        "note key_turned",
        "cleared key_turned",
        "note key_turned_cleared",
    ]


def test_a_restart_ends_what_was_wrong_for_it_is_told_anew(meaning: Translation) -> None:
    device = Device()
    told(meaning, device.loaded(416), device.of(tdp.Fault, 3, 1), device.of(tdp.CoverOpened, 0))
    restart = device.restarted(BootReason.CRASH)
    assert brief(meaning.restarted(restart, is_expected=False)) == [
        "cleared cover_open",
        "cleared stuck_at_exit",
        "fault restarted",
        "cleared restarted",
    ]
    assert told(meaning, device.of(tdp.Fault, 3, 1)) == ["fault stuck_at_exit"]


def test_a_fault_of_the_journal_ends_with_the_first_word_of_its_end(meaning: Translation) -> None:
    device = Device()
    before: list[AnyInput] = meaning.of(device.of(tdp.Fault, 3, 1))
    again = Translation(NAME, TranslationState())
    for event in before:
        again.replay(event)
    assert told(again, device.of(tdp.FaultCleared, 3, 1)) == ["cleared stuck_at_exit"]
