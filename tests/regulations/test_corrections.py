"""Corrections as replays: a round that is run again unchanged is the round that it was; who may read what is said."""

from typing import Any, Final

import pytest
from msgspec.structs import replace

from regulations.cards import Card
from regulations.events.inputs import Amendment, BetsClosed, CardDrawn, Misdeal, Resolve, Wager
from regulations.events.outputs import Irregularity, Reversed, Settled
from regulations.procedure import Procedure
from regulations.round.replay import InOrder, Replay, Replayed
from tests.regulations.support.games.ways import BY
from tests.regulations.support.kits import ENFORCED, KITS
from tests.regulations.support.notation import Case, read_cases
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import as_told, lead, opened


def _snapshot(procedure: Procedure, run: Replayed | None = None) -> dict[str, Any]:
    """A round as its players see it: state, hands, wagers, and what was told of it."""
    desk = procedure._desk  # noqa: SLF001  compared from within
    game_round, record = (procedure._round, desk.record) if run is None else (run.round, run.record)  # noqa: SLF001  compared from within
    laid = game_round.laid._hands  # noqa: SLF001  compared from within
    hands = {owner: [(one.card, one.is_open, one.place) for one in cards] for owner, cards in laid.items()}
    ledger = getattr(game_round, "_ledger", None)
    return {
        # A turned card that is burned leaves the state of a round whose first card is out: its prompts are the same.
        "state": game_round.state.value.replace("opened", "dealing"),
        "hands": hands,
        "told": (record.told.result, sorted(map(repr, record.told.settled))),
        "money": sorted(repr(replace(one, number=0)) for one in ledger.open) if ledger is not None else None,
    }


def _run_again(procedure: Procedure) -> Replayed | str | None:
    desk = procedure._desk  # noqa: SLF001  compared from within
    newest = desk.irregularities.newest
    if newest is not None and newest.code != "misdeal":
        return None
    if not desk.round_open or desk.record.began is None or procedure._round.state.value == "void":  # noqa: SLF001  compared from within
        return None
    came_out = enumerate(desk.record.came_out, start=1)
    order = [InOrder.of(drawn, index, None, waits=drawn.waits) for index, drawn in came_out]
    return Replay(desk, procedure._make_round, order).run()  # noqa: SLF001  compared from within


@pytest.mark.parametrize("game", ENFORCED)
def test_a_round_that_is_run_again_is_the_round_that_it_was(game: str) -> None:
    runs = 0
    for case in read_cases(game):
        procedure = opened(case.table)
        for step in case.steps if not procedure.is_refused else ():
            procedure.apply(as_told(procedure, step.given))
            again = _run_again(procedure)
            if again is None:
                continue
            runs += 1
            assert isinstance(again, Replayed), f"{case.name}, line {step.line}: {again}"
            assert _snapshot(procedure, again) == _snapshot(procedure), f"{case.name}, line {step.line}: {step.text}"
            assert not again.waiting, f"{case.name}, line {step.line}"
    assert runs > 100, runs


@pytest.mark.parametrize("game", ENFORCED)
def test_each_settlement_is_told_once(game: str) -> None:
    for case in read_cases(game):
        _hear(case)


def _hear(case: Case) -> None:
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
    """Three cards of a round lie face down, and a misdeal is open."""
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
