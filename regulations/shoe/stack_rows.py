"""The stack: shuffle, cut, cut card, load; other equipment between shoe games."""

from regulations.law import ShoeArticles
from regulations.rows import Row, move, others, refuse
from regulations.shoe.states import ALL
from regulations.shoe.states import ShoeState as S


def stack_rows(law: ShoeArticles) -> tuple[Row, ...]:
    """How a stack comes into the equipment, step by step in this order."""
    return (
        move("shuffled", S.SHUFFLE, S.CUT, law.prepare),
        move("shuffled", S.OVER, S.CUT, law.cut_card, when="has_stack"),
        refuse(
            "shuffled",
            others(ALL, S.SHUFFLE),
            "not_now",
            law.prepare,
            "cards are shuffled before a shoe game begins, for a shoe",
        ),
        move("cut", S.CUT, S.PLACE_CUT_CARD, law.prepare),
        refuse("cut", others(ALL, S.CUT), "not_now", law.prepare, "the stack is cut after the shuffle, once"),
        refuse(
            "cut_card_placed",
            S.PLACE_CUT_CARD,
            "cut_card_depth",
            law.cut_card_depth,
            "the cut card lies too deep or too high",
            when="depth_outside",
        ),
        move(
            "cut_card_placed",
            S.PLACE_CUT_CARD,
            S.LOAD,
            law.prepare,
            do="note_cut_card_depth",
            also=law.cut_card_depth,
        ),
        refuse(
            "cut_card_placed",
            others(ALL, S.PLACE_CUT_CARD),
            "not_now",
            law.prepare,
            "the cut card is placed after the cut, once",
        ),
        refuse(
            "loaded",
            (S.LOAD, S.OVER),
            "wrong_deck_count",
            law.decks,
            "the stack is not complete",
            when=("loadable", "not_all_cards"),
        ),
        move("loaded", (S.LOAD, S.OVER), S.ROUNDS, law.direct, when="is_direct", do="load_stack", also="reading B16"),
        move("loaded", S.LOAD, S.BURN, law.prepare, do="load_stack"),
        refuse("loaded", others(ALL, S.LOAD), "not_now", law.prepare, "cards are loaded once the stack is prepared"),
        *_equipment(law),
    )


def _equipment(law: ShoeArticles) -> tuple[Row, ...]:
    waiting = (S.SHUFFLE, S.LOAD, S.OVER)
    return (
        refuse(
            "equipment",
            waiting,
            "bad_option",
            law.equipment,
            "the regulation does not deal from this equipment",
            when=("stack_waits", "equipment_unknown"),
        ),
        refuse(
            "equipment",
            waiting,
            "needs_authorisation",
            law.authorisation,
            "not authorised",
            when=("stack_waits", "authorisation_missing"),
            also="reading G4b",
        ),
        move("equipment", waiting, S.LOAD, law.direct, when=("stack_waits", "becomes_direct"), do="adopt_equipment"),
        move("equipment", waiting, S.SHUFFLE, law.prepare, when="stack_waits", do="adopt_equipment"),
        refuse("equipment", ALL, "not_now", law.house_end, "equipment changes between shoe games"),
    )
