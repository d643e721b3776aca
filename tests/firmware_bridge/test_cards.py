"""Each card once: repeats, conflicts, cards that were not read, drawn outside a game, or overdrawn."""

import pytest

from tests.firmware_bridge.desk import BURN, Desk, Listening, brief

NATURAL = "P1 4S, B1 KD, P2 5C, B2 3H"
"""Nine against three: nobody draws."""


def test_a_round_at_the_table(desk: Desk) -> None:
    assert brief(desk.say(f"{NATURAL}, G player"))[-1:] == ["result player"]
    assert desk.dealt == ["P1 4S", "B1 KD", "P2 5C", "B2 3H"]
    assert [result.outcome for result in desk.results] == ["player"]
    assert desk.irregularities == []


@pytest.mark.parametrize(
    ("burn", "claims"),
    [
        ("F0 3C, U1 4C, U2 5C, U3 6C, P1 4S", ["burn 0", "burn 1", "burn 2", "burn 3", "player 1"]),
        ("N1 3C, N2 --, P1 4S", ["burn 1", "burn 2", "player 1"]),
    ],
)
def test_burned_cards_are_claimed_as_burned(line: Listening, burn: str, claims: list[str]) -> None:
    assert [text.split(" ", 2)[2] for text in brief(line.say(burn))] == claims


def test_the_same_card_at_the_same_place_is_a_repeat(line: Listening) -> None:
    assert brief(line.say("P1 8S, P1 8S, B1 9D, P1 8S, P2 KC")) == [
        "1: 8S player 1",
        "2: 9D banker 1",
        "3: KC player 2",
    ]


def test_another_card_at_that_place_reaches_the_table_with_its_claim(desk: Desk) -> None:
    """Nobody knows which is right: the regulation lays it where a card is due, and flags that the shoe disagrees."""
    assert brief(desk.say("P1 8S, P1 9S")) == ["9: 8S player 1", "10: 9S player 1"]
    assert desk.dealt == ["P1 8S", "B1 9S"]
    assert desk.irregularities == ["device_disagrees"]


def test_after_a_conflict_the_places_behind_it_are_free_again(line: Listening) -> None:
    """Whatever the conflict means, the cards that follow are new ones, even where one looks like the one before."""
    assert len(line.say("P1 8S, B1 9D, P1 7S, B1 9D")) == 4


def test_burned_cards_beyond_the_highest_index_share_it(line: Listening) -> None:
    assert len(line.say("N10 2C, N10 2C")) == 2


def test_the_next_round_may_have_the_same_card_at_the_same_place(desk: Desk) -> None:
    desk.say(f"{NATURAL}, G player")
    desk.close_round()
    assert brief(desk.say("P1 4S")) == ["13: 4S player 1"]


def test_it_may_even_if_the_result_was_lost(desk: Desk) -> None:
    desk.say(f"{NATURAL}, X")
    desk.close_round()
    assert brief(desk.say("P1 4S")) == ["13: 4S player 1", "fault sequence_gap", "fault_cleared sequence_gap"]
    assert desk.irregularities == ["device_fault"]


# --- not read --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [1, 6])
@pytest.mark.parametrize("order", ["P2 --, E{0}, e{0}", "E{0}, P2 --, e{0}", "E{0}, e{0}", "P2 --"])
def test_a_card_that_was_not_read_is_one_card(desk: Desk, order: str, code: int) -> None:
    """Error and card of rank 0 come in either order, or only one of them (Q4)."""
    events = brief(desk.say(f"P1 4S, B1 KD, {order.format(code)}"))
    assert [text.split(" ")[1] for text in events] == ["4S", "KD", "--"]
    assert desk.irregularities == ["unread_card"]
    desk.resolve("identify", card="5C")
    desk.say("B2 3H")
    assert desk.results[0].cards.player == ["4S", "5C"]
    assert desk.irregularities == ["unread_card"]


@pytest.mark.parametrize("order", ["P1 --, E1, e1, B1 --, E1, e1", "E1, P1 --, e1, E1, B1 --, e1", "E1, e1, E1, e1"])
def test_two_cards_that_were_not_read_are_two(line: Listening, order: str) -> None:
    assert [text[:5] for text in brief(line.say(order))] == ["1: --", "2: --"]


def test_an_unread_card_takes_no_other_cards_half(line: Listening) -> None:
    """The error of the first was lost, and a card was read since: the next error is of another card."""
    assert [text[:5] for text in brief(line.say("P1 --, B1 9D, E1, P2 --"))] == ["1: --", "2: 9D", "3: --"]


