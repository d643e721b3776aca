"""The croupier's inputs at plain equipment, act by act, in games of every kind; the table says what a test says."""

import random
from typing import Any

import pytest
from msgspec import UNSET, UnsetType

from regulations.events.cards import Card
from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    CardsReturned,
    Closed,
    Cut,
    CutCard,
    CutCardPlaced,
    Decision,
    Demonstration,
    Exposed,
    Loaded,
    Misdeal,
    Resolve,
    Revealed,
    RoundClosed,
    ShoeEnded,
    Shuffled,
    StackCounted,
    Void,
)
from regulations.events.outputs import AnyOutput, Burned, Dealt, Next, Reveal
from regulations.events.vocabulary import EquipmentKind, Game
from sim.clock import VirtualClock
from sim.croupier.instructions import PATIENCE_S, HouseInstructions
from sim.croupier.mistakes import Mistake, Mistakes
from sim.croupier.pace import Pace
from sim.croupier.plain import PlainCroupier
from sim.croupier.routine import CroupierTraits
from sim.plain.hands import plain_hands_at
from sim.players import Players
from tests.sim.croupier.table import SHOE_OVER, always, irregular, refused, resolved, result

BETWEEN = Next(do="close_bets", actions=["shoe_ended", "closed"])


class Scripted:
    """A croupier who takes no time, with a stack in the device already."""

    def __init__(
        self,
        game: Game,
        *cards: Card,
        kind: EquipmentKind = "shoe",
        reads: bool = False,
        mistakes: float | Mistakes = 0.0,
        cut_card_behind: int | None = None,
        loaded: bool = True,
        players: bool = True,
        **options: Any,  # noqa: ANN401  # an option has any value
    ) -> None:
        self.clock = VirtualClock()
        self.said: list[AnyInput] = []
        rng = random.Random(1)
        self.hands = plain_hands_at(kind, 1, rng, reads=reads)
        if loaded:
            for card in cards:
                self.hands.felt.stack.remove(card)
            self.hands.felt.stack = [*cards, *self.hands.felt.stack]
            if cut_card_behind is not None:
                self.hands.place_cut_card(cut_card_behind)
            self.hands.load()
        self.croupier = PlainCroupier(
            self.hands,
            CroupierTraits(
                say=self.said.append,
                rng=rng,
                clock=self.clock,
                game=game,
                mistakes=mistakes,
                players=Players(random.Random(2), game=game) if players else None,
                pace=Pace(0),
                orders=HouseInstructions(),
            ),
            equipment=kind,
        )
        self.croupier.apply([Next(do="shuffle", options=options)])
        self.croupier.apply([BETWEEN])
        self.croupier.apply([Next(do="draw", to="seat", seat=1, position=1)])

    def hear(self, *outputs: AnyOutput) -> list[AnyInput]:
        before = len(self.said)
        self.croupier.apply(outputs)
        self.clock.advance(0.9)
        return self.said[before:]

    def deal(self, prompt: Next, card: Card | None = None) -> list[AnyInput]:
        """Prompt a card and lay it where the prompt wants it, ``card`` open or hidden."""
        said = self.hear(prompt)
        assert prompt.to is not UNSET
        assert prompt.position is not UNSET
        self.croupier.apply(
            [Dealt(card=card, to=prompt.to, seat=prompt.seat, hand=prompt.hand, position=prompt.position)]
        )
        return said


def draw(seat: int, position: int, hand: int = 1) -> Next:
    return Next(do="draw", to="seat", seat=seat, hand=hand, position=position)


def draw_croupier(position: int) -> Next:
    return Next(do="draw", to="croupier", position=position)


