"""Defects of a rule table: a row that asks about what is not there stops the table, it is never taken for a no."""

import pytest

from regulations.events.errors import RegulationBug
from regulations.events.inputs import Cut, Decision, Table
from regulations.games.q_poker.antes import AnteRules
from regulations.games.registry import GAMES
from regulations.law.payouts import rule_for
from regulations.law.rows import accept
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import CardOwner
from regulations.play.context.hands import Hands
from regulations.play.context.irregularities import IrregularityRegister
from regulations.play.context.machine import RuleMachine
from regulations.play.context.turn import NOTHING, Subject
from regulations.play.shoe.states import ShoeState
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import decoded, opened

pytestmark = pytest.mark.law


def _context(game: str = "baccarat") -> RuleContext:
    table = decoded(profile(game=game))
    assert isinstance(table, Table)
    return RuleContext(table, GAMES[game].law)


def test_an_event_of_another_kind_in_hand() -> None:
    context = _context()
    assert context.event_as(Table) is context.scope.turn.event
    with pytest.raises(RegulationBug, match="Cut"):
        context.event_as(Cut)
    with pytest.raises(RegulationBug, match="Decision"):
        AnteRules(_context("q_poker")).decider_unknown()
    context.begin(Decision(seat=1, action="play"))
    assert context.event_as(Decision).seat == 1


def test_no_card_in_hand() -> None:
    with pytest.raises(RegulationBug, match="a card"):
        _ = _context().card_in_hand


def test_a_machine_that_no_row_has_moved() -> None:
    context = _context()
    machine = RuleMachine(ShoeState, (), context, (), ShoeState.OPENING)
    with pytest.raises(RegulationBug, match="a row that led there") as caught:
        _ = machine.moved_by
    assert caught.value.state == "opening"


def test_a_subject_is_gone_with_its_trigger() -> None:
    context = _context()
    row = accept("card", ShoeState.OPENING, "reading G7")
    machine = RuleMachine(ShoeState, (row,), context, (), ShoeState.OPENING)
    machine.fire_about("card", Subject(why="it was seen"))
    assert context.scope.turn.subject == NOTHING


def test_a_place_where_no_card_is_due() -> None:
    scope = opened(profile(game="q_poker"))._context.scope  # noqa: SLF001  as a row asks
    with pytest.raises(RegulationBug, match="a card that is due") as caught:
        _ = scope.place_due
    assert caught.value.state == "table"


def test_an_irregularity_about_no_card() -> None:
    irregularity = IrregularityRegister().add(
        "device_fault", "reading G7", drawn=None, missing=0, device=None, leads_to_void=True
    )
    with pytest.raises(RegulationBug, match="device_fault"):
        _ = irregularity.card


def test_no_irregularity_is_open() -> None:
    with pytest.raises(RegulationBug, match="an open irregularity"):
        IrregularityRegister().first_open()


def test_a_burn_that_no_first_card_fixes() -> None:
    law = GAMES["baccarat"].law
    assert law.cards_burned_after("7S") == 7
    for other, card in ((law, None), (GAMES["blackjack"].law, "7S"), (GAMES["q_poker"].law, "7S")):
        with pytest.raises(RegulationBug, match="first card"):
            other.cards_burned_after(card)  # type: ignore[arg-type]  # a card among others


def test_a_wager_that_no_rule_decides() -> None:
    with pytest.raises(RegulationBug, match="settling main"):
        rule_for([], "main", None)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_says_where_it_stands(game: str) -> None:
    procedure = opened(profile(game=game))
    assert procedure.states == ("clear", "shuffle", "idle")
    assert procedure.edition == GAMES[game].law.edition


def test_nobody_has_cards_before_they_are_dealt() -> None:
    assert CardOwner("croupier") not in Hands()
