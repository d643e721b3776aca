"""The rules of an update, as they stand: none is missing, none is idle, and what must never be has no rule."""

from pathlib import Path
from typing import Final

import pytest

from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.update.codes import UPDATE_RESOLUTIONS, UpdateCode, resolution_of
from firmware_bridge.update.rows import ROWS, UpdateRow, diagram
from firmware_bridge.update.states import FINAL, MOST, OBSERVATIONS, ON_DEVICE, UpdateState, UpdateStep, UpdateTrigger

PAGE: Final = Path(__file__).resolve().parents[3] / "docs" / "update.md"


def answering(state: UpdateState, trigger: UpdateTrigger) -> list[UpdateRow]:
    return [row for row in ROWS if row.trigger is trigger and state in row.source]


@pytest.mark.parametrize("state", sorted(ON_DEVICE))
@pytest.mark.parametrize("trigger", OBSERVATIONS)
def test_whatever_is_seen_while_a_device_is_touched_has_an_answer(state: UpdateState, trigger: UpdateTrigger) -> None:
    rows = answering(state, trigger)
    assert rows
    assert not rows[-1].guard, "the last rule has no condition"
    assert all(row.guard for row in rows[:-1]), "a rule behind one without a condition is never reached"


@pytest.mark.parametrize("state", sorted(FINAL))
def test_nothing_follows_an_end(state: UpdateState) -> None:
    assert not [row for row in ROWS if state in row.source]


@pytest.mark.parametrize("state", sorted(set(UpdateState) - ON_DEVICE))
def test_a_device_is_looked_at_only_when_it_may_be_touched(state: UpdateState) -> None:
    assert not [row for row in ROWS if state in row.source and row.trigger in OBSERVATIONS]


def test_a_device_is_told_to_keep_only_what_it_attested() -> None:
    confirming = {(row.trigger, row.dest) for row in ROWS if row.act is UpdateStep.CONFIRM}
    assert confirming == {(UpdateTrigger.RUNS_TRIAL, UpdateState.ATTESTED)}


def test_confirmed_is_only_what_was_attested_twice() -> None:
    for row in ROWS:
        if row.dest is UpdateState.CONFIRMED:
            assert row.trigger is UpdateTrigger.RUNS_NEW
            assert row.source == (UpdateState.ATTESTED,) or "was_attested" in row.guards
        if row.dest is UpdateState.ATTESTED:
            assert row.source in {(UpdateState.ATTESTED,), (UpdateState.TESTING,)}
            assert row.source == (UpdateState.ATTESTED,) or row.trigger is UpdateTrigger.RUNS_TRIAL


def test_reverted_is_only_what_was_seen_to_run_as_before() -> None:
    assert {row.trigger for row in ROWS if row.dest is UpdateState.REVERTED} == {UpdateTrigger.RUNS_OLD}


def test_nothing_is_sent_over_what_runs() -> None:
    assert {row.trigger for row in ROWS if row.act is UpdateStep.UPLOAD} == {UpdateTrigger.RUNS_OLD}


def test_each_way_to_an_end_that_is_none_has_a_code() -> None:
    brings_its_own = {UpdateTrigger.UNTRUE, UpdateTrigger.MISMATCH, UpdateTrigger.LAPSE}
    for row in ROWS:
        if row.dest in {UpdateState.REFUSED, UpdateState.ABANDONED}:
            assert row.code is not None or row.trigger in brings_its_own, row.id


def test_what_stays_in_its_state_is_done_a_limited_number_of_times() -> None:
    for row in ROWS:
        if row.dest in row.source and row.act not in {None, UpdateStep.WAIT}:
            assert str(row.act) in row.guards or row.trigger is UpdateTrigger.RUNS_OLD, row.id
    assert set(MOST) == set(UpdateStep) - {UpdateStep.WAIT}


def test_rules_have_names_and_reasons() -> None:
    assert len({row.id for row in ROWS}) == len(ROWS)
    assert all(row.says for row in ROWS)


def test_every_code_says_who_can_resolve_it() -> None:
    assert set(UPDATE_RESOLUTIONS) == set(UpdateCode)
    for code in (*UpdateCode, TrustCode.SAME_PERSON, TrustCode.DIGEST_DIFFERS):
        found = resolution_of(code)
        assert found is not None
        assert found.who
        assert found.remedy.endswith((".", "`."))
    assert resolution_of("unheard_of") is None


def test_codes_of_updates_and_of_verdicts_do_not_say_two_things() -> None:
    both = {str(code) for code in UpdateCode} & {str(code) for code in TrustCode}
    assert not both


def test_the_page_has_the_diagram_and_every_code() -> None:
    page = PAGE.read_text()
    assert f"```mermaid\n{diagram()}```" in page, (
        "write it anew: python -c 'from firmware_bridge.update.rows import *; print(diagram())'"
    )
    for code in UpdateCode:
        assert f"| `{code}` |" in page, code
        assert UPDATE_RESOLUTIONS[code].who in page
