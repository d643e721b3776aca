"""Which values each option may have, by the texts and readings: all ends and words, and what lies beside them."""

from collections.abc import Collection, Iterator
from typing import Any, Final

import pytest

from regulations.games.registry import SHEETS
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import opened, shown

pytestmark = pytest.mark.law

Values = tuple[str, ...] | range | type[bool]
"""The words, the numbers, or true and false; the regulation's first alternative stands first among words."""
FLAG: Final = bool
OURS: Final[dict[str, tuple[str, Values]]] = {
    "stakes": ("reading G15", ("tracked", "untracked")),
    "shoe_ended_by": ("reading G15", ("one", "two")),
}
ALLOWED: Final[dict[str, dict[str, tuple[str, Values]]]] = {
    "baccarat": {
        "initial_burn": ("55/2004 art. 2.º-1", ("per_deck", "first_card_value")),
        "demonstration_rounds": ("55/2004 art. 2.º-2", range(4)),
        "rounds_without_wagers": ("reading B8", FLAG),
        "cut_card_behind": ("reading B3", range(12, 27)),
        "after_cut_card": ("55/2004 art. 3.º-1", ("end", "one_more")),
        "round_burn": ("55/2004 art. 8.º", FLAG),
        "deal": ("55/2004 art. 16.º", ("face_up", "face_down")),
        "banker_win": ("55/2004 art. 18.º", ("commission", "half_on_six")),
        "overdrawn_card": ("55/2004 art. 10.º", ("burn", "next_round")),
        **OURS,
    },
    "blackjack": {
        "initial_burn": ("56/2004 art. 4.º-1", ("per_deck", "one")),
        "round_burn": ("56/2004 art. 4.º-2", ("none", "start", "start_and_before_second_croupier_card")),
        "procedure": ("56/2004 art. 5.º-2", ("first", "second")),
        "cut_card_behind": ("reading J19", range(30, 105)),
        "first_face_up_card_valid": ("56/2004 art. 5.º-1(1)", FLAG),
        "unshown_extra_croupier_card_valid": ("56/2004 art. 6.º-1", FLAG),
        "double": ("56/2004 art. 17.º", ("any_two", "eleven_only")),
        "max_split_hands": ("reading J24", range(4, 9)),
        "resplit_aces": ("56/2004 art. 16.º-3", FLAG),
        "croupier_blackjack_against_double": ("56/2004 art. 10.º-7", ("loses_all", "loses_original")),
        "surrender_before": ("56/2004 art. 18.º-2", ("any_card", "own_card")),
        "resplit": ("56/2004 art. 16.º-5", FLAG),
        "bettors_at_most": ("56/2004 art. 20.º-1(2)", range(1, 4)),
        "drawn_card_is_hit": ("56/2004 art. 6.º-3", FLAG),
        "insurance_asked": ("56/2004 art. 12.º-1", ("in_turn", "together")),
        "decider": ("56/2004 art. 20.º", ("seated", "nearest_or_seated", "highest")),
        "insurance": ("56/2004 art. 12.º-1", ("half_to_full", "half", "full")),
        **OURS,
    },
    "casino_war": {
        "cut_card_behind": ("reading W9", range(12, 15)),
        "croupier_war_card": ("74/2005 art. 7.º-5", ("shared", "per_player")),
        **OURS,
    },
    "q_poker": OURS,
    "three_card_baccarat": {
        "cut_card_behind": ("reading T12", range(30, 41)),
        "deal": ("22/96/M art. 2.º-2", ("one_at_a_time", "three_at_a_time")),
        "three_figures_win_zero_points": ("22/96/M art. 8.º-2", FLAG),
        **OURS,
    },
}
"""By game and option: what refuses another value, and those that there are."""
ARTICLE_ITSELF: Final = {("max_split_hands", "3"): "56/2004 art. 16.º-1"}
"""What the article refuses itself, beside the reading that sets the other end."""
NEEDS: Final[dict[tuple[str, object], dict[str, Any]]] = {
    ("bettors_at_most", 1): {"decider": "nearest_or_seated"},
}
"""What a value needs beside it, since others exclude it."""
TIES: Final = ("withdraw", "keep", "alter", "switch")
BETS: Final = {
    "baccarat": {"banker", "banker_pair", "player", "player_pair", "tie"},
    "blackjack": {"any_pair", "main", "over_13", "sevens", "under_13"},
    "casino_war": {"ante", "tie"},
    "q_poker": {"ante", "pair_plus"},
    "three_card_baccarat": {"even", "main", "odd", "three_figures", "tie", *(f"points_{one}" for one in range(10))},
}
LIMITS_BY: Final = {"baccarat": "55/2004 art. 14.º"}
"""Where a text speaks of limits; elsewhere they are reading G15."""
BEHIND_CUT_CARD: Final = {
    "baccarat": (12, 26),
    "blackjack": (30, 104),
    "casino_war": (12, 14),
    "q_poker": (0, 0),
    "three_card_baccarat": (30, 40),
}
games: Final = pytest.mark.parametrize("game", ALLOWED)


