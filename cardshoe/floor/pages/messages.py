"""The English messages behind the names that the floor stores; those of the table log are the display's."""

from typing import Final

from cardshoe.floor.facts.told import ActKind
from cardshoe.floor.pages.tiles import Kind
from cardshoe.floor.refusals import AlarmKind
from cardshoe.floor.watch.shoes import WatchKind
from cardshoe.persons.refusal import RefusalOfPersons
from cardshoe.screens.view.state import Phase

PHASES: Final[dict[Phase, str]] = {
    "preparing": "Preparing",
    "betting": "Bets open",
    "dealing": "Dealing",
    "deciding": "Deciding",
    "revealing": "Turning",
    "paying": "Paying",
    "irregular": "Irregular",
    "closed": "Closed",
}
ALARMS: Final[dict[AlarmKind, str]] = {
    "fork": "Fork: two different lines with one number",
    "not_signed": "Differs from what the table's key signed",
    "witness": "The table signed contradictory statements",
    "rolled_back": "The table runs from an old disk image",
    "no_journal": "Lines that do not fit together",
    "not_yours": "A certificate was used for another table",
    "not_enrolled": "A table that is not enrolled",
    "guessing": "Many sign-ins refused",
    "two_senders": "Two senders for one table",
    "missing_log": "The log before this one is missing",
    "many_logs": "A table begins too many logs",
    "older_list": "A table has a newer list of persons",
}
ACTS: Final[dict[ActKind | str, str]] = {
    "void": "Void rounds",
    "correction": "Corrections",
    "manual_card": "Cards by hand",
    "override": "Overrides",
    "dispute": "Disputes",
}
CODES: Final = {
    "bets_corrected": "Bets corrected",
    "card": "Card entered",
    "shoe_ended": "Shoe game ended",
    "device_readmitted": "Device readmitted",
    "passed_over": "Entry passed over",
}
"""What an act was, besides the ways out and the grounds."""
OUTCOMES: Final = {"player": "P", "banker": "B", "tie": "T"}
"""One letter of each outcome of a game with two sides."""
NAV: Final = {"tables": "Tables", "irregularities": "Irregularities", "plots": "Plots", "report": "Day report"}
"""The pages, by their paths."""
WATCH: Final = "Shuffle watch"
"""The page of surveillance alone."""
WATCH_KINDS: Final[dict[WatchKind, str]] = {
    "kept_order": "Order of the cards kept",
    "shuffle_weak": "Weak shuffles in one day",
}
SUMS: Final[dict[Kind, str]] = {
    "alarm": "alarms",
    "unreadable": "unreadable",
    "irregularity": "irregularities",
    "called": "calls",
    "device": "devices",
    "away": "not heard of",
    "lag": "behind",
    "unsigned": "not signed",
    "witness": "witnesses",
}
"""Of how many tables it is the worst that is wrong."""
SIGN_IN_REFUSALS: Final[dict[RefusalOfPersons, str]] = {
    "sign_in_refused": "ID or PIN is wrong",
    "locked": "Too many wrong PINs",
    "busy": "Too many sign in at once",
    "not_checked": "The PIN could not be checked",
    "no_persons": "No person is registered here yet",
}
NO_TABLE: Final = "The floor knows no such table."
NO_NAME: Final = "There is no table, kind or person of this name."
NO_DAY: Final = "Write a day as 2026-11-24."
NO_SPAN: Final = "The first day must come before the last, and the span be a quarter of a year at most."
NOT_KNOWN: Final = "not known"
ALL: Final = (
    *NAV.values(),
    WATCH,
    *WATCH_KINDS.values(),
    *SUMS.values(),
    *(NO_TABLE, NO_NAME, NO_DAY, NO_SPAN, NOT_KNOWN),
    *PHASES.values(),
    *ALARMS.values(),
    *ACTS.values(),
    *CODES.values(),
    *OUTCOMES.values(),
    *SIGN_IN_REFUSALS.values(),
    "lost",
)
"""Each message that a stored name may lead to; the others stand in the templates."""
