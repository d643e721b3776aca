"""What happened at a table, counted."""

from regulations.events.inputs import AnyInput, CardDrawn, Misdeal, Resolve, RoundClosed, ShoeEnded, Void
from table.scribe import Scribe
from table.statistics import Statistics
from tests.table.test_scribe import AT, INPUTS, TABLE


def counted(*events: AnyInput) -> Statistics:
    scribe, statistics = Scribe(TABLE), Statistics()
    statistics(scribe.opening)
    for event in events:
        statistics(scribe.take(event))
    return statistics


def test_a_round_and_the_end_of_a_shoe() -> None:
    assert counted(*INPUTS, ShoeEnded(reason="x", at=AT)).lines() == [
        "shoe games finished  1",
        "rounds closed        1 (1 player, 0 banker, 0 tie; 0 void)",
        "cards                12",
        "house                +1.00",
        "irregularities       none",
        "settled by           none",
        "refused              none",
    ]


def test_nothing_yet() -> None:
    assert counted().lines()[1:4] == [
        "rounds closed        0 (0 player, 0 banker, 0 tie; 0 void)",
        "cards                0",
        "house                0.00",
    ]


def test_a_result_that_falls_is_no_money_of_the_house() -> None:
    statistics = counted(*INPUTS[:-1], Void(reason="x", by=[1, 2], at=AT), RoundClosed(at=AT), RoundClosed(at=AT))
    assert statistics.house_net == 0
    assert statistics.lines()[1] == "rounds closed        1 (1 player, 0 banker, 0 tie; 1 void)"
    assert statistics.lines()[-1] == "refused              1 not_now"


def test_irregularities_and_how_they_were_settled() -> None:
    first: list[AnyInput] = [Misdeal(detail="x", at=AT), Resolve(irregularity=1, action="void", by=[1, 2], at=AT)]
    more: list[AnyInput] = [CardDrawn(card="2H", at=AT), Resolve(irregularity=2, action="burn", by=[1], at=AT)]
    statistics = counted(*INPUTS[:14], *first, *more)
    assert statistics.lines()[-3:-1] == [
        "irregularities       1 misdeal, 1 card_not_due",
        "settled by           1 misdeal → void, 1 card_not_due → burn",
    ]
