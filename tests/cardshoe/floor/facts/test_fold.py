"""Facts of lines: rounds as they stand, irregularities with who settled them, acts of persons, faults of devices."""

from pathlib import Path
from typing import TypeVar

import pytest

from cardshoe.floor.facts.fold import LogFold, Unreadable
from cardshoe.floor.facts.told import Begun, Fact, FaultBegun, FaultOver, IrregularityClosed
from cardshoe.journal.file.chain import data_of
from cardshoe.screens.rounds.acts import Act
from cardshoe.screens.rounds.fact import RoundFact
from regulations.events.vocabulary import Game
from tests.cardshoe.floor.facts.support import BEGUN, BY, CLOSED, DEALT, cards, facts_of, written
from tests.cardshoe.floor.filling import Played, introduced, shoe_game

FactT = TypeVar("FactT", bound=Fact)


def told(facts: list[Fact], kind: type[FactT]) -> list[FactT]:
    return [one for one in facts if isinstance(one, kind)]


def last_round(facts: list[Fact]) -> RoundFact:
    return told(facts, RoundFact)[-1]


def test_a_round_counts_from_its_result_on(tmp_path: Path) -> None:
    facts = facts_of(written(tmp_path, *cards(*DEALT), CLOSED, *cards("2D")).entries)
    decided, closed = told(facts, RoundFact)
    assert (decided.round, decided.shoe, decided.outcome, decided.voided) == (1, 1, "player", False)
    assert "mark:open" in decided.tags
    assert (closed.last_entry, closed.last_seq > decided.last_seq) == (decided.last_entry + 1, True)
    assert set(closed.tags) == {
        "card:3D",
        "card:4C",
        "card:9H",
        "card:KS",
        "mark:counts",
        "person:7001",
        "result:player",
    }


def test_a_void_takes_the_round_back_and_names_who_answers_for_it(tmp_path: Path) -> None:
    fault = {"event": "fault", "device": "shoe", "code": 3}
    void = {"event": "resolve", "irregularity": 1, "action": "void", "by": BY}
    facts = facts_of(written(tmp_path, *cards(*DEALT[:3]), fault, void).entries)
    assert (last_round(facts).outcome, last_round(facts).voided) == (None, True)
    [act] = told(facts, Act)
    assert (act.kind, act.by, act.code, act.reason, act.irregularity) == ("void", BY, "void", "device_fault", 1)
    assert act.article


def test_a_correction_changes_what_was_counted(tmp_path: Path) -> None:
    misdeal = {"event": "misdeal", "detail": "card_entered_wrongly"}
    named = {
        "event": "resolve",
        "irregularity": 1,
        "action": "reassign",
        "ground": "foreign",
        "by": BY,
        "cards": [{"index": 1, "to": "burn"}],
    }
    facts = facts_of(written(tmp_path, *cards(*DEALT), misdeal, named).entries)
    assert [one.outcome for one in told(facts, RoundFact)] == ["player", "player", None]
    assert last_round(facts).corrected
    assert {"irregularity:misdeal", "act:correction", "person:9001"} <= set(last_round(facts).tags)
    assert [(one.kind, one.code, one.reason) for one in told(facts, Act)] == [("correction", "reassign", "misdeal")]


def test_cards_by_hand_are_the_croupiers_who_is_signed_in(tmp_path: Path) -> None:
    facts = facts_of(written(tmp_path, *cards(*DEALT[:2]), *cards(*DEALT[2:], by_hand=True)).entries)
    assert [(one.kind, one.by) for one in told(facts, Act)] == [("manual_card", ["7001"])] * 2


def test_what_was_refused_tells_nothing(tmp_path: Path) -> None:
    void = {"event": "void", "ground": "malfunction", "reason": "it jammed", "by": BY}
    assert told(facts_of(written(tmp_path, *cards(*DEALT), void).entries), Act) == []