@pytest.mark.parametrize(
    ("game", "options", "prompt", "is_open"),
    [
        ("baccarat", {"deal": "face_up"}, Next(do="draw", to="player", position=1), True),
        ("baccarat", {}, Next(do="draw", to="player", position=1), True),
        ("baccarat", {"deal": "face_down"}, Next(do="draw", to="banker", position=3), False),
        ("blackjack", {"procedure": "first"}, draw(1, 2), False),
        ("blackjack", {"procedure": "first"}, draw(1, 3), True),
        ("blackjack", {"procedure": "second"}, draw(1, 1), True),
        ("blackjack", {}, draw_croupier(1), True),
        ("blackjack", {}, draw_croupier(2), True),
        ("casino_war", {}, draw(1, 1), True),
        ("casino_war", {}, Next(do="burn"), False),
        ("q_poker", {}, draw(1, 1), False),
        ("q_poker", {}, draw_croupier(3), False),
        ("three_card_baccarat", {}, Next(do="draw", to="banker", position=1), False),
    ],
)
def test_a_card_laid_face_up_is_entered_by_name_and_one_laid_face_down_is_not(
    game: Game, options: dict[str, Any], prompt: Next, *, is_open: bool
) -> None:
    expected: dict[bool, AnyInput] = {True: CardDrawn(card="9S"), False: CardDrawn(card=None, unseen=True)}
    first = Dealt(card=None, to="seat", seat=7, position=1)
    table = Scripted(game, "9S", **options)
    table.croupier.apply([first])
    assert table.hear(prompt) == [expected[is_open]]
    reading = Scripted(game, "9S", reads=True, **options)
    reading.croupier.apply([first])
    assert reading.hear(prompt) == [CardDrawn(card="9S")]


def test_with_the_box_the_croupier_s_second_card_lies_face_down() -> None:
    table = Scripted("blackjack", "9S", "8S", "7S", kind="box")
    assert table.deal(draw_croupier(1), "9S") == [CardDrawn(card="9S")]
    assert table.deal(draw_croupier(2)) == [CardDrawn(card=None, unseen=True)]
    assert table.hear(Next(do="reveal", to="croupier")) == [Revealed(who="croupier", cards=["8S"])]
    table.croupier.apply([Reveal(who="croupier", cards=["8S"])])
    assert table.deal(draw_croupier(3), "7S") == [CardDrawn(card="7S")]


def test_the_first_card_of_an_initial_burn_by_value_is_shown_and_no_other() -> None:
    table = Scripted("baccarat", "2S", "8S", initial_burn="first_card_value")
    assert table.hear(Next(do="burn")) == [CardDrawn(card="2S")]
    assert table.hear(Burned(card="2S", why="initial"), Next(do="burn")) == [CardDrawn(card=None, unseen=True)]


def test_a_hand_that_nobody_has_read_is_named_when_it_is_turned() -> None:
    cases: list[tuple[bool, list[Card] | UnsetType]] = [(False, ["9S", "8S", "7S"]), (True, UNSET)]
    for reads, named in cases:
        table = Scripted("q_poker", "9S", "8S", "7S", reads=reads)
        for position in (1, 2, 3):
            table.deal(draw(2, position))
        (said,) = table.hear(Next(do="reveal", to="seat", seat=2))
        assert said == Revealed(who="seat", seat=2, hand=1, cards=named)


def test_the_cut_card_in_the_stack_is_noticed_and_he_draws_on() -> None:
    table = Scripted("casino_war", "9S", "8S", cut_card_behind=51)
    assert table.deal(draw(1, 1), "9S") == [CardDrawn(card="9S")]
    assert table.hear(draw(2, 1)) == [CutCard()]
    assert table.hear(draw(2, 1)) == [CardDrawn(card="8S")]


def test_in_q_poker_the_croupier_cuts_and_the_cut_card_lies_last() -> None:
    table = Scripted("q_poker", loaded=False)
    assert table.hear(Next(do="shuffle")) == [Shuffled(by="croupier")]
    assert table.hear(Next(do="cut")) == [Cut(by="croupier")]
    assert table.hear(Next(do="place_cut_card")) == [CutCardPlaced(behind=0)]
    assert table.hear(Next(do="load")) == [Loaded(cards=52)]


def test_the_cut_card_lies_where_the_option_says() -> None:
    table = Scripted("casino_war", loaded=False)
    table.croupier.apply([Next(do="shuffle", options={"cut_card_behind": 20})])
    assert table.hear(Next(do="cut")) == [Cut(by="player")]
    assert table.hear(Next(do="place_cut_card")) == [CutCardPlaced(behind=20)]


