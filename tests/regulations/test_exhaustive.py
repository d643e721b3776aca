"""Every input in every state that a table can rest in: always answered, by the rules that the table log names.

A walk in breadth begins at a few places of representative profiles. Wherever a table rests in a combination of gate,
shoe game and round that the walk has not met with this profile, it is given every one of the 27 kinds of input, with
payloads that are allowed somewhere and payloads that are allowed nowhere.
"""

import json
from collections import deque
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

import pytest

from regulations.baccarat.states import RESTING
from regulations.baccarat.states import RoundState as R
from regulations.events.codec import INPUTS
from regulations.procedure import Procedure
from regulations.rows import Row, others
from regulations.shoe.states import ALL, ShoeState
from tests.regulations.support.fingerprint import fingerprint
from tests.regulations.support.inputs import BY, FROM_DEVICES, all_inputs
from tests.regulations.support.games.baccarat import PRELUDES, cards, ready, stack
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.running import decoded, lead, shown
from tests.regulations.support.tracing import RULEBOOK

Path = tuple[Json, ...]
States = tuple[str, str, str]
S = ShoeState

_NEAR_THE_END: Final[dict[str, Any]] = {"decks": 6, "cut_card_behind": 26}
PROFILES: Final[dict[str, tuple[Json, tuple[StrEnum, ...]]]] = {
    "face_up": (profile(decks=6, demonstration_rounds=1), others(ALL, S.RETURN, S.ONE_MORE, S.NEXT_LAST, S.LAST)),
    "face_down": (profile(decks=6, deal="face_down", banker_win="half_on_six"), (S.ROUNDS,)),
    "round_burn": (profile(decks=6, round_burn=True), (S.ROUNDS,)),
    "first_card_value": (profile(decks=6, initial_burn="first_card_value"), (S.BURN,)),
    "shuffler_dealer": (profile(decks=6, equipment="shuffler_dealer"), (S.LOAD, S.ROUNDS, S.RETURN, S.OVER, S.CLOSED)),
    "next_round": (profile(decks=6, overdrawn_card="next_round", deal="face_down"), (S.ROUNDS,)),
    "end": (profile(**_NEAR_THE_END, deal="face_down"), (S.NEXT_LAST, S.LAST)),
    "one_more": (profile(**_NEAR_THE_END, after_cut_card="one_more"), (S.ONE_MORE, S.NEXT_LAST, S.LAST)),
}
"""Each profile, and in which states of the shoe game the walk asks; the others it answers as another profile does."""


def _starts(name: str) -> list[Path]:
    """Where the walk of a profile begins."""
    table, _ = PROFILES[name]
    cut_card: Json = {"event": "cut_card"}
    if name in {"end", "one_more"}:
        standing = cards("KS", "QS", "9S", "8S")
        before_the_round = (*_leap(table, 286), cut_card)
        in_mid_round = (*_leap(table, 285), *standing[:1], cut_card)
        after_the_cards = (*_leap(table, 282), *standing)
        shown_all = [{"event": "revealed", "who": who} for who in ("player", "banker")] if name == "end" else []
        return [before_the_round, in_mid_round, (*after_the_cards, *shown_all, cut_card)]
    if name == "round_burn":
        return [(*ready(table), *PRELUDES["round"](table))]
    return [(), tuple(stack(table)), tuple(ready(table))]


def _leap(table: Json, out: int) -> Path:
    """So many cards out, by a gap in the device's count that voids the first round."""
    return (
        *ready(table),
        {"event": "bets_closed", "seats": [], "wagers": []},
        {"event": "card", "card": "9H", "count": out},
        {"event": "resolve", "irregularity": 1, "action": "void", "by": BY},
        {"event": "round_closed"},
    )


def _first_open(outputs: Sequence[Json]) -> int | None:
    number = outputs[-1].get("irregularity")
    return number if isinstance(number, int) else None


def _reachable(name: str) -> set[tuple[str, str]]:
    """Every pair of shoe game and round that can be: what the table log allows, not what the walk found."""
    showing = {R.SHOW_PLAYER, R.SHOW_BANKER, R.SHOW_PLAYER_3, R.SHOW_BANKER_3}
    face_down = PROFILES[name][0]["options"].get("deal") == "face_down"
    rounds = set(RESTING) if face_down else set(RESTING) - showing
    within: dict[StrEnum, set[R]] = {
        S.ROUNDS: rounds - ({R.PLAYER_1} if name != "round_burn" else set()),
        # The cut card came in mid-round, or in a round that ended before it was closed, or before a round's first card.
        S.ONE_MORE: rounds - {R.IDLE, R.OPENED, R.PLAYER_1},
        S.NEXT_LAST: {R.DECIDED, R.VOID},
        S.LAST: rounds - {R.PLAYER_1},
    }
    return {(shoe.value, state.value) for shoe in PROFILES[name][1] for state in within.get(shoe, {R.IDLE})}


