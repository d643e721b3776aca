"""Properties of any table, whatever is done to it: tables led by croupiers who follow the prompts most of the time.

The examples are drawn by Hypothesis from fixed seeds (``derandomize``): every run sees the same ones.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regulations.cards import DECK
from regulations.errors import RegulationsError
from regulations.events.codec import encode
from regulations.procedure import Procedure
from tests.regulations.support.books import HiddenCards, Numbers, Wagers
from tests.regulations.support.games.baccarat import PRELUDES, ready
from tests.regulations.support.inputs import all_inputs
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.running import decoded, opened, shown

STEPS: Final = 60
PROFILES: Final = (
    profile(decks=6),
    profile(decks=6, deal="face_down"),
    profile(decks=6, deal="face_down", banker_win="half_on_six", overdrawn_card="next_round"),
    profile(decks=6, round_burn=True, after_cut_card="one_more"),
    profile(decks=6, initial_burn="first_card_value", demonstration_rounds=2),
    profile(decks=6, equipment="shuffler_dealer", overdrawn_card="next_round"),
    profile(decks=6, deal="face_down", cut_card_behind=26, after_cut_card="one_more"),
)
NEAR_THE_CUT_CARD: Final = 6
"""Index of the profile whose tables begin where the cut card is about to come."""
WAGERS: Final = tuple(
    {
        "event": "bets_closed",
        "seats": sorted({seat for seat, _, _, _ in wagers}),
        "wagers": [{"seat": seat, "bet": bet, "stake": stake, "id": bettor} for seat, bet, stake, bettor in wagers],
    }
    for wagers in (
        ((1, "banker", 10, 1),),
        ((1, "player", 25, 1), (1, "banker", 30, 2), (3, "tie", 7, 1)),
        ((2, "player_pair", 5, 1), (2, "banker_pair", 5, 1), (7, "banker", 1, 1)),
    )
)


class Croupier:
    """Does what the prompt asks, or something else: each number of a list says what.

    Args:
        first_card: where in the deck the cards begin that are drawn one after the other.
    """

    def __init__(self, first_card: int) -> None:
        self._card = first_card

    def act(self, number: int, prompt: Json) -> Json:
        """The next input."""
        if number % 10 < 7:
            return self._follow(number // 10, prompt)
        strange = all_inputs(prompt.get("irregularity"))
        chosen = strange[number // 10 % len(strange)]
        return {**chosen, **self._draw()} if chosen["event"] == "card" and chosen.get("card") else chosen

    def _draw(self) -> Json:
        self._card += 1
        return {"event": "card", "card": DECK[self._card * 11 % 52]}

    def _follow(self, number: int, prompt: Json) -> Json:
        if prompt["do"] == "resolve":
            return self._resolve(number, prompt)
        if prompt["do"] == "draw" and "actions" in prompt and number % 3:
            return WAGERS[number % len(WAGERS)]
        acts: dict[str, Json] = {
            "shuffle": {"event": "shuffled", "by": "croupier"},
            "cut": {"event": "cut", "by": "player"},
            "place_cut_card": {"event": "cut_card_placed", "behind": 26},
            "load": {"event": "loaded", "cards": 312},
            "reveal": {"event": "revealed", "who": prompt.get("to")},
            "close_round": {"event": "round_closed"},
            "return_cards": {"event": "cards_returned", "cards": 4 + number % 3},
            "nothing": {"event": "closed"},
        }
        return acts.get(prompt["do"]) or self._draw()

    def _resolve(self, number: int, prompt: Json) -> Json:
        actions = prompt["actions"] or ["continue"]
        action = actions[number % len(actions)]
        resolve: Json = {"event": "resolve", "irregularity": prompt["irregularity"], "action": action, "by": [1, 2]}
        if "reassign" in actions and action != "void":
            return {**resolve, "action": "reassign", "ground": "foreign", "cards": [{"index": 1, "to": "burn"}]}
        if action == "identify":
            return {**resolve, **self._draw(), "event": "resolve"}
        return resolve


def _beginning(which: int) -> tuple[Json, list[Json]]:
    table = PROFILES[which]
    if which == NEAR_THE_CUT_CARD:
        return table, PRELUDES["to_the_cut_card"](table)
    return table, ready(table)


def _lead_a_table(which: int, numbers: list[int], hear: Callable[[Json, list[Json]], None]) -> list[tuple[Json, bytes]]:
    """Plays a table and lets somebody hear every input with its outputs; returns them as bytes."""
    table, inputs = _beginning(which)
    procedure: Procedure = opened(table)
    prompt = shown(procedure.opening)[-1]
    log: list[tuple[Json, bytes]] = []
    croupier = Croupier(sum(numbers[:2]))
    waiting = [*inputs]
    for number in [*([0] * len(inputs)), *numbers]:
        act = waiting.pop(0) if waiting else croupier.act(number, prompt)
        outputs = procedure.apply(decoded(act))
        said = shown(outputs)
        hear(act, said)
        prompt = said[-1]
        log.append((act, b"\n".join(encode(output) for output in outputs)))
    return log


tables = given(
    which=st.integers(min_value=0, max_value=len(PROFILES) - 1),
    numbers=st.lists(st.integers(min_value=0, max_value=999), min_size=10, max_size=STEPS),
)
few = settings(max_examples=150, derandomize=True, database=None)


@few
@tables
def test_every_input_is_answered_in_order_and_numbers_have_no_gap(which: int, numbers: list[int]) -> None:
    books = Numbers()

    def hear(_: Json, outputs: list[Json]) -> None:
        books.hear(outputs)
        names = [output["event"] for output in outputs]
        assert names.count("next") == 1
        assert names[-1] == "next"
        assert "refused" not in names or names == ["refused", "next"]

    _lead_a_table(which, numbers, hear)


@few
@tables
def test_the_same_inputs_have_the_same_answers_byte_for_byte(which: int, numbers: list[int]) -> None:
    log = _lead_a_table(which, numbers, lambda _act, _outputs: None)
    again = opened(PROFILES[which])
    for act, answer in log:
        assert b"\n".join(encode(output) for output in again.apply(decoded(act))) == answer


@few
@tables
def test_every_wager_is_settled_or_returned_exactly_once_for_what_it_wins(which: int, numbers: list[int]) -> None:
    books = Wagers(half_on_six=PROFILES[which]["options"].get("banker_win") == "half_on_six")
    _lead_a_table(which, numbers, books.hear)


@few
@tables
def test_no_output_shows_a_card_that_lies_face_down(which: int, numbers: list[int]) -> None:
    books = HiddenCards(PROFILES[which]["options"])
    _lead_a_table(which, numbers, books.hear)


@settings(max_examples=100, derandomize=True, database=None)
@given(
    fields=st.dictionaries(
        st.sampled_from(["decks", "seats", "equipment", "options", "authorisations", "at", "game"]),
        st.recursive(
            st.none() | st.booleans() | st.integers(-3, 20) | st.sampled_from(["shoe", "end", "keep", ""]),
            lambda inner: (
                st.lists(inner, max_size=2)
                | st.dictionaries(st.sampled_from(["deal", "tie_wagers", "round_burn", "x"]), inner, max_size=2)
            ),
            max_leaves=4,
        ),
    )
)
def test_any_profile_is_malformed_refused_or_opens_a_table(fields: dict[str, Any]) -> None:
    try:
        procedure = opened({**profile(), **fields})
    except RegulationsError:
        return
    names = [output["event"] for output in shown(procedure.opening)]
    assert names == (["refused", "next"] if procedure.is_refused else ["next"])


@pytest.mark.law
def test_the_books_notice_a_card_that_is_shown() -> None:
    """The checks themselves: a hidden card in an output, a wager settled twice, a gap in the numbers."""
    hidden = HiddenCards({"deal": "face_down"})
    with pytest.raises(AssertionError, match="9H is hidden"):
        hidden.hear({"event": "card", "card": "9H"}, [{"event": "refused", "detail": "it was 9H"}])
    wagers = Wagers(half_on_six=False)
    wagers.hear(WAGERS[0], [{"event": "next"}])
    with pytest.raises(AssertionError):
        wagers.hear({"event": "round_closed"}, [{"event": "next"}])
    with pytest.raises(AssertionError):
        Numbers().hear([{"event": "irregularity", "irregularity": 2}])
