"""Each mistake, made when it should be, counted, and followed by proper work."""

import random
from collections import Counter

import pytest

from protocols.angel_eye.messages import CardDrawn, ErrorRaised
from regulations.events.cards import Card
from regulations.events.inputs import BetsClosed, Demonstration, Revealed, RoundClosed, StackCounted
from regulations.events.outputs import Next
from sim.croupier.mistakes import MISTAKES, Mistakes
from sim.croupier.pace import Pace
from tests.sim.croupier.table import (
    BETWEEN,
    BURN,
    CLOSE_ROUND,
    DRAW,
    SHOE_OVER,
    SHUFFLE,
    ScriptedTable,
    always,
    dealt,
    irregular,
    refused,
    resolved,
    result,
)

FOUR: tuple[Card, ...] = ("9S", "2S", "KS", "3S", "6S", "7S")


def test_an_extra_card_after_the_last() -> None:
    table = ScriptedTable(FOUR, mistakes=always("extra_card"))
    table.deal(4)
    table.hear(result("player"), CLOSE_ROUND)
    assert table.telegrams() == [ErrorRaised(6, 2, error_mode=True)]
    assert table.croupier.mistakes_made == {"extra_card": 1}
    table.shoe.panel.clear_error()
    table.hear(*irregular("card_not_due", "burn"))
    table.hear(resolved("burn"), CLOSE_ROUND)
    hands = [list(table.shoe.panel.player)]
    table.hear(CLOSE_ROUND)
    hands.append(list(table.shoe.panel.player))
    # The right button is pressed now; the next round has the card that was burned, and is ended by force.
    assert hands == [["6S"], []]
    assert table.hear(CLOSE_ROUND) == [RoundClosed()]


def test_an_extra_card_where_cards_are_to_be_revealed() -> None:
    table = ScriptedTable(FOUR, mistakes=always("extra_card"))
    assert table.hear(Next(do="reveal", to="player")) == []
    assert table.hands.felt.laid == ["9S"]
    assert table.hear(Next(do="reveal", to="player")) == [Revealed(who="player")]


def test_an_early_card_before_the_round_is_closed() -> None:
    table = ScriptedTable(FOUR, mistakes=always("early_card"))
    table.deal(4)
    table.hear(result("player"), CLOSE_ROUND)
    table.telegrams()
    assert table.hear(CLOSE_ROUND) == []
    (told,) = table.telegrams()
    assert isinstance(told, CardDrawn)
    assert told.card == "6S"


def test_an_early_card_after_the_last_round() -> None:
    table = ScriptedTable(FOUR, mistakes=always("early_card"))
    assert table.hear(SHOE_OVER, SHUFFLE) == []
    assert table.hands.felt.laid == ["9S"]
    assert table.hear(SHUFFLE) == [StackCounted(cards=51)]


@pytest.mark.parametrize("players", [True, False])
def test_a_forgotten_burn(*, players: bool) -> None:
    table = ScriptedTable(FOUR, mistakes=always("forgotten_burn"), players=players)
    (said,) = table.hear(BURN)
    assert isinstance(said, BetsClosed if players else Demonstration)
    assert table.hear(*refused("burn_missing", BURN)) == []
    assert table.hands.felt.laid == ["9S"]
    table.hear(result("player"), CLOSE_ROUND)
    table.wait(1.0)
    # The bets that were refused do not count as closed.
    assert [type(one) for one in table.hear(BETWEEN)] == ([BetsClosed] if players else [])


def test_a_burn_before_a_round_cannot_be_forgotten() -> None:
    table = ScriptedTable(FOUR, mistakes=always("forgotten_burn"))
    table.croupier.apply([result("player"), BETWEEN])
    assert table.hear(BURN) == []
    assert table.hands.felt.laid == ["9S"]


@pytest.mark.parametrize("prompt", [BURN, DRAW])
def test_a_card_pushed_back(prompt: Next) -> None:
    table = ScriptedTable(FOUR, mistakes=always("pushed_back"))
    assert table.hear(prompt) == []
    (told,) = table.telegrams()
    assert isinstance(told, ErrorRaised)
    assert told.code in (4, 5)
    assert table.hands.felt.laid == []
    table.hear(irregular("device_fault", "continue")[0], Next(do="resolve", irregularity=1, actions=[]))
    table.hear(Next(do="resolve", irregularity=1, actions=["continue"]))
    table.hear(resolved(), prompt)
    assert table.hands.felt.laid == ["9S"]


def test_a_wrong_button() -> None:
    table = ScriptedTable(FOUR, mistakes=always("wrong_button"))
    table.deal(4)
    table.hear(result("player"), CLOSE_ROUND)
    assert table.telegrams() == [ErrorRaised(6, 3, error_mode=False)]
    table.hear(CLOSE_ROUND)
    table.wait(2.0)
    assert table.shoe.panel.errors == ()
    assert table.shoe.panel.verdict is None
    assert table.said == [RoundClosed()]


def test_an_empty_shoe_leaves_fewer_mistakes() -> None:
    table = ScriptedTable(mistakes=always("pushed_back", "extra_card", "early_card"))
    table.hands.felt.gather(table.shoe.unload())
    table.hear(result("player"), CLOSE_ROUND)
    table.hear(DRAW)
    assert table.croupier.mistakes_made == Counter()


def test_after_a_mistake_the_next_act_is_a_proper_one() -> None:
    slips = always(*MISTAKES)
    assert [slips.one_of("early_card") for _ in range(4)] == ["early_card", None, "early_card", None]
    assert slips.one_of() is None


def test_mistakes_come_about_as_often_as_told(seed: int) -> None:
    slips = Mistakes(random.Random(seed), 0.2)
    for _ in range(5000):
        slips.one_of("early_card")
    # One in five acts, and after each one act that is careful.
    assert slips.made["early_card"] == pytest.approx(5000 * 0.2 / 1.2, rel=0.15)


def test_no_mistakes_without_a_rate(seed: int) -> None:
    slips = Mistakes(random.Random(seed), 0.0)
    assert all(slips.one_of("early_card", "pushed_back") is None for _ in range(1000))
    with pytest.raises(ValueError, match="0 to 1"):
        Mistakes(random.Random(seed), 1.1)


def test_a_pace_of_nought_takes_no_time_and_one_of_one_is_human(seed: int) -> None:
    rng = random.Random(seed)
    assert Pace(0).delay_s("shuffle", rng) == 0.0
    delays = [Pace().delay_s("draw", rng) for _ in range(100)]
    assert 0.5 < min(delays) < max(delays) < 3.0
    with pytest.raises(ValueError, match="0 or more"):
        Pace(-1)


def test_a_rate_of_one_still_gets_a_round_done() -> None:
    table = ScriptedTable([*FOUR], mistakes=1.0)
    for _ in range(20):
        table.hear(dealt(), DRAW)
        table.shoe.panel.clear_error()
    assert len(table.hands.felt.laid) >= 10
