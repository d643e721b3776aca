"""Blackjack against an evaluator that was written from the text and shares no code with the package."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from regulations.events.cards import DECK
from regulations.games.blackjack.ranking import is_blackjack, is_pair, low_points_of, outcome_against, points_of
from regulations.games.blackjack.settlement import PAYOUTS, SettlementFacts
from regulations.law.payouts import rule_for
from tests.kit.length import at_length
from tests.regulations.support.evaluators import blackjack as text
from tests.regulations.support.evaluators.blackjack_figures import start_figures
from tests.regulations.support.evaluators.blackjack_objections import objections
from tests.regulations.support.played import PlayedRound, rounds_of
from tests.sim.croupier.profiles import profile

ROUNDS = at_length(40, 17_000)
"""Of each profile below; in full they are more than 200 000."""
PROFILES: dict[str, tuple[Any, dict[str, Any]]] = {
    "shoe": ("shoe", {}),
    "box": ("box", {}),
    "shuffler_dealer": ("shuffler_dealer", {}),
    "face up": ("shoe", {"procedure": "second", "surrender_before": "any_card"}),
    "burns": ("shoe", {"round_burn": "start_and_before_second_croupier_card", "initial_burn": "one"}),
    "eleven only": ("shoe", {"double": "eleven_only", "resplit_aces": False, "procedure": "second"}),
    "eight hands": ("shoe", {"max_split_hands": 8, "decider": "highest", "procedure": "second"}),
    "limited": ("shoe", {"croupier_blackjack_against_double": "loses_original", "procedure": "second"}),
    "half insured": ("shoe", {"insurance": "half", "decider": "nearest_or_seated"}),
    "fully insured": ("shoe", {"insurance": "full", "procedure": "second"}),
    "limited in the box": ("box", {"croupier_blackjack_against_double": "loses_original"}),
    "each bettor": ("shoe", {"decider": "nearest_or_seated", "procedure": "second", "insurance_asked": "together"}),
    "two bettors": ("shoe", {"decider": "nearest_or_seated", "bettors_at_most": 2, "surrender_before": "own_card"}),
    "pairs once": ("shoe", {"resplit": False, "procedure": "second", "drawn_card_is_hit": False}),
    "undue card valid": ("shoe", {"unshown_extra_croupier_card_valid": True}),
}
ENDS = {"surrender": "surrendered", "even_money": "even_money", "half_pay": "half_paid"}
BEARING_ON_MONEY = (
    "double",
    "max_split_hands",
    "resplit_aces",
    "resplit",
    "croupier_blackjack_against_double",
    "insurance",
    "unshown_extra_croupier_card_valid",
)


def test_every_start_against_every_croupiers_card() -> None:
    """All two-card starts with every croupier's card: points, black jack, pair, thirteen, and two cards against two."""
    judged = 0
    starts: list[tuple[Any, Any]] = [(one, two) for one in DECK for two in DECK if one != two]
    for cards in starts:
        assert points_of(cards) == text.total(cards)
        assert low_points_of(cards) == sum(map(text.low_value, cards))
        assert is_blackjack(cards) == text.is_natural(cards)
        assert is_pair(cards) == (cards[0][0] == cards[1][0])
    ranks: list[Any] = [f"{rank}S" for rank in "A23456789TJQK"]
    for one in ranks:
        for two in ranks:
            for up in ranks:
                for second in ranks:
                    croupier = (up, second)
                    if text.total(croupier) < text.CROUPIER_STANDS:
                        continue
                    seat = text.Seat(1, (text.Hand((one, two)),), (text.Wager("main", 2),))
                    verdict = text.judge(text.Round(croupier, (seat,)))
                    outcome = outcome_against((one, two), croupier, is_split=False)
                    assert outcome == verdict.outcomes[1, 1], (one, two, croupier)
                    odds = rule_for(
                        PAYOUTS, "main", SettlementFacts(outcome=outcome, hand=(one, two), croupier=croupier)
                    ).odds
                    assert odds is not None
                    assert odds * 2 == verdict.nets[1, "main", 1, 1]
                    judged += 1
    assert judged > 169 * 50


@pytest.mark.parametrize("decks", [1, 6])
def test_the_house_edges_of_the_bets_on_the_first_two_cards_follow_from_the_package(decks: int) -> None:
    """Exact means over every start, by the package's own payouts; two sevens that are never split, for ``sevens``."""
    figures = start_figures(decks)
    means: Counter[str] = Counter()
    cards: list[Any] = list(DECK)
    total = 52 * decks * (52 * decks - 1)
    nets: dict[str, Fraction] = dict.fromkeys(("any_pair", "over_13", "under_13", "sevens"), Fraction(0))
    for one in cards:
        for two in cards:
            ways = decks * (decks - (one == two))
            means["natural"] += ways * is_blackjack((one, two))
            for bet in nets:
                odds = rule_for(PAYOUTS, bet, SettlementFacts(cards=(one, two))).odds
                assert odds is not None
                nets[bet] += odds * ways
    assert Fraction(means["natural"], total) == figures.natural
    assert nets["any_pair"] / total == figures.any_pair_mean
    assert nets["over_13"] / total == figures.over_13_mean
    assert nets["under_13"] / total == figures.under_13_mean
    assert nets["sevens"] / total == figures.sevens_unsplit_mean
    insured = Fraction(0)
    for second in cards:
        odds = rule_for(PAYOUTS, "insurance", SettlementFacts(croupier=("AS", second))).odds
        assert odds is not None
        insured += odds * (decks - (second == "AS"))
    assert insured / (52 * decks - 1) == figures.insurance_mean