@pytest.mark.parametrize("order", [("shuffle", "load"), ("load", "shuffle")])
def test_a_shuffler_is_loaded_before_or_after_it_shuffles(order: tuple[Any, Any]) -> None:
    table = Scripted("q_poker", kind="shuffler", loaded=False)
    said = [one for do in order for one in table.hear(Next(do=do))]
    expected: dict[str, AnyInput] = {"shuffle": Shuffled(by="shuffler"), "load": Loaded(cards=52)}
    assert said == [expected[do] for do in order]
    assert table.hands.device.cards_left == 52


def test_used_cards_go_back_into_a_shuffler_dealer_but_for_one_that_is_held() -> None:
    table = Scripted("casino_war", kind="shuffler_dealer")
    for seat in (1, 2):
        table.deal(draw(seat, 1), "9S")
    table.hear(Next(do="close_round"))
    table.hear(*irregular("card_not_due", "next_round"))
    assert table.hear(resolved("next_round"), Next(do="return_cards")) == [CardsReturned(cards=2)]
    assert table.hands.device.cards_left == 52


def test_a_player_who_wants_his_cards_turned_has_them_turned_before_he_decides() -> None:
    table = Scripted("blackjack", "8S", "5H", "8H", "TS", procedure="first")
    table.deal(draw(1, 1))
    table.deal(draw_croupier(1), "5H")
    table.deal(draw(1, 2))
    asked = Next(do="decide", seat=1, hand=1, actions=["hit", "stand", "double", "split"])
    assert table.hear(asked) == [Revealed(who="seat", seat=1, hand=1, cards=["8S", "8H"])]
    (said,) = table.hear(Reveal(who="seat", seat=1, hand=1, cards=["8S", "8H"]), asked)
    assert isinstance(said, Decision)
    assert (said.seat, said.hand, said.action) == (1, 1, "split")
    # The hand's second card is the other hand's first now, and the card that comes to it is open.
    assert table.deal(draw(1, 2), "TS") == [CardDrawn(card="TS")]


def test_a_split_that_is_refused_was_none() -> None:
    table = Scripted("blackjack", "8S", "5H", "8H", procedure="second")
    table.deal(draw(1, 1), "8S")
    table.deal(draw_croupier(1), "5H")
    table.deal(draw(1, 2), "8H")
    asked = Next(do="decide", seat=1, hand=1, actions=["hit", "stand", "split"])
    for _ in range(2):
        (said,) = table.hear(*refused("not_allowed", asked))
        assert isinstance(said, Decision)
        assert said.action == "split", "the pair is still one"


def test_he_begins_no_round_of_casino_war_for_which_cards_may_be_missing() -> None:
    table = Scripted("casino_war", "9S")
    table.hear(BETWEEN)
    assert isinstance(table.said[-1], BetsClosed)
    while table.hands.device.cards_left > 9:
        table.hands.draw()
    assert table.hear(BETWEEN) == [ShoeEnded(reason="too_few_cards")]


def test_undue_cards_are_burned_in_the_order_in_which_they_came() -> None:
    table = Scripted("casino_war", "9S", "8S")
    table.hear(draw(1, 1))
    (said,) = table.hear(*irregular("unread_card", "identify", "void"))
    assert said == Resolve(irregularity=1, action="identify", by=["croupier", "supervisor"], card="9S")


def test_an_empty_device_is_a_void_round_or_the_end_of_the_shoe_game() -> None:
    table = Scripted("casino_war")
    while table.hands.device.cards_left:
        table.hands.draw()
    table.croupier.apply([Dealt(card="9S", to="seat", seat=1, position=1)])
    empty = Void(ground="malfunction", reason="the device is empty", by=["croupier", "supervisor"])
    assert table.hear(draw(2, 1)) == [empty]