class Walk:
    """The walk of one profile."""

    def __init__(self, name: str) -> None:
        self._table, self._where = PROFILES[name]
        self._waiting: deque[tuple[Path, int | None]] = deque((start, None) for start in _starts(name))
        self.met: dict[States, set[str]] = {}
        """The kinds of input given in each combination of states."""
        self.answers = 0

    def run(self) -> None:
        while self._waiting:
            path, first_open = self._waiting.popleft()
            states = lead(self._table, path).states
            if states not in self.met and states[1] in self._where:
                self.met[states] = set()
                self._try_everything(path, states, first_open)

    def _try_everything(self, path: Path, states: States, first_open: int | None) -> None:
        procedure = lead(self._table, path)
        before = fingerprint(procedure)
        for given in all_inputs(first_open):
            outputs = shown(procedure.apply(decoded(given)))
            self.answers += 1
            self.met[states].add(given["event"])
            where = f"{states}, after {json.dumps(path[-6:])}: {json.dumps(given)} -> {json.dumps(outputs)}"
            _check_answer(outputs, where)
            refused = outputs[0]["event"] == "refused"
            if refused:
                _check_refusal(given, outputs, procedure, states, before, where)
            elif fingerprint(procedure) != before:
                if procedure.states not in self.met:
                    self._waiting.append(((*path, given), _first_open(outputs)))
                procedure = lead(self._table, path)


def _check_answer(outputs: list[Json], where: str) -> None:
    names = [output["event"] for output in outputs]
    assert names[-1] == "next", where
    assert names.count("next") == 1, where
    assert "refused" not in names[1:], where
    for output in outputs:
        needs = output["event"] != "next"
        assert not needs or output.get("article"), where


def _check_refusal(
    given: Json, outputs: list[Json], procedure: Procedure, states: States, before: str, where: str
) -> None:
    assert given["event"] not in FROM_DEVICES, where
    assert len(outputs) == 2, where
    assert outputs[0]["code"], where
    assert outputs[0]["detail"], where
    assert procedure.states == states, where
    assert fingerprint(procedure) == before, where


@pytest.mark.parametrize("name", PROFILES)
def test_every_input_in_every_state_is_answered(name: str) -> None:
    walk = Walk(name)
    walk.run()
    assert all(kinds == set(INPUTS) for kinds in walk.met.values())
    pairs = {(shoe, round_state) for _, shoe, round_state in walk.met}
    assert pairs == _reachable(name)
    gates = {(gate, shoe) for gate, shoe, _ in walk.met}
    assert gates == {(gate, shoe.value) for gate in ("clear", "blocked") for shoe in PROFILES[name][1]}
    print(f"{name}: {len(walk.met)} combinations of states, {walk.answers} answers")  # noqa: T201  shown with -rP


def _answering(rows: Sequence[Row], trigger: str, state: str) -> list[Row]:
    return [row for row in rows if row.trigger == trigger and state in {source.value for source in row.source}]


@pytest.mark.law
@pytest.mark.parametrize("trigger", sorted(set(INPUTS) - {"resolve"}))
def test_every_state_of_the_shoe_game_has_a_row_for_every_input(trigger: str) -> None:
    """The last row that is tried has no guard, so one of them always answers; ways out are the gate's."""
    for state in ALL:
        answering = _answering(RULEBOOK.shoe, trigger, state.value)
        assert answering, f"{trigger} in {state}"
        assert not answering[-1].guard, f"{trigger} in {state}: every row has a guard"


@pytest.mark.law
def test_every_state_of_the_round_has_a_row_for_every_input_that_reaches_it() -> None:
    handed_on = {row.trigger for row in RULEBOOK.shoe if {"to_round", "card_to_round"} & set(row.effect)}
    assert handed_on >= {"card", "bets_closed", "revealed", "round_closed", "misdeal", "void", "device_result"}
    for trigger in handed_on:
        for state in RESTING:
            if (trigger, state) == ("card", R.IDLE):
                continue  # the card opens the round first: `first_card`
            answering = _answering(RULEBOOK.round, trigger, state.value)
            assert answering, f"{trigger} in {state}"
            assert not answering[-1].guard, f"{trigger} in {state}: every row has a guard"


@pytest.mark.law
def test_the_gate_answers_in_both_states() -> None:
    for trigger, states in (("resolve", ("clear", "blocked")), ("request", ("blocked",))):
        for state in states:
            assert not _answering(RULEBOOK.gate, trigger, state)[-1].guard


@pytest.mark.law
def test_every_row_says_what_it_does_and_by_which_article() -> None:
    for rows in RULEBOOK.machines.values():
        for row in rows:
            assert row.article
            assert row.source
            assert not (row.refusal and row.irregularity)
            assert bool(row.says) == bool(row.refusal or row.irregularity), row.id
            assert not (row.refusal and (row.dest or row.effect)), f"{row.id}: a refusal changes nothing"
