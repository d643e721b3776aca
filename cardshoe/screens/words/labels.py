"""English messages behind the log's names; journals hold names alone."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from regulations.events.outputs import Next
from regulations.events.vocabulary import (
    Do,
    EquipmentKind,
    Ground,
    Holder,
    IrregularityCode,
    Mark,
    RefusalCode,
    ResolutionAction,
    Role,
)
from regulations.games.registry import SHEETS
from regulations.law.sheet import Sheet


class _Declared(Mapping[str, str]):
    def __init__(self, declared: Callable[[Sheet], Iterable[tuple[str, str]]]) -> None:
        self._declared: Final = declared

    def __getitem__(self, name: str) -> str:
        for one, says in self._items():
            if one == name:
                return says
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self._items()))

    def __len__(self) -> int:
        return len(dict(self._items()))

    def _items(self) -> Iterator[tuple[str, str]]:
        for sheet in SHEETS.values():
            yield from self._declared(sheet)


GAMES: Final = _Declared(lambda sheet: [(sheet.law.game, sheet.words.title)])
SHORT_GAMES: Final = _Declared(lambda sheet: [(sheet.law.game, sheet.words.short)])
BETS: Final = _Declared(lambda sheet: sheet.words.bets.items())
ACTIONS: Final = _Declared(lambda sheet: [(one.name, one.says) for one in sheet.choices])
OUTCOMES: Final = _Declared(lambda sheet: [(name, says) for name, (says, _) in sheet.words.outcomes.items()])
HOLDERS: Final[dict[Holder, str]] = {
    "player": "Player",
    "banker": "Banker",
    "croupier": "Croupier",
    "seat": "Seat %(seat)s",
}
IRREGULARITIES: Final[dict[IrregularityCode, str]] = {
    "card_not_due": "Unexpected card",
    "card_before_bets_closed": "Card before bets closed",
    "card_after_last_round": "Card after last round",
    "unread_card": "Card not read",
    "surplus_card": "Extra card",
    "count_gap": "Unreported cards",
    "cut_card_not_due": "Unexpected cut card",
    "cut_card_missing": "Cut card missing",
    "card_turned": "Card face up in stack",
    "croupier_card_exposed": "A card of the croupier was seen",
    "misdeal": "Misdeal reported",
    "stack_exhausted": "The stack is exhausted",
    "device_fault": "Equipment fault",
    "device_lost": "Equipment disconnected",
    "round_partial": "Equipment joined mid-round",
    "device_disagrees": "Equipment reports another result",
    "wrong_stack_count": "Wrong number of cards in stack",
    "dispute": "Dispute",
    "card_by_hand": "Card entered beside working device",
}
BANKER_WINS: Final = {
    "commission": "5 %% commission on banker wins",
    "half_on_six": "No commission; banker wins with 6 pay half",
}
"""Option ``banker_win`` of baccarat (55/2004 art. 18.º)."""
VERDICTS: Final[dict[str, str]] = {
    "player": "Player wins, %(n)s",
    "banker": "Banker wins, %(n)s",
    "tie": "Tie, %(n)s",
}
MARKS: Final[dict[str, str]] = {"natural": "Natural", "player_pair": "Player pair", "banker_pair": "Banker pair"}
REMEDIES: Final[dict[IrregularityCode, str]] = {
    "card_not_due": "Stop dealing. Compare the card with the layout.",
    "card_before_bets_closed": "Check which wagers were placed before the card left.",
    "card_after_last_round": "Stop dealing. No round follows in this shoe.",
    "unread_card": "Two people look at the card and enter its value.",
    "surplus_card": "Count this card on the layout. All copies of it are already out.",
    "count_gap": "Compare the cards on the layout with this page. Find the cards that are missing here.",
    "cut_card_not_due": "Check where the cut card was placed.",
    "cut_card_missing": "Look for the cut card in the shoe and on the layout.",
    "card_turned": "Leave the card face up and stop dealing.",
    "croupier_card_exposed": "Leave the card where it lies.",
    "misdeal": "Compare each card on the layout with this page.",
    "stack_exhausted": "Count the cards that are left in the equipment.",
    "device_fault": "Follow the remedy of the fault. The table can continue once the device is working.",
    "device_lost": "Check cable and power. Draw no card until the device is connected.",
    "round_partial": "Compare each card on the layout with this page.",
    "device_disagrees": "Compare each card on the layout with this page and with the device's screen.",
    "wrong_stack_count": "Two people count the stack.",
    "dispute": "Leave cards and wagers as they are until a supervisor has decided.",
    "card_by_hand": "Check whether the card left the device or was entered by mistake.",
}
WAYS_OUT: Final[dict[ResolutionAction, str]] = {
    "burn": "Burn the card",
    "enter_bets": "Enter bets placed earlier",
    "next_round": "Keep the card for the next round",
    "accept": "Accept the card",
    "identify": "Name the card",
    "reassign": "Take out cards that do not count",
    "continue": "Continue",
    "void": "Declare the round void",
    "end_shoe": "End the shoe game",
    "settle": "The dispute is settled",
    "counts": "Cut card counts",
    "set_aside": "Set cut card aside",
    "decision": "Enter earlier decision",
    "strike": "Strike: card never left",
}
ACTS: Final[dict[Do, str]] = {
    "shuffle": "Shuffle the cards",
    "cut": "Have the stack cut",
    "place_cut_card": "Place the cut card",
    "load": "Load the stack",
    "burn": "Burn a card",
    "close_bets": "Close the bets",
    "close_round": "Collect the cards, close the round",
    "return_cards": "Return the used cards",
    "nothing": "Table closed",
}
_DRAW: Final[dict[Holder, str]] = {
    "player": "Card for the player",
    "banker": "Card for the banker",
    "croupier": "Card for the croupier",
    "seat": "Card for seat %(seat)s",
}
REVEAL: Final[dict[Holder, str]] = {
    "player": "Show the player's cards",
    "banker": "Show the banker's cards",
    "croupier": "Show the croupier's cards",
    "seat": "Show the cards of seat %(seat)s",
}
ROLES: Final[dict[Role, str]] = {
    "croupier": "Croupier",
    "supervisor": "Supervisor",
    "surveillance": "Surveillance",
    "technician": "Technician",
    "regulator": "Regulator",
}
EXPOSED: Final[dict[Holder, str]] = {
    "player": "A card of the player was seen",
    "banker": "A card of the banker was seen",
    "croupier": "A card of the croupier was seen",
    "seat": "A card of seat %(seat)s was seen",
}
EQUIPMENT: Final[dict[EquipmentKind, str]] = {
    "box": "Deal from the dealing box",
    "shoe": "Deal from the shoe",
    "shuffler": "Deal from the shuffler",
    "shuffler_dealer": "Deal from the shuffler-dealer",
}
GROUNDS: Final[dict[Ground, str]] = {
    "misdeal": "Void: the deal cannot be corrected",
    "exposed": "Void: a card of the croupier was seen",
    "malfunction": "Void: the equipment failed",
    "stack": "Void: the stack is exhausted",
    "not_begun": "Void: bets closed by mistake",
}
STRUCK: Final[dict[str, str]] = {
    "foreign": "is not of this stack",
    "damaged": "is damaged",
    "undue": "left when none was due",
}
WORDS_MAX: Final = 200
REASONS: Final[dict[str, dict[str, str]]] = {
    "bets": {
        "stake_entered_wrongly": "A stake was entered wrongly",
        "wager_forgotten": "A wager was forgotten",
        "wager_withdrawn_in_time": "A wager was withdrawn in time",
    },
    "shoe": {
        "too_few_cards": "Too few cards for a round",
        "house": "End of play",
        "cards_worn": "The cards are changed",
        "device": "The equipment failed",
        "dispute": "A dispute",
        "other": "Something else",
    },
    "misdeal": {
        "card_entered_wrongly": "A card was entered wrongly",
        "card_laid_wrongly": "A card lies at a wrong place",
        "card_damaged": "A card is damaged",
        "card_foreign": "A card is not of this stack",
        "other": "Something else",
    },
    "dispute": {
        "card_disputed": "A card is disputed",
        "wager_disputed": "A wager is disputed",
        "payment_disputed": "A payment is disputed",
        "other": "Something else",
    },
    "void": {
        "cannot_be_corrected": "It cannot be corrected",
        "equipment_failed": "The equipment failed",
        "bets_closed_by_mistake": "The bets were closed by mistake",
        "card_seen": "A card was seen",
        "other": "Something else",
    },
}
"""Reasons by act; the name is journalled, never a translated text."""
REASON_TEXTS: Final[dict[str, str]] = {
    name: text for texts in (*REASONS.values(), dict[str, str](IRREGULARITIES.items())) for name, text in texts.items()
}
DONE: Final[dict[str, str]] = dict([*WAYS_OUT.items(), *GROUNDS.items(), ("bets_corrected", "Bets corrected")])
SURVEILLANCE_MARKS: Final[dict[Mark, str]] = {
    "late_name": "Named after the result",
    "by_hand": "Entered beside a working reader",
    "cut_card_by_hand": "Cut card entered beside a working reader",
    "late_bets": "Bets entered after the first card",
    "late_decision": "Decision entered after its card",
}
RESULTS: Final[dict[str, str]] = {
    **{one: BETS[one] for one in ("player", "banker", "tie")},
    **dict(OUTCOMES.items()),
}
BURNED: Final = "Burned"
REFUSALS: Final[dict[RefusalCode, str]] = {
    "not_now": "Not allowed now",
    "not_allowed": "The regulation does not allow this here",
    "bad_option": "The equipment or option is not possible",
    "needs_authorisation": "An authorisation is missing",
    "wrong_deck_count": "The number of cards is not possible",
    "cut_card_depth": "Too few or too many cards behind the cut card",
    "burn_missing": "The first cards are not burned yet",
    "no_such_seat": "A seat is wrong",
    "no_wager": "A wager is missing or stands alone",
    "cards_missing": "Cards are still to be dealt, shown or returned",
    "irregularity_open": "An irregularity is open",
    "two_persons_needed": "Two people needed",
    "not_enough_cards": "Too few cards are left for this round",
    "no_answer": "The program cannot process this",
}
BURN_SEVERAL: Final = "Burn %(n)s cards"
BETS_OPEN: Final = "The bets are open"
BETS_BOUNDED: Final = "The bets are open, for %(n)s seats at most"
DECIDES: Final = "Seat %(seat)s decides"
RESOLVE: Final = "Resolve the irregularity"
OFFERED: Final = (
    "Shuffled by hand",
    "Shuffled by the machine",
    "Cut by a player",
    "Cut by the croupier",
    "%(n)s cards behind it",
    "Another number",
    "%(n)s cards are in",
    "%(n)s cards returned",
    "Cards left were counted",
    "Card laid face down, not seen",
    "The card cannot be read",
    "The cut card came out",
    "Correct the bets",
    "The coming round is a demonstration",
    "Cards collected, round closed",
    "End the shoe game",
    "Close the table",
    "Open the table",
    "Report a misdeal",
    "The bettor of seat %(seat)s has left",
    "Readmit %(device)s",
    "Correct the value of cards",
    "Call the supervisor",
    "Hold for a dispute",
)
ROUND_ACTS: Final[dict[str, str]] = {
    "void": "Void rounds",
    "correction": "Corrections",
    "manual_card": "Cards by hand",
    "override": "Overrides",
    "dispute": "Disputes",
}
ROUND_MARKS: Final = {
    "counts": "Rounds that count",
    "void": "Void",
    "demonstration": "Demonstration",
    "open": "Round open",
}
ROUND_FILTERS: Final = {
    "table": "Table",
    "round": "Round",
    "since": "Not before",
    "until": "Until",
    "seat": "Seat",
    "card": "Card",
    "result": "Result",
    "irregularity": "Irregularity",
    "person": "Person",
    "act": "Act",
    "mark": "State",
}
BAD_ROUND: Final = "Write the number of a round with digits."
BAD_TIME: Final = "Write a time as 2026-11-24T21:30, the earlier one first."
BAD_NAME: Final = "A filter has at most 200 characters."
PHASES: Final[dict[str, str]] = {
    "preparing": "Preparing",
    "betting": "Bets open",
    "dealing": "Dealing",
    "deciding": "Deciding",
    "revealing": "Turning",
    "paying": "Paying",
    "irregular": "Irregular",
    "closed": "Closed",
}
RUNGS: Final[dict[str, str]] = {
    "disconnected": "disconnected",
    "connected": "Connected",
    "identified": "Identified",
    "faulty": "Fault",
    "working": "Reads cards",
}
LINK_STAGES: Final[dict[str, str]] = {
    "disconnected": "disconnected",
    "connected": "Connected",
    "bytes": "Bytes, no frames",
    "frames": "Frames, no events",
    "events": "Events",
}
"""Stages of a link (`drivers.link_health`)."""
LINK_COUNTS: Final[dict[str, str]] = {
    "connections": "Connections",
    "losses": "Losses",
    "bytes_in": "Bytes",
    "frames": "Frames",
    "events": "Events",
    "replies": "Replies",
    "stray_replies": "Unexpected replies",
    "repeats": "Repeats",
    "garbage_bytes": "Bytes without frame",
}
CHECK_LEVELS: Final[dict[str, str]] = {"problem": "Problem", "warning": "Warning", "ok": "OK"}
PAGE_NAMES: Final[dict[str, str]] = {
    "board": "Players' board",
    "croupier": "Croupier",
    "rounds": "Rounds",
    "pit": "Supervisor",
    "technician": "Technician",
}
ROUNDS: Final = PAGE_NAMES["rounds"]
SIGN_IN: Final = "Sign in"
NO_ANSWER: Final = "The table does not answer"
NOT_PERMITTED: Final = "Not permitted"
PERSONS_REFUSED: Final[dict[str, str]] = {
    **dict.fromkeys(("sign_in_refused", "bad_id", "bad_pin"), "ID or PIN is wrong"),
    "not_permitted": NOT_PERMITTED,
    "same_person": "A different person must confirm",
    "wrong_role": "This role cannot confirm this",
    "not_croupier": "Only a croupier can take over",
    "at_terminal": "Start the table at the terminal",
    "locked": "Too many wrong PINs",
    "busy": "Too many requests",
    "not_checked": "The PIN could not be checked",
    **dict.fromkeys(("gone", "no_proposal", "state_changed"), "Too late: something has happened meanwhile"),
    "silent": NO_ANSWER,
}
"""Titles of dialogs; `wrong_role`, `gone` and `silent` are the page's own."""
NO_STAFF: Final = "This table has no staff: these pages need [persons]."
NOT_READ: Final = "The round cannot be read now"
NOT_VERIFIED: Final = "Not verified"
BAD_PLACE: Final = "The rounds after this place cannot be found: search again."
NO_ROUND: Final = "No round has this line. Search by table and time."
ALL: Final = (
    *PAGE_NAMES.values(),
    *PHASES.values(),
    *RUNGS.values(),
    *PERSONS_REFUSED.values(),
    *(SIGN_IN, NO_STAFF, NOT_READ, NOT_VERIFIED),
    *LINK_STAGES.values(),
    *LINK_COUNTS.values(),
    *CHECK_LEVELS.values(),
    *(BAD_NAME, BAD_ROUND, BAD_TIME, BAD_PLACE, NO_ROUND),
    *ROUND_ACTS.values(),
    *ROUND_MARKS.values(),
    *ROUND_FILTERS.values(),
    *HOLDERS.values(),
    *IRREGULARITIES.values(),
    *REMEDIES.values(),
    *BANKER_WINS.values(),
    *VERDICTS.values(),
    *MARKS.values(),
    *WAYS_OUT.values(),
    "Accept the card and name it",
    *ACTS.values(),
    *_DRAW.values(),
    *REVEAL.values(),
    BURN_SEVERAL,
    BETS_OPEN,
    BETS_BOUNDED,
    DECIDES,
    RESOLVE,
    *ROLES.values(),
    *EXPOSED.values(),
    *EQUIPMENT.values(),
    *GROUNDS.values(),
    *STRUCK.values(),
    *(text for texts in REASONS.values() for text in texts.values()),
    *DONE.values(),
    *SURVEILLANCE_MARKS.values(),
    BURNED,
    *REFUSALS.values(),
    *OFFERED,
)


def every_message() -> set[str]:
    """All messages that log names may lead to, the games' included."""
    return {*ALL, *(says for sheet in SHEETS.values() for says in sheet.messages)}


def act_of(prompt: Next) -> str:
    to: Holder = prompt.to or "seat"
    match prompt.do:
        case "draw":
            return _DRAW[to]
        case "reveal":
            return REVEAL[to]
        case "decide":
            return DECIDES
        case "resolve":
            return RESOLVE
        case "burn" if isinstance(prompt.left, int) and prompt.left > 1:
            return BURN_SEVERAL
        case act:
            return ACTS[act]
