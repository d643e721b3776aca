"""The stack: shuffle, cut, cut card, load; other equipment between shoe games.

By hand, for a shoe or a dealing box: shuffle, cut, cut card where the stack has one, load. A shuffler is loaded and
shuffles, in either order. A shuffler-dealer is only loaded.
"""

from enum import StrEnum
from typing import Final

from regulations.engine.rows import Guard
from regulations.law.game_law import CUTTERS, SHUFFLERS, GameLaw, ShoeArticles
from regulations.law.rows import Row, move, others, refuse
from regulations.play.shoe.cut_card import CutCards
from regulations.play.shoe.game import ShoeGame
from regulations.play.shoe.profile_guards import ProfileGuards, excluded
from regulations.play.shoe.states import ALL
from regulations.play.shoe.states import ShoeState as S

DIRECT: Final = "a shuffler-dealer is loaded and dealt from directly"


def stack_rows(law: GameLaw) -> tuple[Row, ...]:
    """How a stack comes into the equipment, step by step in this order."""
    return (*_shuffle(law), *_cut(law), *_cut_card(law), *_load(law), *_equipment(law))


def _shuffle(law: GameLaw) -> tuple[Row, ...]:
    articles, waiting = law.articles, (S.SHUFFLE, S.FILL, S.MIX, S.OVER)
    rows: list[Row] = []
    if any(one.shuffled_by not in ((), SHUFFLERS) for one in law.equipment.values()):
        rows.append(
            refuse(
                "shuffled",
                waiting,
                "not_allowed",
                articles.shuffled_by,
                "the cards are not shuffled so for this equipment",
                when=(ShoeGame.stack_is_shuffled, ShoeGame.wrong_shuffler),
            )
        )
    if articles.cut_spared:
        rows.append(
            move("shuffled", (S.SHUFFLE, S.OVER), S.PLACE_CUT_CARD, articles.cut_spared, when=ShoeGame.cut_spared)
        )
    rows.append(move("shuffled", S.SHUFFLE, S.CUT, articles.prepare))
    rows.append(move("shuffled", S.OVER, S.CUT, articles.reshuffle, when=ShoeGame.by_hand))
    if articles.mixed:
        rows.append(move("shuffled", S.MIX, S.ROUNDS, articles.mixed))
        rows.append(move("shuffled", S.FILL, S.LOAD, articles.mixed))
        rows.append(move("shuffled", S.OVER, S.LOAD, articles.mixed))
    says = "cards are shuffled before a shoe game begins, once"
    return (*rows, *not_prepared(articles, "shuffled", ALL, says, direct=DIRECT))


def _cut(law: GameLaw) -> tuple[Row, ...]:
    articles = law.articles
    rows: list[Row] = []
    if any(one.cut_by not in ((), CUTTERS) for one in law.equipment.values()):
        rows.append(
            refuse(
                "cut", S.CUT, "not_allowed", articles.cut_by, "somebody else cuts the stack", when=ShoeGame.wrong_cutter
            )
        )
    if articles.no_cut_card:
        rows.append(move("cut", S.CUT, S.LOAD, articles.no_cut_card, when=ShoeGame.no_cut_card))
    rows.append(move("cut", S.CUT, S.PLACE_CUT_CARD, articles.prepare))
    if articles.cut_spared:
        # It moves the machine to where it is: what is told as done once more is refused.
        spared = [S.PLACE_CUT_CARD, *([S.LOAD] if articles.mixed else [])]
        rows += [move("cut", one, one, articles.cut_spared, when=ShoeGame.is_just_shuffled) for one in spared]
    says = "the stack is cut after the shuffle, once"
    return (*rows, *not_prepared(articles, "cut", others(ALL, S.CUT), says, direct=DIRECT))


def _cut_card(law: GameLaw) -> tuple[Row, ...]:
    articles, place = law.articles, S.PLACE_CUT_CARD
    too_deep = "the cut card lies too deep or too high"
    return (
        refuse(
            "cut_card_placed", place, "cut_card_depth", articles.cut_card_depth, too_deep, when=CutCards.depth_outside
        ),
        move(
            "cut_card_placed",
            place,
            S.LOAD,
            articles.prepare,
            do=CutCards.note_depth,
            also=articles.cut_card_depth,
        ),
        *not_prepared(
            articles,
            "cut_card_placed",
            others(ALL, place),
            "the cut card is placed after the cut, once, where the stack has one",
            direct=DIRECT,
        ),
    )


