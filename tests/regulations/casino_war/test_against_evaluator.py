"""Casino war against an evaluator that was written from the text and shares no code with the package."""

from fractions import Fraction
from typing import Any, Literal

import pytest

from regulations.events.cards import DECK
from regulations.events.vocabulary import DecisionAction
from regulations.games.casino_war.ranking import Comparison, compare
from regulations.games.casino_war.settlement import PAYOUTS, SettlementFacts
from regulations.games.registry import GAMES
from regulations.law.payouts import rule_for
from tests.kit.length import at_length
from tests.regulations.support.evaluators import casino_war as text
from tests.regulations.support.played import PlayedRound, rounds_of
from tests.sim.croupier.profiles import profile

ROUNDS = at_length(100, 20_000)
FACES: list[Any] = [card for card in DECK if card[1] == "S"]


def verdict(
    first: Comparison, *, stands: bool = False, choice: DecisionAction | None = None, war: Comparison | None = None
) -> SettlementFacts:
    return SettlementFacts(first=first, stands=stands, choice=choice, war=war)


def net_of(bet: Any, judged: SettlementFacts) -> Fraction:  # noqa: ANN401  a literal
    rule = rule_for(PAYOUTS, bet, judged)
    assert rule.odds is not None
    return rule.odds


def test_every_outcome_with_every_challenge() -> None:
    """Every first card against every croupier's, every choice, every card on the challenge against every croupier's."""
    judged = 0
    choices: tuple[Literal["surrender", "challenge"], ...] = ("surrender", "challenge")
    for card in FACES:
        for croupier in FACES:
            first = compare(card, croupier)
            for tie in (False, True):
                stands = tie and first == "equal"
                assert net_of("tie", verdict(first)) == text.tie_net(card, croupier)
                if first != "equal" or stands:
                    found = verdict(first, stands=stands)
                    assert net_of("ante", found) == text.ante_net(card, croupier, tie_wager=tie)
                    assert found.outcome == text.ante_outcome(card, croupier, tie_wager=tie)
                    judged += 1
                    continue
                for choice in choices:
                    for own in FACES:
                        for theirs in FACES:
                            war = (own, theirs) if choice == "challenge" else None
                            found = verdict(
                                "equal", choice=choice, war=compare(own, theirs) if war is not None else None
                            )
                            assert net_of("ante", found) == text.ante_net(card, croupier, choice, war)
                            assert found.outcome == text.ante_outcome(card, croupier, choice, war)
                            judged += 1
    assert judged == 2 * (169 - 13) + 13 + 13 * 2 * 169


def _pairs(gone: str) -> list[tuple[Any, Any, Fraction]]:
    left = [card for card in DECK if card not in gone.split()]
    return [(one, two, Fraction(1, len(left) * (len(left) - 1))) for one in left for two in left if one != two]


def test_the_house_edges_follow_from_the_package() -> None:
    challenge = surrender = tie = Fraction(0)
    war = Fraction(0)
    for own, theirs, chance in _pairs("AS AH"):
        war += chance * net_of("ante", verdict("equal", choice="challenge", war=compare(own, theirs)))
    for card, croupier, chance in _pairs(""):
        first = compare(card, croupier)
        tie += chance * net_of("tie", verdict(first))
        if first == "equal":
            challenge += chance * war
            surrender += chance * net_of("ante", verdict(first, choice="surrender"))
        else:
            challenge += chance * net_of("ante", verdict(first))
            surrender += chance * net_of("ante", verdict(first))
    figures = text.expectations()
    assert challenge == figures.challenge == Fraction(-86, 4165)
    assert surrender == figures.surrender == Fraction(-1, 34)
    assert tie == figures.tie == Fraction(-6, 17)


def _judged(played: PlayedRound, options: dict[str, Any]) -> text.Verdict:
    decided = {(one["seat"], one.get("id", 1)): one["action"] for one in played.decisions}
    staked: dict[tuple[int, int], dict[str, int]] = {}
    for wager in played.wagers:
        staked.setdefault((wager["seat"], wager.get("id", 1)), {})[wager["bet"]] = wager["stake"]
    seats = []
    for seat in played.result["seats"]:
        bettors = tuple(
            text.Bettor(
                ante=stakes["ante"], tie=stakes.get("tie", 0), decision=decided.get((number, bettor)), id=bettor
            )
            for (number, bettor), stakes in sorted(staked.items())
            if number == seat["seat"] and "ante" in stakes
        )
        war = seat.get("war", [None])[0]
        seats.append(text.Seat(seat=seat["seat"], card=seat["card"], bettors=bettors, war=war))
    return text.judge(
        text.Round(
            croupier=played.result["croupier"],
            seats=tuple(seats),
            croupier_war=tuple(played.result.get("croupier_war", ())),
            **options,
        )
    )


@pytest.mark.statistical
@pytest.mark.parametrize("croupier_card", ["shared", "per_player"])
@pytest.mark.parametrize("kind", GAMES["casino_war"].law.equipment)
def test_rounds_of_the_machine_are_settled_as_the_text_says(
    kind: Any,  # noqa: ANN401  a literal
    croupier_card: str,
    seed: int,
) -> None:
    options = {"croupier_war_card": croupier_card}
    count = challenged = 0
    for played in rounds_of(profile("casino_war", kind, options), seed, ROUNDS):
        found = _judged(played, options)
        ties_alone = {key for key in played.nets if key not in found.nets}
        assert all(bet == "tie" for _, bet, _ in ties_alone)
        nets = {key: net for key, net in played.nets.items() if key not in ties_alone}
        assert nets == {key: round(net) for key, net in found.nets.items()}
        stakes = {(one["seat"], one["bet"], one["id"]): one["stake"] for one in played.settled}
        assert {key: stakes[key] for key in found.stakes} == found.stakes
        count += 1
        challenged += "croupier_war" in played.result
    assert count >= ROUNDS * 9 // 10
    assert challenged
