"""Figures of a table, counted."""

import pytest
from msgspec import UNSET, UnsetType

from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.terminal.statistics import Statistics
from regulations.events.inputs import (
    Amendment,
    AnyInput,
    CardDrawn,
    Dispute,
    Misdeal,
    Resolve,
    RoundClosed,
    ShoeEnded,
    Table,
    Void,
)
from regulations.events.outputs import AnyOutput, Next, Settled, SettledWager
from regulations.events.vocabulary import Game
from regulations.games.blackjack.result import BlackjackCroupier, BlackjackHand, BlackjackResult
from regulations.games.casino_war.result import CasinoWarResult, WarBettor, WarSeat
from tests.kit.results import Q_POKER, THREE_CARD
from tests.kit.table_log import AT, INPUTS, TABLE


def counted(*events: AnyInput) -> Statistics:
    scribe, statistics = Scribe(TABLE), Statistics()
    statistics(scribe.opening)
    for event in events:
        statistics(scribe.take(event))
    return statistics


def test_a_round_and_the_end_of_a_shoe() -> None:
    assert counted(*INPUTS, ShoeEnded(reason="house", at=AT)).lines() == [
        "shoe games finished  1",
        "rounds closed        1 (1 player, 0 banker, 0 tie; 0 void)",
        "cards                12",
        "wagered              1.00",
        "house                +1.00",
        "irregularities       none",
        "settled by           none",
        "refused              none",
    ]


def test_nothing_yet() -> None:
    assert counted().lines()[1:5] == [
        "rounds closed        0 (0 player, 0 banker, 0 tie; 0 void)",
        "cards                0",
        "wagered              0.00",
        "house                0.00",
    ]


def test_a_result_that_falls_is_no_money_of_the_house() -> None:
    # A card came during a dispute before the deciding one was read: open from before the result, it voids the round.
    undue: list[AnyInput] = [CardDrawn(card=None, at=AT), Dispute(detail="x", at=AT), CardDrawn(card="5D", at=AT)]
    named = Resolve(irregularity=1, action="identify", by=[1, 2], card="4C", at=AT)
    settled = Resolve(irregularity=2, action="settle", by=[1, 2], at=AT)
    void = Void(ground="misdeal", reason="x", by=[1, 2], at=AT)
    statistics = counted(*INPUTS[:-2], *undue, named, settled, void, RoundClosed(at=AT), RoundClosed(at=AT))
    assert (statistics.house_net, statistics.wagered) == (0, 0)
    assert statistics.lines()[1] == "rounds closed        1 (0 player, 0 banker, 0 tie; 1 void)"
    assert statistics.lines()[-1] == "refused              1 not_now"


def test_a_corrected_result_counts_once_and_the_sums_agree() -> None:
    wrong = Misdeal(detail="x", at=AT)
    named = Resolve(
        irregularity=1, action="identify", by=[1, 2], cards=[Amendment(index=1, card="2C")], ground="misread", at=AT
    )
    statistics = counted(*INPUTS[:-1], wrong, named)
    assert statistics.results.total() == 0  # it may change until the round is closed
    statistics = counted(*INPUTS)
    assert statistics.results.total() + statistics.counts["Voided"] == statistics.rounds == 1


def test_irregularities_and_how_they_were_settled() -> None:
    first: list[AnyInput] = [Misdeal(detail="x", at=AT), Resolve(irregularity=1, action="void", by=[1, 2], at=AT)]
    more: list[AnyInput] = [CardDrawn(card="2H", at=AT), Resolve(irregularity=2, action="burn", by=[1], at=AT)]
    statistics = counted(*INPUTS[:14], *first, *more)
    assert statistics.lines()[-3:-1] == [
        "irregularities       1 misdeal, 1 card_not_due",
        "settled by           1 misdeal → void, 1 card_not_due → burn",
    ]


def of_game(game: Game, *answers: AnyOutput) -> Statistics:
    statistics = Statistics()
    profile = Table(table_id="T-1", game=game, decks=1, seats=7, equipment="shoe")
    statistics(LoggedInput(profile, [Next(do="shuffle")], [], profile))
    statistics(LoggedInput(RoundClosed(), [*answers, Next(do="close_bets")], [], RoundClosed()))
    return statistics


def settled(stake: int, net: int, *, carried: bool | UnsetType = UNSET) -> SettledWager:
    return SettledWager(seat=1, bet="main", id=1, hand=1, stake=stake, net=net, article="art.", carried=carried)


@pytest.mark.parametrize(
    ("game", "result", "line"),
    [
        (
            "blackjack",
            BlackjackResult(
                croupier=BlackjackCroupier(cards=["KS", "TH"], points=20, blackjack=False, bust=False),
                hands=[
                    BlackjackHand(seat=1, hand=1, cards=["9S", "TD"], points=19, outcome="lose"),
                    BlackjackHand(seat=1, hand=2, cards=["9S", "8D"], points=17, outcome="lose"),
                    BlackjackHand(seat=2, hand=1, cards=["9S", "TD"], points=19, outcome="half_paid"),
                ],
            ),
            "2 lose, 1 half paid",
        ),
        (
            "casino_war",
            CasinoWarResult(
                croupier="9H",
                seats=[
                    WarSeat(seat=1, card="TD", outcome="win"),
                    WarSeat(
                        seat=2,
                        card="9S",
                        outcome="war_win",
                        bettors=[
                            WarBettor(id=1, outcome="war_win"),
                            WarBettor(id=2, outcome="surrendered"),
                        ],
                    ),
                ],
            ),
            "1 win, 1 war win, 1 surrendered",
        ),
        ("q_poker", Q_POKER, "1 not qualified"),
        ("three_card_baccarat", THREE_CARD, "1 lose"),
    ],
)
def test_results_of_the_other_games_are_those_of_hands_seats_and_bettors(
    game: Game, result: AnyOutput, line: str
) -> None:
    hands = sum(int(part.split()[0]) for part in line.split(", "))
    assert of_game(game, result).lines()[1:3] == [
        "rounds closed        1 (0 void)",
        f"hands decided        {hands} ({line})",
    ]
    assert of_game(game).lines()[1] == "rounds closed        1 (no results; 0 void)"


def test_a_table_that_is_not_told_the_stakes_counts_none() -> None:
    statistics = Statistics()
    profile = Table(
        table_id="T-1", game="baccarat", decks=8, seats=7, equipment="shoe", options={"stakes": "untracked"}
    )
    statistics(LoggedInput(profile, [Next(do="shuffle")], [], profile))
    settled_one = Settled(wagers=[SettledWager(seat=1, bet="banker", id=1, hand=1, pays="19/20", article="x")])
    statistics(LoggedInput(RoundClosed(), [settled_one, Next(do="close_bets")], [], RoundClosed()))
    assert statistics.lines()[3:5] == ["wagered              not told", "house                not told"]


def test_what_is_carried_is_wagered_once_it_is_decided() -> None:
    answers = [Settled(wagers=[settled(100, 0, carried=True)]), Settled(wagers=[settled(150, -150)])]
    statistics = of_game("three_card_baccarat", *answers)
    assert (statistics.wagered, statistics.house_net) == (150, 150)