def not_prepared(
    articles: ShoeArticles, trigger: str, states: tuple[StrEnum, ...], says: str, *, direct: str = ""
) -> tuple[Row, ...]:
    """Refuse a step that is not next, by the article under which the equipment in use is prepared.

    Args:
        articles: the game's articles.
        trigger: the input.
        states: the states in which it is refused.
        says: the reason.
        direct: the reason for a shuffler-dealer, if another.
    """
    by = (
        (articles.direct, ShoeGame.is_direct, direct or says),
        (articles.mixed, ShoeGame.by_shuffler, says),
        (articles.prepare, (), says),
    )
    return tuple(refuse(trigger, states, "not_now", one, why, when=when) for one, when, why in by if one)


def _load(law: GameLaw) -> tuple[Row, ...]:
    articles = law.articles
    rows = [
        refuse(
            "loaded",
            (S.LOAD, S.OVER, S.FILL),
            "wrong_deck_count",
            articles.decks,
            "the stack is not complete",
            when=(ShoeGame.loadable, ShoeGame.not_all_cards),
        )
    ]
    if articles.mixed:
        # The cards are counted anew from here: all are in the shuffler, and its own count begins (reading G9).
        load = ShoeGame.load_stack
        rows.append(move("loaded", S.FILL, S.MIX, articles.mixed, do=load))
        rows.append(move("loaded", S.OVER, S.MIX, articles.mixed, when=ShoeGame.by_shuffler, do=load))
    if articles.direct:
        first = S.BURN if _burns_directly(law) else S.ROUNDS
        rows.append(
            move("loaded", (S.LOAD, S.OVER), first, articles.direct, when=ShoeGame.is_direct, do=ShoeGame.load_stack)
        )
    first = S.BURN if law.initial_burn is not None else S.ROUNDS
    rows.append(
        move(
            "loaded",
            S.LOAD,
            first,
            articles.prepare,
            do=ShoeGame.load_stack,
            also=(articles.mixed,) if articles.mixed else (),
        )
    )
    says = "cards are loaded once the stack is prepared"
    return (*rows, *not_prepared(articles, "loaded", others(ALL, S.LOAD), says))


def _burns_directly(law: GameLaw) -> bool:
    """True if cards are burned from a shuffler-dealer as well."""
    burn, defaults = law.initial_burn, {option.name: option.default for option in law.options}
    fewest, _ = law.equipment["shuffler_dealer"].decks
    return burn is not None and burn.cards(defaults, fewest, "shuffler_dealer") != 0


def _equipment(law: GameLaw) -> tuple[Row, ...]:
    articles, waiting = law.articles, (S.SHUFFLE, S.FILL, S.LOAD, S.OVER)
    waits = (ShoeGame.stack_waits,)
    rows = [
        refuse(
            "equipment",
            waiting,
            "bad_option",
            articles.equipment,
            "the regulation does not deal from this equipment",
            when=(*waits, ProfileGuards.equipment_unknown),
            also=articles.material,
        )
    ]
    _, *others_decks = {one.decks for one in law.equipment.values()}
    if others_decks:
        rows.append(
            refuse(
                "equipment",
                waiting,
                "wrong_deck_count",
                articles.decks_in or articles.decks,
                "the table has another number of decks",
                when=(*waits, ProfileGuards.too_few_or_many_decks),
            )
        )
    says = "an option of this table excludes it"
    rows += (
        refuse("equipment", waiting, "bad_option", by, says, when=(*waits, excluded(by)))
        for by in law.excluded_by("equipment")
    )
    if law.authorised_equipment:
        rows.append(
            refuse(
                "equipment",
                waiting,
                "needs_authorisation",
                articles.authorisation,
                "not authorised",
                when=(*waits, ProfileGuards.authorisation_missing),
                also="reading G4b",
            )
        )
    rows += (
        move("equipment", waiting, dest, article, when=(*waits, *guard), do=ShoeGame.adopt_equipment)
        for dest, article, guard in beginnings(law)
    )
    rows.append(refuse("equipment", ALL, "not_now", articles.equipment_change, "equipment changes between shoe games"))
    return tuple(rows)


def beginnings(law: GameLaw) -> list[tuple[S, str, tuple[Guard, ...]]]:
    """Where the preparation of a stack for the wanted equipment begins: the state, its article, and its guards."""
    found: list[tuple[S, str, tuple[Guard, ...]]] = []
    if law.articles.direct:
        found.append((S.LOAD, law.articles.direct, (ProfileGuards.becomes_direct,)))
    if law.articles.mixed:
        found.append((S.FILL, law.articles.mixed, (ProfileGuards.becomes_mixed,)))
    found.append((S.SHUFFLE, law.articles.prepare, ()))
    return found
