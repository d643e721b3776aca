"""Is the profile one that the regulation allows?"""

from regulations.law import ShoeArticles
from regulations.rows import Row, move, refusals, refuse
from regulations.shoe.states import ALL
from regulations.shoe.states import ShoeState as S


def opening_rows(law: ShoeArticles) -> tuple[Row, ...]:
    """What the ``table`` event is answered."""
    return (
        *refusals(
            "table",
            S.OPENING,
            (
                (
                    "too_few_or_many_decks",
                    "wrong_deck_count",
                    law.decks,
                    "not a number of decks to play with",
                ),
                ("seats_missing", "bad_option", law.seats, "the table has too few seats"),
                ("equipment_unknown", "bad_option", law.equipment, "the regulation does not deal from this equipment"),
                ("option_unknown", "bad_option", "reading G5", "the regulation has no such option"),
                ("option_value_bad", "bad_option", "reading G5", "the option cannot have this value"),
                ("options_exclude_each_other", "bad_option", law.undue_card, "these options cannot stand together"),
            ),
        ),
        refuse(
            "table",
            S.OPENING,
            "needs_authorisation",
            law.authorisation,
            "not authorised",
            when="authorisation_missing",
            also=("reading G4", "reading G4b"),
        ),
        move("table", S.OPENING, S.LOAD, law.direct, when="is_direct", do="adopt_equipment", also="reading B16"),
        move("table", S.OPENING, S.SHUFFLE, law.prepare, do="adopt_equipment"),
        refuse("table", ALL, "not_now", "reading G4", "the table is open: options never change inside a log"),
    )