def _refused(game: str, **options: Any) -> list[tuple[str, str]]:  # noqa: ANN401  values that JSON has
    found: list[dict[str, Any]] = shown(opened(profile(game=game, **options)).opening)
    return [(one["code"], one["article"]) for one in found if one["event"] == "refused"]


def _tried(values: Values) -> tuple[Collection[object], Collection[object]]:
    if isinstance(values, tuple):
        return values, ("another", True, [values[0]])
    if isinstance(values, range):
        least, most = values[0], values[-1]
        return (least, most), (least - 1, most + 1, str(least), True)
    return (True, False), (0, "true")


def _lines() -> Iterator[tuple[str, str, str, Values]]:
    for game, options in ALLOWED.items():
        for option, (article, values) in options.items():
            yield game, option, article, values


@games
def test_the_law_has_these_options_and_no_other(game: str) -> None:
    lists = {"limits", "tie_wagers"} if game == "baccarat" else {"limits"}
    assert {one.name for one in SHEETS[game].law.options} == {*ALLOWED[game], *lists}


@pytest.mark.parametrize(("game", "option", "article", "values"), list(_lines()))
def test_an_option_may_have_these_values_and_no_other(game: str, option: str, article: str, values: Values) -> None:
    possible, others = _tried(values)
    for value in possible:
        beside = NEEDS.get((option, value), {})
        assert _refused(game, **{option: value}, **beside) == [], value
    for value in others:
        by = ARTICLE_ITSELF.get((option, str(value)), article)
        assert _refused(game, **{option: value}) == [("bad_option", by)], value


def test_tie_wagers_are_a_list_of_different_ways() -> None:
    ways: Any
    for ways in (*([way] for way in TIES), list(TIES)):
        assert _refused("baccarat", tie_wagers=ways) == [], ways
    for ways in ([], ["another"], ["keep", "keep"], ["withdraw", "another"], "keep"):
        assert _refused("baccarat", tie_wagers=ways) == [("bad_option", "55/2004 art. 12.º")], ways


@games
def test_limits_are_for_the_bets_of_the_game(game: str) -> None:
    article, every = LIMITS_BY.get(game, "reading G15"), set[str]().union(*BETS.values())
    limits: Any
    right: list[Any] = [{}, *({bet: {"least": 5, "most": 5}} for bet in BETS[game])]
    wrong: list[Any] = [{bet: {"most": 5}} for bet in every - BETS[game]]
    (right if game == "baccarat" else wrong).append({"difference": 100})
    for limits in right:
        assert _refused(game, limits=limits) == [], limits
    for limits in (*wrong, {min(BETS[game]): {"least": 6, "most": 5}}, {min(BETS[game]): {}}, {"difference": -1}):
        assert _refused(game, limits=limits) == [("bad_option", article)], limits


@games
def test_the_cut_card_lies_between_these_ends(game: str) -> None:
    assert SHEETS[game].law.cut_card_behind == BEHIND_CUT_CARD[game]