def test_going_on_after_a_fault_is_no_override_and_against_a_device_is_one(tmp_path: Path) -> None:
    fault = {"event": "fault", "device": "shoe", "code": 3}
    cleared = {"event": "fault_cleared", "device": "shoe", "code": 3}
    on = {"event": "resolve", "irregularity": 1, "action": "continue", "by": ["7001"]}
    other = {"event": "device_result", "device": "shoe", "outcome": "banker"}
    facts = facts_of(
        written(tmp_path, *cards(*DEALT), fault, cleared, on, other, {**on, "irregularity": 2, "by": BY}).entries
    )
    [act] = told(facts, Act)
    assert (act.kind, act.code, act.reason, act.by) == ("override", "continue", "device_disagrees", BY)
    assert [one.code for one in told(facts, Begun)] == ["device_fault", "device_disagrees"]
    assert [(one.irregularity, one.action, one.by) for one in told(facts, IrregularityClosed)] == [
        (1, "continue", ["7001"]),
        (2, "continue", BY),
    ]


def test_a_fault_is_counted_once_by_the_serial_number_until_it_is_over(tmp_path: Path) -> None:
    fault = {"event": "fault", "device": "shoe", "code": 3}
    lost, back = {"event": "device_lost", "device": "shoe"}, {"event": "device_back", "device": "shoe"}
    facts = facts_of(written(tmp_path, fault, fault, {**fault, "event": "fault_cleared"}, lost, back, fault).entries)
    assert [(one.code, one.serial) for one in told(facts, FaultBegun)] == [
        ("3", "B00007"),
        ("lost", "B00007"),
        ("3", "B00007"),
    ]
    assert [one.code for one in told(facts, FaultOver)] == ["3", "lost"]


@pytest.mark.parametrize("game", ["baccarat", "q_poker"])
def test_from_a_standing_that_was_kept_the_same_is_told(tmp_path: Path, game: Game) -> None:
    told_at_once: list[list[Fact]] = []
    events = shoe_game(game, 4, seed=5, mistakes=0.1)
    entries = Played(tmp_path, "T-1", game, BEGUN).play([*introduced(1), *events]).entries
    fold = LogFold()
    for number, data in enumerate(entries):
        told_at_once.append(fold.take(number, data))
        fold = LogFold(fold.kept(), number)
    assert [one for some in told_at_once for one in some] == facts_of(entries)
    assert any(told_at_once)


FAULT = b'{"event":"fault","seq":%d,"at":"2026-11-23T10:00:00.000000Z","origin":"device","device":"shoe","code":3}'
NEXT = b'{"event":"next","seq":11,"at":"2026-11-23T10:00:00.000000Z","do":"shuffle"}'


@pytest.mark.parametrize(
    "lines",
    [
        [FAULT.replace(b"code", b"newer") % 10, NEXT],
        [FAULT % (1 << 60), NEXT],
        [b"[" * 9000],
        [b"null"],
        [FAULT % 10, b'{"event":"next","seq":11,"do":{}}'],
        [FAULT % 10],
    ],
)
def test_what_no_table_writes_is_unreadable(tmp_path: Path, lines: list[bytes]) -> None:
    fold = LogFold()
    for number, known in enumerate(written(tmp_path).entries[:4]):
        fold.take(number, known)
    with pytest.raises(Unreadable):
        fold.take(4, data_of(lines))


def test_an_entry_that_two_people_passed_over_is_an_override(tmp_path: Path) -> None:
    line = b'{"event":"passed_over","seq":10,"at":"2026-11-23T10:00:00.000000Z","entry":8,"hash":"%s","by":["7","8"]}'
    fold = LogFold()
    for number, known in enumerate(written(tmp_path).entries[:4]):
        fold.take(number, known)
    (act,) = fold.take(4, data_of([line % (b"0" * 64)]))
    assert act == Act(
        seq=10,
        kind="override",
        at="2026-11-23T10:00:00+00:00",
        round=None,
        by=["7", "8"],
        code="passed_over",
        reason="entry 8",
    )
    with pytest.raises(Unreadable):
        fold.take(5, data_of([line % b"no hash"]))


def test_texts_become_such_as_a_column_and_a_page_can_hold(tmp_path: Path) -> None:
    detail = "a\u0000\u202e\n" + "x" * 400
    facts = facts_of(written(tmp_path, *cards(*DEALT[:2]), {"event": "dispute", "detail": detail}).entries)
    [begun] = told(facts, Begun)
    assert begun.detail == "a\N{REPLACEMENT CHARACTER}" + "\N{REPLACEMENT CHARACTER}" * 2 + "x" * 400
