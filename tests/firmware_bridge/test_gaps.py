"""Lost telegrams: what the order of the deal explains is a gap in the count, anything else a fault to look at."""

import pytest

from tests.firmware_bridge.desk import Desk, Listening, brief

GAP = ["fault sequence_gap", "fault_cleared sequence_gap"]


@pytest.mark.parametrize(
    ("script", "counts"),
    [
        ("P1 4S, X, P2 5C", [1, 3]),
        ("P1 4S, X, X, B2 5C", [1, 4]),
        ("P1 4S, B1 KD, P2 5C, X, P3 3H", [1, 2, 3, 5]),
        ("P1 4S, B1 KD, P2 5C, X, B3 3H", [1, 2, 3, 5]),
        ("G player, X, B1 KD", [2]),
        ("G player, X, X, X, X, P3 KD", [5]),
        ("N1 2C, X, N3 3C", [1, 3]),
        ("X, N1 2C, X, X, N4 3C", [1, 4]),
        ("P, X, N2 2C", [2]),
        ("F0 3C, X, U2 2C", [1, 3]),
        ("U1 3C, X, U3 2C", [1, 3]),
        ("N1 3C, X, B1 2C", [1, 3]),
        ("P1 4S, X, E4, e4, P2 5C", [1, 3]),
    ],
)
def test_cards_that_must_have_been_told_are_counted(line: Listening, script: str, counts: list[int]) -> None:
    told = [text.split(":") for text in brief(line.say(script))]
    assert [int(words[0]) for words in told if len(words) > 1] == counts


@pytest.mark.parametrize("before", ["", "P1 4S, B1 9D, P2 5C, B2 3H, G player, S, "])
def test_where_seq_says_nothing_the_order_of_the_deal_does(line: Listening, before: str) -> None:
    """The first telegram after the stack was loaded, or after a start: by Seq nothing is missing."""
    count = 4 if before else 0
    assert brief(line.say(f"{before}P2 5C"))[-1:] == [f"{count + 3}: 5C player 2"]
    assert brief(line.say("B2 3H")) == [f"{count + 4}: 3H banker 2"]


@pytest.mark.parametrize(
    ("script", "jumps"),
    [
        ("P1 4S, X, B1 KD", False),  # a key, say
        ("P1 4S, X, X, P2 KD", True),  # a card for certain, and something else
        ("P1 4S, B1 KD, P2 5C, B2 3H, X, B3 2C", False),  # player 3 may not have drawn
        ("P1 4S, B1 KD, P2 5C, B2 3H, X, P1 4S", False),  # the result
        ("P1 4S, B1 KD, X, P1 3S", False),  # nobody knows
        ("P1 4S, B1 KD, X, P1 4S", False),  # nobody knows
        ("F0 3C, X, P1 4S", False),  # burned cards, and how many
        ("P1 4S, X, G player", False),
        ("P1 4S, X, P", False),
        ("P1 4S, X, E1", False),
        ("P1 4S, X, C", False),
        ("P1 4S, X, d00", False),
        ("P1 4S, X, E2", False),
        ("P1 4S, E2, e2, X, R P1 QH", False),
        ("P1 4S, X, M", False),
    ],
)
def test_any_other_gap_is_a_fault_that_comes_after_its_card_unless_the_count_jumps(
    line: Listening, script: str, jumps: bool
) -> None:
    events = brief(line.say(script))
    assert [text for text in events if text in GAP] == GAP
    assert (events[-2:] != GAP) == jumps
    counts = [int(text.split(":")[0]) for text in events if text[0].isdigit()]
    assert (counts != list(range(1, len(counts) + 1))) == jumps
    assert line.session.gaps == script.count("X")


def test_the_regulation_asks_for_the_card_that_was_lost(desk: Desk) -> None:
    desk.say("P1 4S, X, P2 5C")
    assert desk.irregularities == ["count_gap"]
    desk.resolve("identify", cards=["KD"])
    desk.say("B2 3H, G player")
    assert desk.dealt == ["P1 4S", "B1 KD", "P2 5C", "B2 3H"]
    assert desk.irregularities == ["count_gap"]


def test_a_card_that_a_person_entered_is_not_asked_for(desk: Desk) -> None:
    """The croupier had the card in hand and entered it: the table did not ask for the next one."""
    desk.say("P1 4S, X")
    desk.enter("KD")
    assert brief(desk.say("P2 5C"))[0] == "11: 5C player 2"
    assert desk.dealt == ["P1 4S", "B1 KD", "P2 5C"]
    # A telegram was lost all the same, and nobody can say that it was this card's.
    assert desk.irregularities == ["device_fault"]


def test_a_card_that_the_shoe_never_told_of_does_not_upset_the_count(desk: Desk) -> None:
    """Two cards came at once and the shoe read one."""
    desk.say("P1 4S")
    desk.enter("KD")
    desk.say("d00")
    assert desk.irregularities == ["unread_card"]


def test_an_entered_card_explains_no_other_gap(desk: Desk) -> None:
    desk.say("P1 4S")
    desk.enter("KD")
    assert brief(desk.say("X, X, B2 5C"))[-1:] == ["12: 5C banker 2"]


def test_a_due_card_before_a_gap_is_dealt(desk: Desk) -> None:
    """The fault comes after the card: while it is open, the card would count as not due."""
    desk.say("P1 4S, X, B1 KD")
    assert desk.irregularities == ["device_fault"]
    assert desk.dealt == ["P1 4S", "B1 KD"]
    desk.resolve("continue")
    desk.say("P2 5C")
    assert desk.dealt[-1] == "P2 5C"


def test_gap_and_jump_are_both_shown(desk: Desk) -> None:
    desk.say("P1 4S, X, X, P2 5C")
    assert desk.irregularities == ["device_fault", "count_gap"]
    desk.resolve("continue")
    desk.resolve("identify", cards=["KD"])
    desk.say("B2 3H, G player")
    assert desk.results[0].outcome == "player"
    assert len(desk.irregularities) == 2


def test_a_rounds_first_card_is_lost_with_another_telegram(desk: Desk) -> None:
    """The fault blocks the table before the gap comes: named, the card begins its round, and no other has it."""
    desk.say("X, X, B1 KD")
    assert desk.irregularities == ["device_fault", "count_gap"]
    desk.resolve("continue")
    desk.resolve("identify", cards=["4S"])
    desk.say("P2 5C, B2 9H, G tie")
    desk.close_round()
    desk.say("P1 8S, B1 2C, P2 KH, B2 3D, G player")
    assert [(one.cards.player, one.cards.banker) for one in desk.results] == [
        (["4S", "5C"], ["KD", "9H"]),
        (["8S", "KH"], ["2C", "3D"]),
    ]
    assert len(desk.irregularities) == 2


def test_a_loss_between_two_rounds_shows_in_the_places(desk: Desk) -> None:
    """Nothing is guessed about cards between two rounds: the regulation shows that the shoe is elsewhere."""
    desk.say("P1 4S, B1 KD, X, X, P1 9C")
    assert desk.irregularities == ["device_disagrees", "device_fault"]


def test_nine_lost_telegrams_leave_no_gap(line: Listening) -> None:
    assert brief(line.say(f"P1 4S, {'X, ' * 9}B1 KD")) == ["1: 4S player 1", "2: KD banker 1"]
    assert line.session.gaps == 0
