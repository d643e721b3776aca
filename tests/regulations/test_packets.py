"""How many cards come in a row, for a dispenser of packets (q poker art. 7.º, three-card baccarat reading T11)."""

import json
from typing import Any

import pytest

from regulations.events.codec import decode_input
from regulations.events.inputs import Table
from regulations.events.outputs import Next
from regulations.procedure.procedure import Procedure
from tests.regulations.support.games.baccarat import ready
from tests.regulations.support.notation import read_cases
from tests.regulations.support.profiles import AT, profile
from tests.regulations.support.running import as_told, decoded, lead
from tests.regulations.support.running import opened as opened_at

pytestmark = pytest.mark.law
FIELDS = {
    "q_poker": ("shuffler", 1, "ante"),
    "three_card_baccarat": ("box", 1, "main"),
    "casino_war": ("shoe", 6, "ante"),
}


def opened(game: str, equipment: str, **options: Any) -> Procedure:  # noqa: ANN401  options are of any kind
    """A round with seats 1 and 3, its bets closed."""
    _, decks, bet = FIELDS[game]
    profile = {"event": "table", "table_id": "T", "game": game, "decks": decks, "seats": 7, "equipment": equipment}
    table = decode_input(json.dumps({**profile, "options": options, "at": AT}))
    assert isinstance(table, Table)
    procedure = Procedure(table)
    assert not procedure.is_refused, procedure.opening

    def send(**event: Any) -> str:  # noqa: ANN401  as above
        answer = procedure.apply(decode_input(json.dumps({**event, "at": AT})))
        assert type(answer[0]).__name__ != "Refused", answer
        return str(answer[-1].do)  # type: ignore[union-attr]  # the last is a `next`

    do = str(procedure.opening[-1].do)  # type: ignore[union-attr]  # as above
    acts: dict[str, dict[str, Any]] = {
        "shuffle": {"event": "shuffled", "by": "shuffler" if equipment == "shuffler" else "croupier"},
        "cut": {"event": "cut", "by": "croupier"},
        "place_cut_card": {"event": "cut_card_placed", "behind": 0 if game == "q_poker" else 52},
        "load": {"event": "loaded", "cards": 52 * decks},
    }
    while do in acts:
        do = send(**acts[do])
    while do == "burn":
        assert procedure.due_in_a_row == 1
        do = send(event="card", card=None, unseen=True)
    if do == "close_bets":
        assert procedure.due_in_a_row == 0
    wagers = [{"seat": seat, "bet": bet, "stake": 100} for seat in (1, 3)]
    send(event="bets_closed", seats=[1, 3], wagers=wagers)
    return procedure


def draw(procedure: Procedure) -> None:
    procedure.apply(decode_input(json.dumps({"event": "card", "card": None, "unseen": True, "at": AT})))


@pytest.mark.parametrize(
    ("game", "equipment", "options", "rows"),
    [
        ("q_poker", "shuffler", {}, [3, 2, 1] * 3),
        ("three_card_baccarat", "box", {"deal": "three_at_a_time"}, [3, 2, 1] * 3),
        ("three_card_baccarat", "box", {"deal": "one_at_a_time"}, [1] * 9),
    ],
)
def test_cards_in_a_row(game: str, equipment: str, options: dict[str, Any], rows: list[int]) -> None:
    procedure = opened(game, equipment, **options)
    seen = []
    while procedure.due_in_a_row:
        seen.append(procedure.due_in_a_row)
        draw(procedure)
    assert seen == rows


def test_baccarat_takes_one_card_after_the_other() -> None:
    table = profile()
    procedure = lead(table, ready(table))
    seen = []
    for card in ("9H", "3D", "KS", "4C"):
        seen.append(procedure.due_in_a_row)
        procedure.apply(decoded({"event": "card", "card": card}))
    assert [*seen, procedure.due_in_a_row] == [1, 1, 1, 1, 0]


def test_outside_of_a_shoe_game_no_card_is_due() -> None:
    table = profile()
    procedure = lead(table, [*ready(table), {"event": "shoe_ended", "reason": "cards_worn"}])
    assert procedure.due_in_a_row == 0


def test_a_permit_is_the_number_that_the_prompt_has_in_a_journal() -> None:
    # A journal numbers inputs and outputs together; the profile is its first line.
    procedure = Procedure(table_of_a_shoe())
    assert procedure.lines == 1 + len(procedure.opening) == 2
    answer = procedure.apply(decode_input(json.dumps({"event": "closed", "at": AT})))
    assert procedure.lines == 3 + len(answer) == 4


def table_of_a_shoe() -> Table:
    table = decoded(profile(game="baccarat"))
    assert isinstance(table, Table)
    return table


@pytest.mark.parametrize("game", ["baccarat", "blackjack", "casino_war"])
def test_cards_that_are_dealt_one_by_one_are_due_one_by_one(game: str) -> None:
    counts = set()
    for case in read_cases(game):
        procedure = opened_at(case.table)
        for step in [] if case.broken else case.steps:
            prompt = procedure.apply(as_told(procedure, step.given))[-1]
            if isinstance(prompt, Next) and prompt.do in {"draw", "burn"}:
                counts.add((prompt.do, procedure.due_in_a_row))
    assert counts == {("draw", 1), ("burn", 1)}
