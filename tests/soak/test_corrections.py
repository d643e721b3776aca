"""The order of leaving and the replay in short: some hundred rounds of each game, and what is wrong is noticed."""

import subprocess
import sys
from collections import Counter
from random import Random
from typing import Final

import pytest

from regulations.events.inputs import BetsClosed, CardDrawn, Decision, Table, Wager
from regulations.play.context.drawn_card import CardOwner, CardStatus
from tests.regulations.support.again import check_again
from tests.regulations.support.games.casino_war import CASINO_WAR
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import decoded
from tests.soak.corrections.__main__ import line_of, missing, run
from tests.soak.corrections.fresh import Script
from tests.soak.corrections.past import Done, Heard, Left
from tests.soak.corrections.play import Play
from tests.soak.corrections.snapshot import compare
from tests.soak.corrections.tables import KINDS, TABLES, TROUBLES

ROUNDS: Final = 150
"""Enough for every kind of trouble of each game; `make soak` plays 10,000."""


@pytest.mark.parametrize("game", TABLES)
def test_a_corrected_round_is_the_round_that_a_fresh_table_is_dealt(game: str, seed: int) -> None:
    tally = run(game, ROUNDS, seed)
    assert tally["faults"] == 0
    assert missing(game, tally) == [], line_of(game, tally)


def test_every_kind_happens_in_some_game() -> None:
    assert all(any(kind not in tables.cannot for tables in TABLES.values()) for kind in KINDS)


def test_what_never_happened_is_named() -> None:
    happened = Counter(["run_again", "run_again_blocked", "corrected", "refused", "burned", *TROUBLES])
    assert missing("q_poker", happened) == ["hidden"]


def test_the_same_seed_plays_the_same_tables(seed: int) -> None:
    plays = [Play("casino_war", Random(seed), Counter()) for _ in range(2)]
    for play in plays:
        play.play()
    assert plays[0].live.given == plays[1].live.given


def _war(*cards: str) -> tuple[Heard, Script, list[Left]]:
    given = profile(game="casino_war")
    table = decoded(given)
    assert isinstance(table, Table)
    live, order = Heard(table), [Left(card=card) for card in cards]
    before = [decoded(one) for one in CASINO_WAR.preludes["ready"](given)]
    bets = BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="ante", stake=100)])
    for event in (*before, bets):
        live.give(event)
    for left in order:
        live.deal(left)
    return live, Script(profile=table, before=before, opening=bets, order=order), order


def test_tables_that_stand_alike_compare() -> None:
    live, script, _ = _war("9H", "8S")
    compare(live, script.deal())


def test_the_comparison_notices_other_cards() -> None:
    live, script, order = _war("9H", "8S")
    order[0].card = "7H"
    with pytest.raises(AssertionError, match="result"):
        compare(live, script.deal())


def test_the_comparison_notices_a_card_at_another_place() -> None:
    live, script, order = _war("9H")
    script.order = [Left(card="8S"), *order]
    with pytest.raises(AssertionError, match="prompt"):
        compare(live, script.deal())


def test_the_books_notice_a_wager_that_is_settled_twice() -> None:
    live, _, _ = _war("9H", "8S")
    settled = next(output for output in live.answer if hasattr(output, "wagers"))
    with pytest.raises(AssertionError, match="settled twice"):
        live.books.hear(settled)


def test_a_card_that_does_not_count_is_dealt_when_none_is_due() -> None:
    _, script, order = _war("9H", "8S")
    order[0].fate = "burned"
    dealt = script.deal()
    assert dealt.burned == [order[0]]
    assert dealt.table.hand(CardOwner("seat", 1, 1)) == (order[1],)
    assert not any(isinstance(given, CardDrawn) and given.card == "9H" for given in dealt.table.given)


def test_an_act_comes_before_a_card_that_has_a_place_only_behind_it() -> None:
    _, script, order = _war("9H", "9S")
    challenge = Done(event=Decision(seat=1, action="challenge"), hand=(order[0],), bank=(order[1],))
    burned = Left(card="3S")
    script.order = [*order, burned, challenge]
    dealt = script.deal()
    assert dealt.order == [*order, challenge, burned]
    assert dealt.by_rule == {burned}


def test_the_line_is_for_programs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak.corrections", "--rounds", "20", "--game", "q_poker", "--seed", "7"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    line, last = done.stdout.splitlines()
    assert line.startswith("game=q_poker rounds=")
    assert line.endswith(" faults=0")
    assert last.startswith("corrections: rounds=20 faults=0 seed=7 ")


def test_a_round_that_is_run_again_and_is_another_is_noticed() -> None:
    live, _, _ = _war("9H")
    live.procedure._context.scope.record.came_out[0].status = CardStatus.BURNED  # noqa: SLF001  a round whose past is not what lies there
    with pytest.raises(AssertionError, match="run again"):
        check_again(live.procedure)
