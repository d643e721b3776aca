"""The watch of one log: what is found, at which card, and what an alarm never has."""

import random
from collections.abc import Iterable

import pytest

from cardshoe.analysis.account import Account, party
from cardshoe.analysis.lines import shoes_of
from cardshoe.analysis.order import UnseenCards
from cardshoe.analysis.picking_up import new_decks, orders_of
from cardshoe.analysis.shoe import CardSpot, Shoe
from cardshoe.analysis.verdict import references
from cardshoe.floor.watch.shoes import DayAccounts, LogWatch, ShuffleFinding
from regulations.events.cards import DECK
from sim.shuffling import Shuffling
from tests.cardshoe.analysis.powers import shoe_of, shuffles
from tests.cardshoe.floor.watch.support import Said, answers, table


def watched(several: Iterable[Said]) -> tuple[list[ShuffleFinding], list[int]]:
    """What a watch finds, and how many cards had left the shoe at each."""
    watch, found, at, cards = LogWatch("log", [], DayAccounts()), list[ShuffleFinding](), list[int](), 0
    assert list(watch.go_live()) == []
    for said in several:
        cards = 0 if said[0]["event"] == "loaded" else cards + (said[0]["event"] == "card")
        for one in watch.take(said):
            found.append(one)
            at.append(cards)
    return found, at


def test_a_shoe_that_was_never_shuffled_is_called_at_its_eighteenth_card() -> None:
    found, at = watched(answers(table("never")))
    (first, *more) = [one for one in found if one.kind == "kept_order"]
    assert (first.table, first.log, first.shoe, first.device) == ("T-1", "log", 2, "")
    assert 8 <= first.strength < 12
    # Eight burned cards are among them.
    assert at[found.index(first)] <= 18
    assert [one.strength for one in more] == sorted(one.strength for one in more)
    assert {one.subject for one in found if one.kind == "kept_order"} == {"log 2"}


def test_shuffled_shoes_are_not_called() -> None:
    assert watched(answers(table("uniform"))) == ([], [])


def test_a_watch_that_starts_late_calls_the_open_shoe() -> None:
    several = list(answers(table("never")))
    begins = [number for number, said in enumerate(several) if said[0]["event"] == "loaded"]
    watch = LogWatch("log", [], DayAccounts())
    assert [list(watch.take(said)) for said in several[: begins[1] + 45]] == [[]] * (begins[1] + 45)
    assert {one.kind for one in watch.go_live()} == {"kept_order", "shuffle_weak"}


def wealth(several: Iterable[Said]) -> float:
    """The wealth of a table's day behind its last shoe."""
    accounts = DayAccounts()
    watch = LogWatch("log", [], accounts)
    watch.is_live = True
    for said in several:
        list(watch.take(said))
    return accounts.take("T-1", "2026-11-23").wealth


def test_the_wealth_of_a_day_is_that_of_an_analysis_in_the_end() -> None:
    several = [
        [{**said[0], "at": "2026-11-23T10:00:00Z"}, *said[1:]]
        for said in answers(table("uniform", seed=9, mistakes=0.15))
    ]
    account, past = Account(), list[Shoe]()
    for shoe in shoes_of(several):
        unseen = UnseenCards.of_decks(8)
        orders = [orders_of(one) for one in references(shoe, past)]
        account.play(shoe.faces(), unseen, party(orders, unseen, new_decks(8), less_likely=()))
        past.append(shoe)
    assert len(past) == 2
    assert wealth(several) == account.wealth


def test_a_corrected_card_counts_as_what_it_is() -> None:
    ((old, new),) = shuffles("slug:15", 1, 3)
    right = [_table(), *_lines(old, 1), *_lines(new, 2)]
    at = next(number for number in range(len(right) - 30, 0, -1) if right[number][0]["event"] == "card")
    dealt = right[at][1]
    other = next(card for card in DECK if card != dealt["card"])
    wrong = [{"event": "card", "card": other}, {**dealt, "card": other}]
    corrected = [*right[:at], wrong, [{"event": "resolve"}, dealt], *right[at + 1 :]]
    assert wealth(corrected) == wealth(right) != wealth([*right[:at], wrong, *right[at + 1 :]])


