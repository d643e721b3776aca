"""English messages for stored names; the display has those of the table log."""

from typing import Final

from cardshoe.floor.alarm_kinds import AlarmKind
from cardshoe.floor.pages.tiles import Kind
from cardshoe.floor.pages.timeline import TimelineKind
from cardshoe.floor.watch.shoes import WatchKind
from cardshoe.persons.refusal import RefusalOfPersons

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
CODES: Final = {
    "bets_corrected": "Bets corrected",
    "card": "Card entered",
    "shoe_ended": "Shoe game ended",
    "device_readmitted": "Device readmitted",
    "passed_over": "Entry passed over",
}
OUTCOMES: Final = {"player": "P", "banker": "B", "tie": "T"}
NAV: Final = {
    "tables": "Tables",
    "rounds": "Rounds",
    "irregularities": "Irregularities",
    "plots": "Plots",
    "report": "Day report",
}
TIMELINE: Final = "Timeline"
WATCH: Final = "Shuffle watch"
WATCHING: Final = {"surveillance": TIMELINE, "watch": WATCH}
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
    "away": "no contact",
    "lag": "behind",
    "unsigned": "not signed",
    "witness": "witnesses",
}
SIGN_IN_REFUSALS: Final[dict[RefusalOfPersons, str]] = {
    "sign_in_refused": "ID or PIN is wrong",
    "locked": "Too many wrong PINs",
    "busy": "Too many sign in at once",
    "not_checked": "The PIN could not be checked",
    "no_persons": "No person is registered here yet",
}
KINDS: Final[dict[TimelineKind, str]] = {
    "by_hand": "Entered by hand",
    "correction": "Correction",
    "after_result": "Changed after the result",
    "override": "Override",
    "proposal": "Proposal",
    "void": "Round void",
    "disagrees": "Device disagrees",
    "sign_in": "Sign-in",
    "irregularity": "Irregularity",
    "clock": "Clock set",
    "opening": "Table opened",
}
ROUND: Final = "Round"
NO_TABLE: Final = "The floor knows no such table."
NO_NAME: Final = "There is no table, kind or person of this name."
NO_DAY: Final = "Write a day as 2026-11-24."
NO_SPAN: Final = "The first day must come before the last, and the span be a quarter of a year at most."
NOT_KNOWN: Final = "not known"
ALL: Final = (
    *NAV.values(),
    *WATCHING.values(),
    *WATCH_KINDS.values(),
    *SUMS.values(),
    *KINDS.values(),
    *(ROUND, NO_TABLE, NO_NAME, NO_DAY, NO_SPAN, NOT_KNOWN),
    *ALARMS.values(),
    *CODES.values(),
    *OUTCOMES.values(),
    *SIGN_IN_REFUSALS.values(),
    "lost",
)
