"""The sheets and laws of the games."""

from fractions import Fraction

import pytest

from regulations.events.errors import RegulationBug, UnknownGame
from regulations.games.registry import GAMES, NAMES, SHEETS
from regulations.law.payouts import Payout, best_odds, paid_by, to_one
from tests.sixth_game.high_card import HIGH_CARD


@pytest.mark.law
def test_the_sheets_alone_are_those_of_the_games() -> None:
    assert [*SHEETS.items()] == [(name, game.sheet) for name, game in GAMES.items()]
    assert [sheet.law.game for sheet in SHEETS.values()] == [*NAMES]


@pytest.mark.law
def test_there_are_these_games_and_no_other() -> None:
    assert len(GAMES) == len(SHEETS) == 5
    with pytest.raises(KeyError):
        GAMES["roulette"]
    assert GAMES.get("roulette") is None


@pytest.mark.law
def test_a_game_from_outside_is_one_of_the_games_while_it_is_admitted() -> None:
    with GAMES.playing(HIGH_CARD):
        assert (GAMES["high_card"], SHEETS["high_card"]) == (HIGH_CARD, HIGH_CARD.sheet)
        assert ([*GAMES], len(GAMES), len(SHEETS)) == ([*NAMES, "high_card"], 6, 6)
    with pytest.raises(UnknownGame, match="unknown game 'high_card'; known are baccarat, ") as caught:
        GAMES["high_card"]
    assert (caught.value.game, caught.value.field) == ("high_card", "$.game")
    assert ([*GAMES], len(GAMES)) == ([*NAMES], 5)


@pytest.mark.law
@pytest.mark.parametrize("game", GAMES)
def test_each_payout_of_a_game_has_a_name_of_its_own(game: str) -> None:
    names = [rule.id for rule in GAMES[game].rulebook.payouts]
    assert len(set(names)) == len(names)


@pytest.mark.law
@pytest.mark.parametrize("game", GAMES)
def test_equipment_with_a_number_of_decks_of_its_own_has_an_article_for_it(game: str) -> None:
    law = GAMES[game].law
    assert law.articles.decks_in or len({one.decks for one in law.equipment.values()}) == 1


@pytest.mark.law
def test_fewer_cards_than_none_are_never_behind_the_cut_card() -> None:
    assert SHEETS["q_poker"].law.cut_card_found(52) == (0, 4), (
        "reading G16: four more or fewer, and it is placed at the end"
    )


@pytest.mark.law
@pytest.mark.parametrize("game", SHEETS)
def test_an_exclusion_is_found_by_both_of_its_options(game: str) -> None:
    law = SHEETS[game].law
    assert set(law.excluded_by()) == {one.article for one in law.exclusions}
    for one in law.exclusions:
        assert one.article in law.excluded_by(one.first[0])
        assert one.article in law.excluded_by(one.second[0])
    assert law.excluded_by("seats") == ()


def _pays(odds: Fraction | None, article: str) -> Payout[object]:
    return Payout(bet="main", name=str(odds), holds=bool, odds=odds, article=article)


@pytest.mark.law
def test_a_sentence_about_a_payout_has_the_first_win_of_its_article() -> None:
    payouts = [_pays(None, "A"), _pays(Fraction(-1), "A"), _pays(Fraction(0), "A"), _pays(Fraction(3, 2), "A")]
    payouts += [_pays(Fraction(9), "A"), _pays(None, "B")]
    assert paid_by(payouts, "A") == Fraction(3, 2)
    assert to_one(payouts, "A") == "3 to 2"
    with pytest.raises(RegulationBug, match="a sentence about a payout"):
        paid_by(payouts, "B")


@pytest.mark.law
def test_odds_on_the_original_half_of_a_raised_stake_are_half_of_the_whole() -> None:
    raised: Payout[object] = Payout(bet="ante", name="raised", holds=bool, odds=Fraction(5), article="", of="original")
    wins: Payout[object] = Payout(bet="ante", name="wins", holds=bool, odds=Fraction(1), article="")
    assert best_odds([raised, wins]) == {"ante": Fraction(5, 2)}
    assert best_odds([raised, wins], [raised.id]) == {"ante": 1}