def _seat(played: PlayedRound, number: int, *, each_decides: bool) -> text.Seat:
    splits: Counter[int] = Counter()
    split_from: dict[int, int] = {}
    done: dict[int, set[str]] = {}
    own: dict[int, dict[int, Any]] = {}
    absent: dict[int, tuple[int, ...]] = {}
    wagers = [text.Wager(one["bet"], one["stake"], one.get("id", 1)) for one in played.wagers if one["seat"] == number]
    for one in played.decisions:
        if one["seat"] != number:
            continue
        hand, bettor = one.get("hand", 1), one.get("id", 1)
        if one["action"] in ENDS and each_decides:
            own.setdefault(hand, {})[bettor] = ENDS[one["action"]]
        else:
            done.setdefault(hand, set()).add(one["action"])
        if one["action"] == "split":
            splits[hand] += 1
            new = len(split_from) + 2
            split_from[new], absent[new] = hand, (*absent.get(hand, ()), *own.get(hand, ()))
            if "any_pair" in one:
                wagers.append(text.Wager("any_pair", one["any_pair"], bettor, hand, nth=1 + splits[hand]))
        if one["action"] == "insurance":
            wagers.append(text.Wager("insurance", one["amount"], bettor))
    hands = tuple(
        text.Hand(
            cards=tuple(hand["cards"]),
            number=hand["hand"],
            split_from=split_from.get(hand["hand"]),
            doubled="double" in done.get(hand["hand"], ()),
            surrendered="surrender" in done.get(hand["hand"], ()),
            even_money="even_money" in done.get(hand["hand"], ()),
            half_pay="half_pay" in done.get(hand["hand"], ()),
            own=tuple(own.get(hand["hand"], {}).items()),
            absent=absent.get(hand["hand"], ()),
        )
        for hand in played.result["hands"]
        if hand["seat"] == number
    )
    return text.Seat(number, hands, tuple(wagers))


def _compare_bettors(played: PlayedRound, verdict: text.Verdict, finished: text.Round) -> None:
    hands = {(seat.seat, hand.number): (seat, hand) for seat in finished.seats for hand in seat.hands}
    for told in played.result["hands"]:
        place = told["seat"], told["hand"]
        seat, hand = hands[place]
        own, cards = dict(hand.own), verdict.outcomes[place]
        bettors = sorted({one.id for one in seat.wagers if one.bet == "main"}.difference(hand.absent))
        wanted: dict[int, str] = {bettor: own.get(bettor, cards) for bettor in bettors}
        playing = [bettor for bettor in bettors if bettor not in own]
        assert told["outcome"] == wanted[(playing or bettors)[0]], finished
        named = {one["id"]: one["outcome"] for one in told.get("bettors", ())}
        assert named == (wanted if len(set(wanted.values())) > 1 else {}), finished


@pytest.mark.statistical
@pytest.mark.parametrize("name", PROFILES)
def test_rounds_of_the_machine_are_settled_as_the_text_says(name: str, seed: int) -> None:
    """Every wager of every hand, what was at risk, to the minor unit; every outcome; nothing that is not allowed."""
    kind, options = PROFILES[name]
    judged_by = text.Options(**{name: value for name, value in options.items() if name in BEARING_ON_MONEY})
    each_decides = options.get("decider") == "nearest_or_seated"
    count = 0
    met: Counter[str] = Counter()
    for played in rounds_of(profile("blackjack", kind, options), seed, ROUNDS, types_hits=bool(len(name) % 2)):
        seats = sorted({hand["seat"] for hand in played.result["hands"]})
        finished = text.Round(
            croupier=tuple(played.result["croupier"]["cards"]),
            seats=tuple(_seat(played, seat, each_decides=each_decides) for seat in seats),
            options=judged_by,
        )
        verdict = text.judge(finished)
        assert objections(finished) == [], finished
        croupier = played.result["croupier"]
        assert (croupier["points"], croupier["blackjack"], croupier["bust"]) == (
            verdict.points,
            verdict.blackjack,
            verdict.bust,
        )
        outcomes = {(hand["seat"], hand["hand"]): hand["outcome"] for hand in played.result["hands"]}
        if each_decides:
            _compare_bettors(played, verdict, finished)
        else:
            assert outcomes == verdict.outcomes, finished
        entries = Counter((one.seat, one.bet, one.id, one.hand, one.stake, round(one.net)) for one in verdict.entries)
        settled = Counter(
            (one["seat"], one["bet"], one["id"], one["hand"], one["stake"], one["net"]) for one in played.settled
        )
        assert settled == entries, finished
        met.update(outcomes.values())
        count += 1
    print(f"{name}: {count} rounds, {dict(met)}")  # noqa: T201  shown where it fails, or with -rP
    assert count >= ROUNDS * 9 // 10
    assert set(met) >= {"win", "lose", "stand", "bust", "surrendered"}