def test_a_place_that_an_unread_card_fills_is_no_lost_card(line: Listening) -> None:
    """The shoe told the card of banker 1 by its error alone; the telegram that is missing was another."""
    assert brief(line.say("P1 4S, E1, e1, X, P2 5C")) == [
        "1: 4S player 1",
        "2: --",
        "3: 5C player 2",
        "fault sequence_gap",
        "fault_cleared sequence_gap",
    ]


# --- outside a game --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["d00", "d12", "d20", "d70"])
def test_a_card_outside_a_game_is_a_card_that_nobody_knows(desk: Desk, word: str) -> None:
    assert brief(desk.say(f"P1 4S, {word}")) == ["9: 4S player 1", "10: --"]
    assert desk.irregularities == ["unread_card"]


# --- overdrawn -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "told",
    [
        "E2, e2, R P1 QH, G player",  # by its retransmission alone
        "E2, P1 QH, e2, R P1 QH, G player",  # at once as well (Q14), in the place of the next round
        "E2, P3 QH, e2, R P1 QH, G player",  # at once, in a place of this round
        "P1 QH, E2, e2, R P1 QH, G player",  # before the error
        "E2, e2, G player, R P1 QH",  # the retransmission after the result
        "E2, e2, R P1 QH, R P1 QH, G player",  # retransmitted twice
        "E2, e2, R P1 QH, G player, P1 QH",  # and told as the next round's own
    ],
)
def test_an_overdrawn_card_is_one_card_of_the_next_round(told: str) -> None:
    desk = Desk(overdrawn_card="next_round")
    desk.say(f"{BURN}, {NATURAL}")
    events = [text for text in brief(desk.say(told)) if "fault" not in text and "result" not in text]
    assert [text.split(" ")[:2] for text in events] == [["13:", "QH"]]
    while desk.is_blocked:
        ways = desk.prompt.actions or []
        desk.resolve("continue" if "continue" in ways else "next_round")
    desk.close_round()
    desk.say("B1 9D")
    assert desk.dealt[-2:] == ["P1 QH", "B1 9D"]


@pytest.mark.parametrize(
    "told",
    [
        "E1, E2, e1, e2, R P1 --",
        "E2, E1, e2, e1, R P1 --",
        "E2, P1 --, E1, e1, e2, R P1 --",
        "E2, E1, P1 --, e1, e2, R P1 --",
        "E2, P1 --, P1 --, e2, R P1 --",
        "E2, E2, P1 --, e2, R P1 --",
    ],
)
def test_an_overdrawn_card_that_was_not_read_is_one_card(line: Listening, told: str) -> None:
    events = [text for text in brief(line.say(f"{NATURAL}, {told}")) if "fault" not in text]
    assert len(events) == 5


def test_two_overdrawn_cards_begin_the_next_round(line: Listening) -> None:
    line.say(NATURAL)
    assert brief(line.say("E2, e2, R P1 QH, R B1 9D, G player, P1 QH, B1 9D, P2 2C")) == [
        "fault 2",
        "fault_cleared 2",
        "5: QH player 1",
        "6: 9D banker 1",
        "result player",
        "7: 2C player 2",
    ]


def test_each_overdraw_has_its_own_cards(line: Listening) -> None:
    """A card told at once whose retransmission was lost hides no later one."""
    line.say(f"{NATURAL}, E2, P1 QH, e2, X, G player, B1 9D, P2 2C, B2 3C, P3 4C")
    assert brief(line.say("E2, e2, R P1 QH"))[-1:] == ["10: QH player 1"]


def test_a_retransmission_whose_error_was_lost_is_a_card(line: Listening) -> None:
    """An earlier overdraw left a card of the same kind behind."""
    line.say(f"{NATURAL}, E2, P3 QH, e2, X, G player, P1 9D, B1 2C, P2 JC, B2 3C")
    assert brief(line.say("X, e2, R P1 QH"))[-1:] == ["10: QH player 1"]


def test_an_overdrawn_card_may_look_like_one_of_this_round(line: Listening) -> None:
    """The round's last card and the error were lost: it does not look whole, and yet the card is of the next one."""
    told = brief(line.say("P1 4S, B1 KD, P2 5C, X, X, e2, R P1 4S, G player, P1 4S, B1 9D"))
    assert told[-3:] == ["4: 4S player 1", "result player", "5: 9D banker 1"]


def test_an_overdrawn_card_is_forgotten_with_its_round_even_if_the_result_before_it_was_lost(line: Listening) -> None:
    line.say(f"{NATURAL}, E2, e2, R P1 QH, X, B1 9D, P2 2C, B2 3C, G tie")
    assert brief(line.say("P1 QH")) == ["9: QH player 1"]
