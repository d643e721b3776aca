"""Players decide from the prompt and the cards they see; what they ask for is allowed."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from msgspec import UNSET

from regulations.events.cards import Card
from regulations.events.inputs import Decision
from regulations.events.outputs import Next
from regulations.events.vocabulary import Game
from regulations.law.stakes import stake_of
from sim.players import Players, PlayerView, Strategy

ALL = ["hit", "stand", "double", "split", "surrender", "insurance"]


def asked(*actions: str, seat: int = 2, hand: int = 1) -> Next:
    return Next(do="decide", seat=seat, hand=hand, actions=list(actions))


def decided(
    game: Game,
    prompt: Next,
    own: Sequence[Card],
    croupier: Card | None = None,
    *,
    strategy: Strategy = "basic",
    seed: int = 1,
    hidden: bool = False,
    **options: object,
) -> Decision | None:
    players = Players(random.Random(seed), game=game, strategy=strategy)
    view = PlayerView(own=own, croupier=[croupier] if croupier else [], is_hidden=hidden, options=options)
    return players.decide(prompt, view)


@pytest.mark.parametrize(
    ("own", "croupier", "action"),
    [
        (["TS", "9H"], "AS", "stand"),
        (["TS", "6H"], "9S", "surrender"),
        (["TS", "6H"], "6S", "stand"),
        (["TS", "2H"], "3S", "hit"),
        (["TS", "2H"], "4S", "stand"),
        (["5S", "6H"], "TS", "double"),
        (["5S", "6H"], "AS", "hit"),
        (["8S", "8H"], "TS", "split"),
        (["TS", "KH"], "6S", "stand"),
        (["KS", "KH"], "6S", "stand"),
        (["AS", "AH"], "AS", "split"),
        (["AS", "6H"], "5S", "double"),
        (["AS", "7H"], "9S", "hit"),
        (["AS", "7H"], "8S", "stand"),
        (["2S", "3H", "2H", "4S"], "6S", "hit"),
    ],
)
def test_a_sensible_player_of_blackjack(own: list[Card], croupier: Card, action: str) -> None:
    said = decided("blackjack", asked(*ALL), own, croupier)
    assert said is not None
    assert (said.action, said.seat, said.hand, said.id) == (action, 2, 1, 1)


def test_a_sensible_player_keeps_to_what_is_offered() -> None:
    pairs: list[tuple[list[str], list[Card], str]] = [
        (["hit", "stand"], ["8S", "8H"], "hit"),
        (["stand", "even_money"], ["AS", "KH"], "stand"),
        (["stand", "half_pay", "hit"], ["2S", "3S", "2H", "4S", "5S"], "half_pay"),
        (["stand", "half_pay", "hit"], ["2S", "3S", "2H", "4S", "9S"], "stand"),
        (["half_pay"], ["2S", "3S", "2H", "4S", "TS"], "half_pay"),
    ]
    for actions, own, action in pairs:
        said = decided("blackjack", asked(*actions), own, "TH")
        assert said is not None
        assert said.action == action


def test_only_eleven_is_doubled_where_the_table_says_so() -> None:
    hands: list[tuple[list[Card], str]] = [(["5S", "6H"], "double"), (["4S", "6H"], "hit")]
    for own, action in hands:
        said = decided("blackjack", asked(*ALL), own, "5H", double="eleven_only")
        assert said is not None
        assert said.action == action


@pytest.mark.parametrize("own", [["TS", "6H", "KH"], ["7S", "7H", "7D"], ["6S", "8S", "7S"]])
@pytest.mark.parametrize("strategy", ["random", "basic"])
def test_a_hidden_hand_that_is_over_is_shown(own: list[Card], strategy: Strategy) -> None:
    assert decided("blackjack", asked("hit", "stand"), own, "5H", hidden=True, strategy=strategy) is None


def test_a_sensible_player_shows_his_cards_where_he_gains_what_is_not_offered_before() -> None:
    few = asked("hit", "stand")
    shown: list[list[Card]] = [["8S", "8H"], ["TS", "6H"], ["5S", "6H"]]
    for own in shown:
        assert decided("blackjack", few, own, "9H", hidden=True) is None
    kept: list[list[Card]] = [["TS", "9H"], ["8S", "5H"], ["5S", "4H", "7S"]]
    for own in kept:
        assert decided("blackjack", few, own, "9H", hidden=True) is not None
    assert decided("blackjack", few, ["2S", "3S", "2H", "4S", "5S"], "9H", hidden=True) is None


def test_hidden_cards_are_shown_before_what_only_open_ones_can_have() -> None:
    assert decided("blackjack", asked(*ALL), ["8S", "8H"], "5H", hidden=True) is None
    assert decided("blackjack", asked(*ALL), ["5S", "6H"], "5H", hidden=True, double="eleven_only") is None
    said = decided("blackjack", asked(*ALL), ["5S", "6H"], "5H", hidden=True)
    assert said is not None
    assert said.action == "double"


def test_nobody_takes_a_card_on_a_hidden_twenty_one(seed: int) -> None:
    for number in range(100):
        said = decided(
            "blackjack",
            asked("hit", "double", "stand"),
            ["AS", "KH"],
            hidden=True,
            strategy="random",
            seed=seed + number,
        )
        assert said is None or said.action == "stand"


def test_the_careless_do_anything_that_is_offered(seed: int) -> None:
    players = Players(random.Random(seed), game="blackjack", strategy="random")
    view = PlayerView(own=["8S", "8H"], croupier=["AH"])
    said = [players.decide(asked(*ALL), view) for _ in range(500)]
    assert {one.action for one in said if one is not None} == set(ALL)
    pairs = Counter(one.any_pair is not UNSET for one in said if one is not None and one.action == "split")
    assert set(pairs) == {True, False}
    assert all(one.any_pair is UNSET for one in said if one is not None and one.action != "split")


@pytest.mark.parametrize(("option", "least", "most"), [("half_to_full", 0.5, 1), ("half", 0.5, 0.5), ("full", 1, 1)])
def test_insurance_is_what_the_bank_allows(seed: int, option: str, least: float, most: float) -> None:
    players = Players(random.Random(seed), game="blackjack", strategy="random")
    view = PlayerView(own=["8S", "8H"], croupier=["AH"], options={"insurance": option})
    for _ in range(200):
        closed = players.bets()
        wager = next(one for one in closed.wagers if one.bet == "main")
        prompt = Next(do="decide", seat=wager.seat, hand=1, id=wager.id, actions=["insurance"])
        said = players.decide(prompt, view)
        assert said is not None
        assert isinstance(said.amount, int)
        assert least * stake_of(wager) <= said.amount <= most * stake_of(wager)


@pytest.mark.parametrize(
    ("own", "action"),
    [
        (["QS", "3H", "2D"], "play"),
        (["JS", "9H", "2D"], "fold"),
        (["2S", "2H", "3D"], "play"),
        (["JS", "TH", "9D"], "play"),
        (["JS", "9S", "2S"], "play"),
        (["AS", "2H", "3D"], "play"),
    ],
)
def test_a_sensible_player_of_q_poker_plays_with_queen_high_or_better(own: list[Card], action: str) -> None:
    prompt = Next(do="decide", seat=4, id=2, actions=["play", "fold"])
    said = decided("q_poker", prompt, own)
    assert said is not None
    assert (said.action, said.seat, said.id) == (action, 4, 2)


def test_a_sensible_player_of_casino_war_challenges() -> None:
    said = decided("casino_war", asked("surrender", "challenge"), ["9S"], "9H")
    assert said is not None
    assert said.action == "challenge"


@pytest.mark.parametrize("game", ["casino_war", "q_poker"])
def test_the_careless_do_either(seed: int, game: Game) -> None:
    players = Players(random.Random(seed), game=game, strategy="random")
    actions = ["surrender", "challenge"] if game == "casino_war" else ["play", "fold"]
    said = [players.decide(asked(*actions), PlayerView(own=["9S"])) for _ in range(50)]
    assert {one.action for one in said if one is not None} == set(actions)


@pytest.mark.parametrize("prompt", [Next(do="decide", actions=["hit"]), Next(do="decide", seat=1)])
def test_a_prompt_that_nobody_can_answer_is_an_error(prompt: Next) -> None:
    with pytest.raises(ValueError, match="unanswerable prompt"):
        decided("blackjack", prompt, ["9S"])