def _lines(shoe: Shoe, number: int, device: str = "") -> Iterable[Said]:
    """The lines of a shoe, one card a round."""
    yield [{"event": "shuffled", "device": device}]
    yield [{"event": "loaded", "set": "red", "at": f"2026-11-23T{number:02}:00:00Z"}]
    for at, face in enumerate(shoe.faces()):
        card = {} if face < 0 else {"card": DECK[face]}
        place = {"to": "player", "position": 1, "round": 1000 * number + at}
        yield [{"event": "card", **card}, {"event": "dealt", **place, **card}]
    yield [{"event": "round_closed"}, {"event": "shoe_over"}]


def _table() -> Said:
    return [{"event": "table", "table_id": "T-1", "decks": 8, "equipment": "shoe", "pick_up": "dealt"}]


@pytest.mark.parametrize(("way", "kinds"), [("slug:30", {"kept_order"}), ("riffle:6", set()), ("uniform", set())])
def test_a_slug_is_called_and_seven_riffles_are_not(way: str, kinds: set[str]) -> None:
    ((old, new),) = shuffles(way, 1, 3)
    found, _ = watched([_table(), *_lines(old, 1), *_lines(new, 2)])
    assert {one.kind for one in found} - {"shuffle_weak"} == kinds


def test_the_wealth_of_a_day_is_that_of_the_device() -> None:
    several, rng, riffled = [_table()], random.Random(4), Shuffling("riffle:5")
    cards = riffled(list(DECK) * 8, rng)
    for number in range(1, 4):
        several += _lines(shoe_of(cards, number), number, "shuffler-3")
        cards = riffled(cards, rng)
    found, _ = watched(several)
    # Five riffles kept no shoe as it was, but two such shoes are more than chance.
    assert {(one.kind, one.device, one.subject) for one in found} == {
        ("shuffle_weak", "shuffler-3", "shuffler-3 2026-11-23")
    }
    assert found[-1].shoe == 3
    assert found[-1].strength >= max(one.strength for one in found if one.shoe == 2)


def test_an_account_is_staked_once() -> None:
    accounts = DayAccounts()
    first, second = accounts.take("shuffler-3", "2026-11-23"), accounts.take("shuffler-3", "2026-11-23")
    assert first is not second
    accounts.give_back("shuffler-3", "2026-11-23", first)
    assert accounts.take("shuffler-3", "2026-11-23") is first
    accounts.give_back("shuffler-3", "2026-11-23", first)
    # A new day begins with nothing won.
    assert accounts.take("shuffler-3", "2026-11-24") is not first
    assert accounts.take("shuffler-3", "2026-11-23") is not first


def test_a_shuffler_dealer_is_compared_with_its_last_cards() -> None:
    rounds = [
        [CardSpot("player", 0, 1, face) for face in range(at % 52, min(52, at % 52 + 6))] for at in range(0, 900, 6)
    ]
    several: list[Said] = [[{**_table()[0], "equipment": "shuffler_dealer", "pick_up": ""}]]
    several.append([{"event": "loaded", "at": "2026-11-23T10:00:00Z", "device": "shuffler-3"}])
    for number, spots in enumerate(rounds):
        for position, spot in enumerate(spots):
            card = DECK[spot.face]
            place = {"to": "player", "position": position, "round": number}
            several.append([{"event": "card", "card": card}, {"event": "dealt", **place, "card": card}])
        several.append([{"event": "round_closed", "round": number}])
    found, at = watched(several)
    (first, *_) = [cards for one, cards in zip(found, at, strict=True) if one.kind == "kept_order"]
    assert 420 < first < 450
