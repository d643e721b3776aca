"""Asking a log: whole answers, filters that combine, lines that are still coming."""

import types
import typing
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import pytest

from cardshoe.table.log.log_builder import Scribe
from cardshoe.table.log.query import CARD_FIELDS, LineGroup, Query, matching, together
from regulations.events import inputs, outputs
from regulations.events.cards import Card
from regulations.events.codec import INPUTS, decode_input
from regulations.events.inputs import Table
from tests.cardshoe.cli.support import PROFILE, ROUND, STACK, Line

AT: Final = "2026-01-05T10:00:{:02}.000000Z"
NOT_DUE: Final[list[Line]] = [
    *ROUND[:-1],
    {"event": "card", "card": "7D"},  # both hands stand: nothing is due (55/2004 art. 10.º)
    {"event": "round_closed"},  # refused while the irregularity is open
    {"event": "resolve", "irregularity": 1, "action": "burn", "by": [7]},
    {"event": "round_closed"},
]


def log_of(*rounds: list[Line]) -> list[bytes]:
    """The lines of a table that played these rounds, an input each second."""
    told = [PROFILE, *STACK, *(line for one in rounds for line in one)]
    table, *more = [decode_input(msgspec.json.encode({"at": AT.format(n), **line})) for n, line in enumerate(told)]
    assert isinstance(table, Table)
    scribe = Scribe(table)
    return [line for taken in (scribe.opening, *map(scribe.take, more)) for line in taken.lines]


LOG: Final = log_of(ROUND, NOT_DUE, ROUND)


def found(**asked: Any) -> list[LineGroup]:  # noqa: ANN401  the fields of a query
    return list(matching(together(LOG), Query(**asked)))


def events(answers: list[LineGroup]) -> list[str]:
    return [str(one.said[0]["event"]) for one in answers]


def test_inputs_and_outputs_have_different_names() -> None:
    assert not set(INPUTS) & {str(one.__struct_config__.tag) for one in typing.get_args(outputs.AnyOutput)}


def test_an_input_and_its_outputs_belong_together() -> None:
    answers = list(together(LOG))
    assert [line for one in answers for line in one.lines] == LOG
    assert all(one.said[0]["event"] in INPUTS and one.said[-1]["event"] == "next" for one in answers)
    assert found() == answers


def test_an_answer_is_given_as_soon_as_it_is_whole() -> None:
    given: list[int] = []

    def coming() -> Iterator[bytes]:
        for number, line in enumerate(LOG):
            given.append(number)
            yield line

    answers = matching(together(coming()), Query())
    first = next(answers)
    assert first.said[-1]["event"] == "next"
    assert len(given) == len(first.lines)  # nothing of the next input was waited for


def test_what_the_journal_itself_says_stands_alone() -> None:
    own = b'{"event":"passed_over","seq":9,"at":"2026-01-05T10:00:00.000000Z","entry":2,"hash":"00","by":["7","8"]}'
    answers = list(together([*LOG[:2], own, *LOG[2:]]))
    assert [own] in [one.lines for one in answers]


def test_a_round_from_its_bets_to_its_end() -> None:
    answers = found(rounds=(2, 2))
    assert events(answers) == [line["event"] for line in NOT_DUE]
    assert {one.round for one in answers} == {2}
    assert found(rounds=(2, None)) == answers + found(rounds=(3, 3))
    assert found(rounds=(1, 3)) == found(rounds=(1, None))


def test_an_irregularity_from_what_opened_it_to_what_resolved_it() -> None:
    answers = found(irregularities={"card_not_due"})
    assert events(answers) == ["card", "resolve"]  # not the refusal between them, which is about closing the round
    assert found(irregularities={"misdeal"}) == []
    # It was opened in round 2: that is known though the round alone is asked for from its resolve on.
    late = answers[1].at
    assert events(found(irregularities={"card_not_due"}, since=late)) == ["resolve"]


def test_a_card_wherever_it_is_named() -> None:
    assert [(one.round, one.said[0]["event"]) for one in found(cards={"7D"})] == [(2, "card")]
    # 9H is dealt, and stands in the result with which the fourth card is answered.
    assert events(found(cards={"9H"}, rounds=(1, 1))) == ["card", "card"]
    assert events(found(cards={"9H", "7D"}, rounds=(2, 2))) == ["card", "card", "card"]


def test_a_seat_by_its_wagers_and_settlements() -> None:
    assert events(found(seats={1}, rounds=(1, 1))) == ["bets_closed", "card"]
    assert found(seats={2}) == []


def test_times_from_the_first_and_before_the_last() -> None:
    answers = found(since=AT.format(3), until=AT.format(5))
    assert [one.at for one in answers] == [AT.format(3), AT.format(4)]


def test_all_that_is_asked_must_hold() -> None:
    assert events(found(events={"refused"})) == ["round_closed"]
    assert events(found(events={"refused", "settled"}, rounds=(2, 2))) == ["card", "round_closed"]
    assert found(events={"refused"}, rounds=(1, 1)) == []


def card_fields(kind: Any) -> set[str]:  # noqa: ANN401  any annotation
    """The fields of an event in which cards stand, in what it is made of too."""
    names: set[str] = set()
    for name, of in typing.get_type_hints(kind).items():
        for one in leaves(of):
            if one == Card:
                names.add(name)
            elif isinstance(one, type) and issubclass(one, msgspec.Struct) and card_fields(one):
                inner = card_fields(one)
                # What holds cards under other names must itself be looked into whole, as `cards` of a result is.
                names |= {name} if name in CARD_FIELDS else inner
    return names


def leaves(of: Any) -> Iterator[Any]:  # noqa: ANN401  any annotation
    if of == Card or not typing.get_args(of) or isinstance(of, types.EllipsisType):
        yield of
        return
    for one in typing.get_args(of):
        yield from leaves(one)


@pytest.mark.parametrize(
    "kind",
    [*typing.get_args(inputs.AnyInput), *typing.get_args(outputs.AnyOutput)],
    ids=lambda kind: str(kind.__name__),
)
def test_no_field_with_cards_is_overlooked(kind: type) -> None:
    assert card_fields(kind) <= CARD_FIELDS
