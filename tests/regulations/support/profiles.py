"""Table profiles for the tests, with the authorisations that their options need."""

from typing import Any, Final

Json = dict[str, Any]

AT: Final = "2026-03-02T04:00:00Z"
"""Monday noon in Macau; no holiday is near."""
REQUESTED: Final = "2026-02-02"
EFFECTIVE: Final = "2026-02-09"
DEFAULTS: Final[dict[str, Json]] = {
    "baccarat": {"table_id": "B-101", "decks": 8, "seats": 7, "equipment": "shoe"},
    "blackjack": {"table_id": "BJ-201", "decks": 6, "seats": 6, "equipment": "shoe"},
    "casino_war": {"table_id": "CW-301", "decks": 1, "seats": 7, "equipment": "shoe"},
    "q_poker": {"table_id": "QP-401", "decks": 1, "seats": 7, "equipment": "shoe"},
    "three_card_baccarat": {"table_id": "TC-501", "decks": 6, "seats": 7, "equipment": "shoe"},
}
"""The profile of each game where a test does not say otherwise."""
FIRST_ALTERNATIVES: Final[Json] = {
    "initial_burn": "per_deck",
    "demonstration_rounds": 0,
    "after_cut_card": "end",
    "tie_wagers": ["withdraw"],
    "banker_win": "commission",
    "equipment": "shoe",
}
"""Reading G4: in baccarat any other value of these needs an authorisation; the other games need none (reading G5)."""
FREE_HANDS: Final[Json] = {"rounds_without_wagers": True}
"""Reading B8: most cases of baccarat are about cards, and deal rounds without wagers; the others say `false`."""


def authorisation(option: str, value: object, requested: str = REQUESTED, effective: str = EFFECTIVE) -> Json:
    return {
        "option": option,
        "value": value,
        "reference": "DICJ 1/2026",
        "requested": requested,
        "effective": effective,
    }


def profile(*, authorised: bool = True, **given: object) -> Json:
    """A table event; what is neither decks, seats, equipment, at, game nor table_id is an option.

    Args:
        given: what differs from the game's default profile, baccarat if no ``game`` is given; ``at=None``: no time.
    """
    game = given.get("game", "baccarat")
    table: Json = {"event": "table", "at": AT, "game": game, **DEFAULTS[str(game)], "options": {}, "authorisations": []}
    if game == "baccarat" and given.get("stakes") != "untracked":
        table["options"] = dict(FREE_HANDS)
    for name, value in given.items():
        if name in table:
            table[name] = value
        else:
            table["options"][name] = value
    if table["at"] is None:
        del table["at"]
    if authorised and game == "baccarat":
        wanted = {**table["options"], "equipment": table["equipment"]}
        table["authorisations"] = [
            authorisation(option, wanted[option])
            for option, first in FIRST_ALTERNATIVES.items()
            if option in wanted and wanted[option] != first
        ]
    return table