def test_without_players_rounds_are_empty_and_hands_stand() -> None:
    table = Scripted("blackjack", players=False)
    assert table.hear(BETWEEN) == [BetsClosed(seats=[], wagers=[])]
    (said,) = table.hear(Next(do="decide", seat=1, hand=1, actions=["hit", "stand"]))
    assert said == Decision(seat=1, hand=1, action="stand")


def test_a_table_that_never_answers_is_left() -> None:
    table = Scripted("casino_war", "9S")
    table.hear(draw(1, 1))
    table.clock.advance(20 * PATIENCE_S)
    assert table.said == [CardDrawn(card="9S")], "a card is never entered twice"
    assert table.croupier.stuck == "the table does not answer"


def test_after_the_last_round_he_counts_what_is_left_and_closes() -> None:
    table = Scripted("q_poker", "9S")
    table.hear(draw(1, 1))
    assert table.hear(SHOE_OVER, Next(do="shuffle")) == [StackCounted(cards=51)]
    assert table.hear(Next(do="shuffle")) == [Closed()]


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "prompt", "expected"),
    [
        ("closed_early", draw(2, 1), RoundClosed()),
        ("reported_misdeal", draw(2, 1), Misdeal(detail="the cards lie wrong")),
        ("exposed_card", draw(2, 1), Exposed(who="seat", seat=1, hand=1, cards=["9S"])),
        ("extra_card", Next(do="reveal", to="seat", seat=1), CardDrawn(card=None, unseen=True)),
        ("wrong_reveal", Next(do="reveal", to="seat", seat=1), Revealed(who="seat", seat=1, hand=1, cards=[])),
        ("early_card", BETWEEN, CardDrawn(card=None, unseen=True)),
        ("early_card", Next(do="close_round"), CardDrawn(card=None, unseen=True)),
        ("miscounted", Next(do="return_cards"), CardsReturned(cards=2)),
        (
            "out_of_turn",
            Next(do="decide", seat=1, hand=1, actions=["play", "fold"]),
            Decision(seat=99, action="play"),
        ),
    ],
)
def test_each_mistake(kind: Mistake, prompt: Next, expected: AnyInput) -> None:
    table = Scripted("q_poker", "9S", mistakes=always(kind))
    table.deal(draw(1, 1))
    if kind in ("closed_early", "reported_misdeal", "exposed_card"):
        assert table.croupier.mistakes_made == {}, "not before a card lies there"
    assert table.hear(prompt) == [expected]
    assert table.croupier.mistakes_made == {kind: 1}


def test_a_decision_out_of_turn_is_another_seat_s() -> None:
    table = Scripted("q_poker", mistakes=always("out_of_turn"))
    for seat in (1, 2):
        table.deal(draw(seat, 1))
    asked = Next(do="decide", seat=1, hand=1, actions=["surrender", "play"])
    assert table.hear(asked) == [Decision(seat=2, action="play")]


def test_a_forgotten_burn() -> None:
    for game, expected in (("three_card_baccarat", BetsClosed), ("baccarat", BetsClosed | Demonstration)):
        table = Scripted(game, mistakes=always("forgotten_burn"))
        (said,) = table.hear(Next(do="burn"))
        assert isinstance(said, expected)


def test_whose_cards_are_shown_too_soon() -> None:
    table = Scripted("three_card_baccarat", reads=True, mistakes=always("wrong_reveal"))
    table.deal(draw(1, 1))
    assert table.hear(Next(do="reveal", to="seat", seat=1)) == [Revealed(who="banker")]
    other = Scripted("blackjack", reads=True, mistakes=always("wrong_reveal"))
    other.deal(draw(1, 1))
    assert other.hear(Next(do="reveal", to="seat", seat=1)) == [Revealed(who="seat", seat=99)]


def test_a_misdeal_is_reported_of_a_round_that_is_decided() -> None:
    table = Scripted("baccarat", mistakes=always("reported_misdeal"))
    assert table.hear(result("player"), Next(do="close_round")) == [Misdeal(detail="the cards lie wrong")]


def test_a_stack_miscounted() -> None:
    table = Scripted("q_poker", mistakes=always("miscounted"))
    assert table.hear(SHOE_OVER, Next(do="shuffle")) == [StackCounted(cards=53)]
