"""The power is cut at every point of a table's life: short here, in full with `make powercut` (docs/reliability.md)."""

import random
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from cardshoe.journal import Keyring
from cardshoe.table.log.sealing_keys import SealingKeys
from regulations.law.edition import RULES_VERSION
from tests.cardshoe.journal.samples import HEADER
from tests.cardshoe.journal.sealed import sealed_journal
from tests.kit.length import SOAK, at_length
from tests.powercut.campaign import ALL_GAMES, Outcome, Plan, record, recovery, run
from tests.powercut.controls import CONTROLS
from tests.powercut.explore import Tally, explore
from tests.powercut.judge import Judge
from tests.powercut.life import NAME, script_of
from tests.powercut.operations import NOTHING, Acknowledged, Bound, Erased, Synced, Unbound, Written

STATES = at_length(150, 2500)
EVERY = at_length(4, 1)


@pytest.mark.statistical
@pytest.mark.no_cover  # every state opens and verifies a journal
@pytest.mark.timeout(600)  # thousands of journals, on a machine that may be busy
def test_nothing_acknowledged_is_lost_at_any_point(seed: int) -> None:
    said: list[str] = []
    outcome = run(
        Plan(
            states=STATES,
            every=EVERY,
            rounds=1,
            tears=at_length(1, 14),
            recoveries=1,
            seed=seed,
            once=not SOAK,
        ),
        said.append,
    )
    assert outcome.tally.described == []
    assert outcome.tally.states >= STATES
    assert outcome.summary() == (f"states={outcome.tally.states} lost=0 corrupt=0 chain_breaks=0 controls=caught")
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
        explore(recording, judge, 1, seed, tally, every=at_length(2, 1))
        assert tally.described == []
    assert found_more >= 2


def test_a_recorded_life_is_signed_and_sealed_as_at_a_table(seed: int) -> None:
    life = record(script_of("blackjack", seed, rounds=1))
    operations = life.recording.operations
    keys, checkpoints = life.judge.notes
    assert (len(keys), len(checkpoints) >= 5) == (2, True)
    assert [b"\nstate " in note for note in keys] == [False, True]
    written = b"".join(one.data for one in operations if isinstance(one, Written))
    assert b'"sealed":"' in written
    assert life.sealing.split()[-1] not in written  # it lies on another disk
    # The first key is told to be erased, at last; of all keys only the newest has its name then.
    [erased] = {one.secret for one in operations if isinstance(one, Erased)}
    assert erased in written
    bound = [(one.name, isinstance(one, Bound)) for one in operations if isinstance(one, Bound | Unbound)]
    assert [one for one in bound if "-key-" in one[0]] == [
        (f"{NAME}-key-0", True),
        (f"{NAME}-key-1", True),
        (f"{NAME}-key-0", False),
    ]
    told = [one.stored for one in operations if isinstance(one, Acknowledged)]
    assert told[-1] == (len(life.judge.roots) - 1, 2, len(checkpoints))


def test_the_judge_sees_what_is_wrong(seed: int) -> None:
    life = record(script_of("casino_war", seed, rounds=1))
    tally = Tally()
    half = len(life.judge.roots) // 2
    forgetful = replace(life.judge, roots=[*life.judge.roots[:half], *(bytes(32) for _ in life.judge.roots[half:])])
    explore(life.recording, forgetful, 0, seed, tally, every=EVERY)
    assert tally.problems["chain_breaks"] > 0
    assert tally.problems["lost"] == tally.problems["corrupt"] == 0
    assert not Outcome(tally, {"NORMAL": 1, "OFF": 1}).is_good
    keys, checkpoints = life.judge.notes
    tally = Tally()
    explore(
        life.recording, replace(life.judge, notes=(keys, [b"another", *checkpoints[1:]])), 0, seed, tally, every=EVERY
    )
    assert all("not those that were signed" in one for one in tally.described)
    assert tally.problems.keys() == {"chain_breaks"}
    sealed = record(script_of("blackjack", seed, rounds=1))
    tally = Tally()
    explore(sealed.recording, replace(sealed.judge, sealing=SealingKeys([])), 0, seed, tally, every=EVERY)
    assert all("is sealed with the key" in one for one in tally.described)
    assert tally.problems.keys() == {"corrupt"}


def test_the_judge_looks_for_the_key_that_signs_and_for_no_other(tmp_path: Path) -> None:
    path = tmp_path / "b-101.journal"
    sealed_journal(path, header=msgspec.structs.replace(HEADER, rules=RULES_VERSION))
    judge = Judge.knowing(path, SealingKeys([]))
    keyring = Keyring(path)
    held = keyring.path(3).read_bytes()
    # Its entries are no table's, so they do not replay: the judge comes so far only with the right key.
    assert "entry 1" in judge.look(path).text
    keyring.path(2).symlink_to(tmp_path)  # a key of before that cannot be erased
    assert (judge.look(path).problem, judge.look(path).stored) == ("corrupt", NOTHING)
    keyring.path(2).unlink()
    keyring.make(3)
    assert (judge.look(path).problem, "is another key" in judge.look(path).text) == ("lost", True)
    keyring.path(3).unlink()
    assert (judge.look(path).problem, "key 3 is missing" in judge.look(path).text) == ("lost", True)
    keyring.path(3).write_bytes(held)
    assert "entry 1" in judge.look(path).text


def test_a_harness_that_misses_its_controls_fails() -> None:
    blind = Outcome(Tally(), {"NORMAL": 0, "OFF": 3})
    assert not blind.is_good
    assert blind.summary() == "states=0 lost=0 corrupt=0 chain_breaks=0 controls=missed"
