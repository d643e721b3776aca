"""From an input to the lines of the log."""

import json

from msgspec import UNSET

from cardshoe.table.log.log_builder import LoggedInput, Scribe
from regulations.events.inputs import RoundClosed, Table
from tests.cardshoe.cli.support import PROFILE
from tests.kit.command import Line
from tests.kit.table_log import AT, INPUTS, TABLE


def lines_of(taken: LoggedInput) -> list[Line]:
    return [json.loads(line) for line in taken.lines]


def played() -> list[list[Line]]:
    scribe = Scribe(TABLE)
    return [lines_of(scribe.opening), *(lines_of(scribe.take(event)) for event in INPUTS)]


def test_inputs_and_outputs_are_numbered_together() -> None:
    numbers = [line["seq"] for group in played() for line in group]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_group_is_an_input_with_its_outputs_and_ends_with_next() -> None:
    scribe = Scribe(TABLE)
    for taken in [scribe.opening, *map(scribe.take, INPUTS)]:
        assert taken.entry == b"".join(line + b"\n" for line in taken.lines)
        assert lines_of(taken)[0]["event"] == taken.event.__struct_config__.tag
        assert lines_of(taken)[-1]["event"] == "next"
        assert taken.prompt is taken.outputs[-1]
        assert not taken.is_refused


def test_the_round_stands_on_every_line_of_it() -> None:
    groups = played()
    opening, rounds = groups[:13], groups[13:]
    assert all("round" not in line for group in opening for line in group)
    assert all(line["round"] == 1 for group in rounds[:-1] for line in group)
    closing = rounds[-1]
    assert closing[0]["event"] == "round_closed"
    assert closing[0]["round"] == 1
    assert "round" not in closing[-1]


def test_outputs_have_the_time_of_their_input() -> None:
    group = played()[-2]
    assert len(group) > 3
    assert {line["at"] for line in group} == {"2026-01-05T10:00:01.000000Z"}


def test_a_refusal_says_so() -> None:
    scribe = Scribe(TABLE)
    taken = scribe.take(RoundClosed(at=AT))
    assert taken.is_refused
    assert taken.prompt.do == "shuffle"


def test_the_same_inputs_give_the_same_bytes() -> None:
    assert played() == played()


def test_a_profile_that_is_not_allowed() -> None:
    scribe = Scribe(Table(table_id="T-1", game="baccarat", decks=3, seats=7, equipment="shoe", at=AT))
    assert scribe.is_refused
    assert lines_of(scribe.opening)[1]["code"] == "wrong_deck_count"


def test_what_is_written_is_the_profile_that_came() -> None:
    assert lines_of(Scribe(TABLE).opening)[0] == {**PROFILE, "table_id": "T-1", "seq": 1, "at": AT, "origin": "table"}
    assert TABLE.seq is UNSET
