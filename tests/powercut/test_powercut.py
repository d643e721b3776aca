"""The power is cut at every point of a table's life: short here, in full with `make powercut` (docs/reliability.md)."""

import random
from dataclasses import replace

import pytest

from tests.powercut.campaign import ALL_GAMES, CONTROLS, Outcome, Plan, record, recovery, run
from tests.powercut.explore import Tally, explore
from tests.powercut.life import script_of
from tests.powercut.operations import Acknowledged, Synced, Written

STATES = 5000


@pytest.mark.slow
@pytest.mark.no_cover  # every state opens and verifies a journal
@pytest.mark.timeout(600)  # five thousand journals, on a machine that may be busy
def test_nothing_acknowledged_is_lost_at_any_point(seed: int) -> None:
    said: list[str] = []
    outcome = run(Plan(states=STATES, rounds=1, recoveries=3, seed=seed), said.append)
    assert outcome.tally.described == []
    assert outcome.tally.states >= STATES
    assert outcome.summary() == (
        f"powercut: states={outcome.tally.states} lost=0 corrupt=0 chain_breaks=0 controls=caught"
    )
    assert outcome.is_good
    assert all(any(line.startswith(game) for line in said) for game in ALL_GAMES)
    # Settings that are too weak are caught, and keys that are erased too early or not at all, each by itself.
    assert outcome.controls.keys() == CONTROLS.keys()
    assert all(looks > 0 for looks in outcome.controls.values())


@pytest.mark.parametrize("is_full", [False, True], ids=["room", "full"])
def test_what_a_killed_process_had_not_synced_is_durable_once_the_table_acts_on_it(seed: int, *, is_full: bool) -> None:
    # The last transaction was written and not yet synced when the process was killed: the next one finds it. From then
    # on the table stands behind it, so a power cut must not take it, whether or not there is room for the ballast.
    life = record(script_of("baccarat", seed, rounds=1))
    operations = life.recording.operations
    places = [
        place
        for place in range(2, len(operations))
        if isinstance(operations[place], Synced) and isinstance(operations[place - 1], Written)
    ]
    found_more = 0
    for place in places[len(places) // 2 :: 8]:
        recording, judge = recovery(life, place, random.Random(seed), is_power_cut=False, is_full=is_full)
        opened = next(one for one in recording.operations[recording.begin :] if isinstance(one, Acknowledged))
        found_more += opened.stored.seq > recording.acknowledged.seq
        tally = Tally()
        explore(recording, judge, 3, seed, tally)
        assert tally.described == []
    assert found_more >= 2


def test_the_judge_sees_what_is_wrong(seed: int) -> None:
    life = record(script_of("casino_war", seed, rounds=1))
    tally = Tally()
    half = len(life.judge.roots) // 2
    forgetful = replace(life.judge, roots=[*life.judge.roots[:half], *(bytes(32) for _ in life.judge.roots[half:])])
    explore(life.recording, forgetful, 0, seed, tally)
    assert tally.problems["chain_breaks"] > 0
    assert tally.problems["lost"] == tally.problems["corrupt"] == 0
    assert not Outcome(tally, {"NORMAL": 1, "OFF": 1}).is_good


def test_a_harness_that_misses_its_controls_fails() -> None:
    blind = Outcome(Tally(), {"NORMAL": 0, "OFF": 3})
    assert not blind.is_good
    assert blind.summary() == "powercut: states=0 lost=0 corrupt=0 chain_breaks=0 controls=missed"
