"""A game as the harness must know it, in a form that is the same for all games."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tests.regulations.support.profiles import Json

Prelude = Callable[[Json], list[Json]]
"""Leads a table with this profile somewhere: the inputs."""
COMMON_PRELUDES: Final = frozenset(
    {
        *("cut_done", "prepared", "stack", "almost_ready", "ready", "ready_counted", "opened", "in_round", "decided"),
        *("round", "further_round", "over", "copies_out", "all_out", "at_the_cut_card", "before_the_cut_card"),
        *("at_the_last_place", "above_the_range"),
    }
)
"""The preludes that every game must have, for the cases that all games share."""
TRAITS: Final = frozenset(
    {
        *("shoe", "box", "shuffler", "shuffler_dealer"),  # the equipment that the regulation admits
        "authorised_equipment",  # a shuffler-dealer needs an authorisation
        "cut_card",  # in the default stack a cut card lies at a depth that has a range, and can come out
        "initial_burn",  # a shoe game from the default stack begins with burned cards
        "many_rounds",  # the default stack serves more than one round
        "bets_first",  # `bets_closed` opens a round and comes before its first card
        "reassign",  # a misdeal can be repaired
        "exclusions",  # some option values exclude each other
        "demonstrations",
        "fault_continues",  # a fault while cards are dealt can be continued from
    }
)
"""The traits that a shared case may ask for in its line ``needs``."""


@dataclass(frozen=True, kw_only=True)
class GameKit:
    """A game as the tests know it; its author completes what the specification leaves to the machine's wording.

    Attributes:
        law: the number of its regulation: ``@9.º-1`` in its cases is ``LAW art. 9.º-1``.
        articles: what ``@=NAME`` means in shared cases: ``2.º-1``, ``B11``, or several with ``|`` between them. The
            names: ``decks equipment equipment_change seats prepare direct direct_cut_card after_load cut_card_depth
            cut_card_bound initial_burn cut_card missed_cut_card house_end reshuffle round_begins deal decided
            cards_returned undue_card overdrawn misdeal void bets limits stack malfunction``; a game needs those of the
            shared cases that it runs.
        wager: its main wager on seat 1, as ``.opened`` closes it.
        preludes: what a case may begin with, at least :data:`COMMON_PRELUDES`.
    """

    game: str
    law: str
    traits: frozenset[str]
    articles: Mapping[str, str]
    wager: Json
    cut_card_behind: tuple[int, int]
    preludes: Mapping[str, Prelude]

    def __post_init__(self) -> None:
        unknown = self.traits - TRAITS
        if unknown:
            raise ValueError(f"{self.game} has unknown traits {sorted(unknown)}")
        if missing := COMMON_PRELUDES - set(self.preludes):
            raise ValueError(f"{self.game} has no preludes {sorted(missing)}")


def card(name: str | None) -> Json:
    return {"event": "card", "card": name}


def cards(*names: str) -> list[Json]:
    return [card(name) for name in names]


def bets(*wagers: Json) -> Json:
    """Bets are closed with these wagers."""
    return {"event": "bets_closed", "seats": sorted({wager["seat"] for wager in wagers}), "wagers": list(wagers)}


def stack_of(table: Json, behind: int | None, cut_by: str = "player") -> list[Json]:
    """The stack in its order (table log, "Stack"), loaded; ``behind`` is ``None`` where no cut card is placed."""
    loaded: Json = {"event": "loaded", "cards": 52 * table["decks"]}
    shuffled: Json = {"event": "shuffled", "by": "croupier"}
    cut: Json = {"event": "cut", "by": cut_by}
    if table["equipment"] == "shuffler_dealer":
        return [loaded]
    if table["equipment"] == "shuffler":
        return [{**shuffled, "by": "shuffler"}, loaded]
    if table["equipment"] == "box" or behind is None:
        return [shuffled, cut, loaded]
    return [shuffled, cut, {"event": "cut_card_placed", "behind": behind}, loaded]
