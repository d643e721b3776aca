"""Another log of a table: when it may begin, and which numbers its rounds have."""

from collections.abc import Sequence
from typing import Final

import pytest

from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardsReturned,
    DeviceBack,
    DeviceLost,
    Equipment,
    Fault,
    FaultCleared,
    Loaded,
    Resolve,
    RoundClosed,
    ShoeEnded,
    Wager,
)
from regulations.procedure.procedure import Procedure
from tests.regulations.support.games.baccarat import dull_round, ready
from tests.regulations.support.kits import KITS
from tests.regulations.support.notation import read_cases
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.running import decoded, lead, opened, shown

pytestmark = pytest.mark.law

SHOE: Final = profile(game="baccarat")
ENDED: Final = ShoeEnded(reason="house")


def ended(*after: AnyInput, table: Json = SHOE) -> Procedure:
    """A table whose shoe game is over, with further inputs."""
    procedure = lead(table, [*ready(table), *dull_round(table)])
    for event in (ENDED, *after):
        procedure.apply(event)
    return procedure


def numbers(procedure: Procedure, lines: Sequence[Json]) -> set[object]:
    said = [output for line in lines for output in shown(procedure.apply(decoded(line)))]
    return {output["round"] for output in said if "round" in output}


def test_rounds_are_numbered_from_the_last_one_of_the_log_before() -> None:
    table = profile(game="baccarat")
    for before, given in ((0, {}), (0, {"rounds": 0}), (41, {"rounds": 41})):
        procedure = opened({**table, **given})
        assert procedure.last_round == before
        assert numbers(procedure, [*ready(table), *dull_round(table)]) == {before + 1}
        assert procedure.last_round == before + 1


def test_a_shoe_game_that_is_over_leaves_nothing() -> None:
    assert not opened(SHOE).is_complete
    assert not lead(SHOE, [*ready(SHOE), *dull_round(SHOE)]).is_complete
    procedure = ended()
    assert procedure.is_complete
    procedure.apply(decoded({"event": "shuffled", "by": "croupier"}))
    assert not procedure.is_complete


def test_an_open_irregularity_is_left() -> None:
    procedure = ended(Fault(device="shoe", code=7))
    assert not procedure.is_complete
    procedure.apply(FaultCleared(device="shoe", code=7))
    procedure.apply(Resolve(irregularity=1, action="continue", by=[7]))
    assert procedure.is_complete


def test_a_device_that_people_gave_up_is_left() -> None:
    procedure = ended(DeviceLost(device="shoe"), Resolve(irregularity=1, action="end_shoe", by=[7, 8]))
    assert shown(procedure.apply(Fault(device="other", code=7)))[0]["event"] == "irregularity"
    procedure.apply(FaultCleared(device="other", code=7))
    procedure.apply(Resolve(irregularity=2, action="continue", by=[7]))
    assert not procedure.is_complete
    procedure.apply(DeviceBack(device="shoe"))
    assert procedure.is_complete


def test_a_device_that_a_void_round_waits_for_is_left() -> None:
    table = profile(game="baccarat", equipment="shuffler_dealer")
    procedure = opened(table)
    told: list[AnyInput] = [
        Loaded(cards=416),
        BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="player", stake=100)]),
        DeviceLost(device="shoe"),
        Resolve(irregularity=1, action="void", by=[7, 8]),
        RoundClosed(),
        CardsReturned(cards=0),
        ENDED,
    ]
    for event in told:
        procedure.apply(event)
    assert procedure.states[1] == "over"
    assert not procedure.is_complete
    procedure.apply(DeviceBack(device="shoe"))
    assert procedure.is_complete


@pytest.mark.parametrize(
    ("game", "case"),
    [
        ("baccarat", "what is held when the table closes is told as returned"),
        ("three_card_baccarat", "the table closes after the shoe game: carried wagers go back"),
    ],
)
def test_wagers_that_lie_for_another_round_are_left(game: str, case: str) -> None:
    (found,) = (one for one in read_cases(game) if one.name.endswith(case))
    procedure = lead(found.table, [step.given for step in found.steps[:-1]])
    assert (procedure.states[1], procedure.is_complete) == ("over", False)
    assert not lead(found.table, [step.given for step in found.steps]).is_complete


def test_other_equipment_than_the_profile_s_is_left() -> None:
    table = profile(game="casino_war")
    procedure = lead(table, KITS["casino_war"].preludes["ready"](table))
    procedure.apply(ENDED)
    assert procedure.is_complete
    for event in (Equipment(equipment="shuffler_dealer"), Loaded(cards=52 * table["decks"]), ENDED):
        procedure.apply(event)
    assert (procedure.states[1], procedure.is_complete) == ("over", False)
