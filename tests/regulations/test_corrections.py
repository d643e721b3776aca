"""Corrections as replays: a round that is run again unchanged is the round that it was; who may read what is said."""

from typing import Final

import pytest

from regulations.events.cards import Card
from regulations.events.inputs import Amendment, BetsClosed, CardDrawn, Misdeal, Resolve, Wager
from regulations.events.outputs import Irregularity, Reversed, Settled
from regulations.procedure.procedure import Procedure
from tests.kit.length import at_length
from tests.regulations.support.again import check_again
from tests.regulations.support.games.ways import BY
from tests.regulations.support.kits import ENFORCED, KITS
from tests.regulations.support.notation import Case, read_cases
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import as_told, lead, opened

AGAIN_EVERY: Final = at_length(3, 1)
"""The round is run again after one line of so many."""


@pytest.mark.parametrize("game", ENFORCED)
def test_a_round_that_is_run_again_is_the_round_that_it_was(game: str) -> None:
    runs = 0
    for case in read_cases(game):
        procedure = opened(case.table)
        for step in case.steps if not procedure.is_refused else ():
            procedure.apply(as_told(procedure, step.given))
            if step.line % AGAIN_EVERY:
                continue
            try:
                runs += check_again(procedure)
            except AssertionError as differs:
                raise AssertionError(f"{case.name}, line {step.line}: {step.text}: {differs}") from differs
    assert runs > 100, runs


@pytest.mark.parametrize("game", ENFORCED)
def test_each_settlement_is_told_once(game: str) -> None:
    for case in read_cases(game):
        _run_case(case)


def _run_case(case: Case) -> None:
    procedure = opened(case.table)
    told: list[object] = []
    for step in case.steps if not procedure.is_refused else ():
        for output in procedure.apply(as_told(procedure, step.given)):
            if isinstance(output, Reversed):
                for one in output.wagers:
                    told.remove(one)
            elif isinstance(output, Settled):
                told += output.wagers
                keys = [(one.seat, one.bet, one.id, one.hand, one.pair) for one in told]  # type: ignore[attr-defined]  # settlements alone
                assert len(set(keys)) == len(keys), f"{case.name}, line {step.line}"
        if not procedure.is_mid_round:
            told = []


FACE_DOWN: Final[tuple[Card, ...]] = ("AS", "KS", "QD")


def _misdealt() -> Procedure:
    table = profile(game="three_card_baccarat")
    procedure = lead(table, KITS["three_card_baccarat"].preludes["ready"](table))
    procedure.apply(BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="main", stake=100)]))
    for card in FACE_DOWN:
        procedure.apply(CardDrawn(card=card))
    procedure.apply(Misdeal(detail="one was misread"))
    return procedure


def test_a_line_that_names_a_hidden_card_is_sealed() -> None:
    procedure = _misdealt()
    procedure.apply(Resolve(irregularity=1, action="identify", by=list(BY), cards=[Amendment(index=2, card="9H")]))
    assert procedure.hides_the_event


def test_a_line_that_was_refused_is_sealed_too() -> None:
    procedure = _misdealt()
    procedure.apply(Resolve(irregularity=1, action="identify", by=list(BY), cards=[Amendment(index=9, card="9H")]))
    assert procedure.hides_the_event


def test_a_line_that_names_no_card_is_open() -> None:
    procedure = _misdealt()
    amendment = Amendment(index=3, to="none")
    assert not any(
        isinstance(output, Irregularity)
        for output in procedure.apply(Resolve(irregularity=1, action="identify", by=list(BY), cards=[amendment]))
    )
    assert not procedure.hides_the_event
