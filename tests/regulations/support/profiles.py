"""Table profiles for the tests, with the authorisations that their options need."""

from typing import Any, Final

Json = dict[str, Any]

AT: Final = "2026-03-02T04:00:00Z"
"""Monday noon in Macau; no holiday is near."""
REQUESTED: Final = "2026-02-02"
EFFECTIVE: Final = "2026-02-09"
FIRST_ALTERNATIVES: Final[Json] = {
    "initial_burn": "per_deck",
    "after_cut_card": "end",
    "tie_wagers": ["withdraw"],
    "banker_win": "commission",
    "equipment": "shoe",
}
"""Reading G4: any other value of these needs an authorisation."""


def authorisation(option: str, value: object, requested: str = REQUESTED, effective: str = EFFECTIVE) -> Json:
    """An authorisation as the table event carries it."""
    return {
        "option": option,
        "value": value,
        "reference": "DICJ 1/2026",
        "requested": requested,
        "effective": effective,
    }


def profile(*, authorised: bool = True, **given: object) -> Json:
    """A table event; what is neither decks, seats, equipment, at nor table_id is an option.

    Args:
        authorised: whether the authorisations that the options need are there.
        given: what differs from an eight-deck shoe with the regulation's first alternatives; ``at=None``: no time.
    """
    table: Json = {
        "event": "table",
        "at": AT,
        "table_id": "B-101",
        "game": "baccarat",
        "decks": 8,
        "seats": 7,
        "equipment": "shoe",
        "options": {},
        "authorisations": [],
    }
    for name, value in given.items():
        if name in table:
            table[name] = value
        else:
            table["options"][name] = value
    if table["at"] is None:
        del table["at"]
    if authorised:
        wanted = {**table["options"], "equipment": table["equipment"]}
        table["authorisations"] = [
            authorisation(option, wanted[option])
            for option, first in FIRST_ALTERNATIVES.items()
            if option in wanted and wanted[option] != first
        ]
    return table
