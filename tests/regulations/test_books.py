"""The books of the properties notice what is wrong in what a table says."""

from collections.abc import Sequence

import pytest

from tests.regulations.support.books import Cards, Money, Numbers
from tests.regulations.support.profiles import Json, profile

pytestmark = pytest.mark.law

WAGER: Json = {"seat": 1, "bet": "main", "stake": 10, "id": 1}
RESULT: Json = {"event": "result"}
SETTLED: Json = {"event": "settled", "wagers": [{**WAGER, "net": 10}]}
REVERSED: Json = {"event": "reversed", "wagers": SETTLED["wagers"]}
VOIDED: Json = {"event": "voided", "wagers": [WAGER]}
CARD: Json = {"event": "card", "card": "9H"}


def _run_seed(*said: Json) -> None:
    books = Money()
    books.apply({"event": "bets_closed", "wagers": [WAGER]}, [{"event": "next"}])
    books.apply(CARD, [*said, {"event": "next"}])
    books.apply({"event": "round_closed"}, [{"event": "next"}])


@pytest.mark.parametrize(
    "said",
    [
        [RESULT, SETTLED],
        [RESULT, SETTLED, REVERSED, RESULT, SETTLED],
        [RESULT, SETTLED, REVERSED, VOIDED],
        [RESULT, SETTLED, {"event": "reversed", "wagers": []}, RESULT],
        [VOIDED],
    ],
)
def test_a_wager_that_is_settled_or_returned_once_is_right(said: list[Json]) -> None:
    _run_seed(*said)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("never settled", []),
        ("settled twice", [RESULT, SETTLED, SETTLED]),
        ("another stake", [{"event": "settled", "wagers": [{**WAGER, "stake": 9}]}]),
        ("nothing settled", [SETTLED, {"event": "settled", "wagers": []}]),
        ("two results", [RESULT, RESULT, SETTLED]),
        ("reversed and not settled again", [RESULT, SETTLED, REVERSED]),
        ("reversed without having been settled", [RESULT, REVERSED, SETTLED]),
        ("nothing reversed", [{"event": "reversed", "wagers": []}, RESULT, SETTLED]),
        ("settled and returned", [SETTLED, VOIDED]),
        ("returned and settled", [VOIDED, SETTLED]),
        ("another stake returned", [{"event": "voided", "wagers": [{**WAGER, "stake": 9}]}]),
    ],
)
def test_wrong_money_is_noticed(wrong: str, said: list[Json]) -> None:
    with pytest.raises((AssertionError, KeyError, ValueError)):
        _run_seed(*said)
    assert wrong


def test_bets_that_are_closed_on_others_are_noticed() -> None:
    books = Money()
    bets: Json = {"event": "bets_closed", "wagers": [WAGER]}
    books.apply(bets, [{"event": "next"}])
    books.apply({**bets, "event": "bets_corrected"}, [{"event": "next"}])
    with pytest.raises(AssertionError):
        books.apply(bets, [{"event": "next"}])


@pytest.mark.parametrize("said", [{"event": "burned", "card": "9H"}, {"event": "refused", "detail": "it was 9H"}])
def test_a_hidden_card_that_is_told_is_noticed(said: Json) -> None:
    with pytest.raises(AssertionError, match="9H"):
        Cards(profile()).apply(CARD, [said])
    Cards(profile()).apply({**CARD, "face": "up"}, [said])


def test_a_hand_that_is_told_unasked_is_noticed() -> None:
    with pytest.raises(AssertionError):
        Cards(profile()).apply(CARD, [{"event": "reveal", "cards": ["9H"]}])


DEALT: Json = {"event": "dealt", "round": 1, "card": "9H", "to": "seat", "seat": 1, "hand": 1, "position": 1}
HIDDEN: Json = {**DEALT, "card": None}
BURNED: Json = {"event": "burned", "round": 1, "card": "9H", "why": "round"}
TURNED: Json = {"event": "reveal", "round": 1, "cards": ["9H"], "who": "seat", "seat": 1, "hand": 1}
ANEW: Json = {"index": 1, "card": "4C"}


def _named_again(before: Sequence[tuple[Json, Json]], entry: Json, after: Json) -> None:
    cards = Cards(profile())
    for given, said in before:
        cards.apply(given, [said])
    correction = {"event": "resolve", "irregularity": 1, "action": "identify", "cards": [entry]}
    cards.apply(correction, [{"event": "resolved", "round": 1}, {**after, "card": "4C"}])


CAME_UP: tuple[Json, Json] = ({**CARD, "face": "up"}, DEALT)
CAME_DOWN: tuple[Json, Json] = (CARD, HIDDEN)
WAS_TURNED: tuple[Json, Json] = ({"event": "revealed"}, TURNED)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([CAME_UP], DEALT),
        ([CAME_DOWN, WAS_TURNED], DEALT),
        ([({**CARD, "face": "up"}, BURNED), (CARD, {**BURNED, "card": None})], BURNED),
    ],
)
def test_a_card_that_lies_open_is_told_by_the_name_that_persons_give_it(
    before: Sequence[tuple[Json, Json]], after: Json
) -> None:
    _named_again(before, ANEW, after)


@pytest.mark.parametrize(
    ("before", "entry", "after"),
    [
        ([CAME_DOWN], ANEW, DEALT),
        ([CAME_UP], ANEW, {**DEALT, "position": 2}),
        ([CAME_UP], ANEW, {**DEALT, "seat": 2}),
        ([CAME_UP], ANEW, {**DEALT, "hand": 2}),
        ([CAME_UP], ANEW, {**DEALT, "round": 2}),
        ([CAME_UP], ANEW, BURNED),
        ([CAME_UP], ANEW, {"event": "refused", "round": 1}),
        ([CAME_UP], {"index": 1, "card": "5C"}, DEALT),
        ([CAME_UP], {"after": 1, "card": "4C"}, DEALT),
        ([CAME_UP, CAME_DOWN], ANEW, DEALT),
        ([CAME_DOWN, WAS_TURNED, (CARD, {**HIDDEN, "position": 2})], ANEW, {**DEALT, "position": 2}),
        ([(CARD, {**HIDDEN, "seat": 2}), WAS_TURNED], ANEW, {**DEALT, "seat": 2}),
        ([CAME_UP, (CARD, {**BURNED, "card": None})], ANEW, BURNED),
    ],
)
def test_a_card_that_lies_hidden_and_is_told_by_a_new_name_is_noticed(
    before: Sequence[tuple[Json, Json]], entry: Json, after: Json
) -> None:
    with pytest.raises(AssertionError, match="4C"):
        _named_again(before, entry, after)


@pytest.mark.parametrize(("seen", "left"), [(0, 51), (1, 52)])
def test_cards_that_are_missing_are_noticed(seen: int, left: int) -> None:
    cards = Cards(profile(decks=1))
    cards.apply(CARD, [{"event": "shoe_over", "cards_seen": 1, "cards_left": 51}])
    with pytest.raises(AssertionError):
        cards.apply({"event": "closed"}, [{"event": "shoe_over", "cards_seen": seen, "cards_left": left}])


@pytest.mark.parametrize("said", [{"event": "irregularity", "irregularity": 2}, {"event": "dealt", "round": 2}])
def test_a_gap_in_the_numbers_is_noticed(said: Json) -> None:
    with pytest.raises(AssertionError):
        Numbers().apply({}, [said])
