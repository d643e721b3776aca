"""Is the profile one that the regulation allows?"""

from regulations.law.game_law import GameLaw
from regulations.law.rows import Refusal, Row, move, refusals, refuse
from regulations.law.stakes import OURS
from regulations.play.shoe.game import ShoeGame
from regulations.play.shoe.profile_guards import ProfileGuards, bad_value, excluded, too_small
from regulations.play.shoe.stack_rows import beginnings
from regulations.play.shoe.states import ALL
from regulations.play.shoe.states import ShoeState as S


def opening_rows(law: GameLaw) -> tuple[Row, ...]:
    """The rules for the ``table`` event."""
    articles = law.articles
    faults: list[Refusal] = [
        (
            ProfileGuards.equipment_unknown,
            "bad_option",
            articles.equipment,
            "the regulation does not deal from this equipment",
        ),
        (
            ProfileGuards.too_few_or_many_decks,
            "wrong_deck_count",
            articles.decks_in or articles.decks,
            "not a number of decks to play with",
        ),
        (ProfileGuards.seats_missing, "bad_option", articles.seats, "the table has too few seats"),
        (ProfileGuards.option_unknown, "bad_option", "reading G5", "the regulation has no such option"),
    ]
    if articles.most_decks:
        faults[1:1] = (
            (ProfileGuards.more_decks_than_read, "wrong_deck_count", articles.most_decks, "more decks than are played"),
            (ProfileGuards.no_deck, "wrong_deck_count", articles.decks, "a deck is needed"),
        )
    says = "the option cannot have this value"
    faults += ((too_small(one), "bad_option", one.article, says) for one in law.options if one.least)
    faults += ((bad_value(one), "bad_option", one.bound or one.article, says) for one in law.options)
    faults.append(
        (ProfileGuards.limits_of_nothing, "bad_option", OURS, "limits are for a table that is told the stakes")
    )
    says = "these options cannot stand together"
    faults += ((excluded(by), "bad_option", by, says) for by in law.excluded_by())
    rows = list(refusals("table", S.OPENING, faults))
    if articles.authorisation:
        rows.append(
            refuse(
                "table",
                S.OPENING,
                "needs_authorisation",
                articles.authorisation,
                "not authorised",
                when=ProfileGuards.authorisation_missing,
                also=("reading G4", "reading G4b"),
            )
        )
    rows += (
        move("table", S.OPENING, dest, article, when=guard, do=ShoeGame.adopt_equipment)
        for dest, article, guard in beginnings(law)
    )
    rows.append(refuse("table", ALL, "not_now", "reading G4", "the table is open: options never change inside a log"))
    return tuple(rows)
