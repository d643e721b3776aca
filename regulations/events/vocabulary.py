"""The words that events are made of, as the table log spells them."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

Origin = Literal["device", "person", "table"]
"""The origin of an input: a device, a person, or the table itself (clock, trust, witnesses)."""
Role = Literal["croupier", "supervisor", "surveillance", "technician", "regulator"]
"""The role of a person at the table; it decides which inputs that person may give."""
Place = Literal["terminal", "table_screen", "own_screen"]
"""Where a person signs in: terminal, screen shared by the table, or another screen."""
SignedOutBecause = Literal["asked", "idle", "relieved", "changed", "again", "gone"]
"""Reason of a sign-out: asked for, inactive, another croupier, changed registry, signed in again, connection ended."""
NAME: Final = Meta(pattern=r"^[a-z][a-z0-9_]{0,31}$", description="a name in small letters")
"""The form of names that games declare."""
Game: TypeAlias = Annotated[str, NAME]
"""A game's name; `regulations/games/registry.py` has the games."""
EquipmentKind = Literal["box", "shoe", "shuffler", "shuffler_dealer"]
Shuffler = Literal["croupier", "shuffler"]
Cutter = Literal["player", "croupier"]
PickUp = Literal[
    "dealt",
    "dealt_turned",
    "player_first",
    "player_first_turned",
    "banker_first",
    "banker_first_turned",
    "last_seat_first",
    "last_seat_first_turned",
]
"""How the cards of a round are picked up: as they were dealt; hand by hand from the player or the first seat, from the
banker or croupier, or from the last seat on, the croupier last; ``turned``: the packet is turned over then."""
Face = Literal["down", "up"]
Holder = Literal["player", "banker", "croupier", "seat"]
"""The owner of a hand."""
Target = Literal["player", "banker", "croupier", "seat", "burn"]
"""Where a card goes, by a device's own belief or by a reassignment."""
Bet: TypeAlias = Annotated[str, NAME]
"""A bet of a game; its sheet lists them, and its rows refuse others."""
DecisionAction: TypeAlias = Annotated[str, NAME]
"""A bettor's decision in a game; its sheet lists them, and its rows refuse others."""
Outcome = Literal["player", "banker", "tie"]
DeviceOutcome = Literal["player", "banker", "tie", "forced_end"]
"""The outcome that a shoe reports if it plays along; ``forced_end`` is a round that it broke off."""
DeviceVerdict = Literal["admitted", "refused", "not_judged", "cannot_attest"]
"""The judgement on a device; one that ``cannot_attest`` may stay, because persons have admitted it by name."""
Side = Literal["player", "banker"]
Do = Literal[
    "shuffle",
    "cut",
    "place_cut_card",
    "load",
    "burn",
    "draw",
    "close_bets",
    "decide",
    "reveal",
    "close_round",
    "return_cards",
    "resolve",
    "nothing",
]
BurnReason = Literal["initial", "round", "croupier_second", "war", "misdeal", "invalid"]
RefusalCode = Literal[
    "not_now",
    "no_such_seat",
    "no_wager",
    "not_allowed",
    "bad_option",
    "burn_missing",
    "cards_missing",
    "cut_card_depth",
    "wrong_deck_count",
    "needs_authorisation",
    "irregularity_open",
    "not_enough_cards",
    "two_persons_needed",
    "no_answer",
]
IrregularityCode = Literal[
    "card_not_due",
    "card_before_bets_closed",
    "card_after_last_round",
    "unread_card",
    "surplus_card",
    "count_gap",
    "cut_card_not_due",
    "cut_card_missing",
    "card_turned",
    "croupier_card_exposed",
    "misdeal",
    "stack_exhausted",
    "device_fault",
    "device_lost",
    "round_partial",
    "device_disagrees",
    "wrong_stack_count",
    "dispute",
    "card_by_hand",
]
ShoeEndReason = Literal["too_few_cards", "house", "cards_worn", "device", "dispute", "other"]
"""Why the house ends a shoe game early (reading G15); ``other`` is said in words."""
Mark = Literal["late_name", "late_decision", "late_bets", "by_hand", "cut_card_by_hand"]
"""Marks for surveillance: a read card renamed after the result (reading G18), a decision entered after its card (J30),
wagers entered after the first card (B8), a card or cut card typed beside a working reader (G19)."""
Ground = Literal["misdeal", "exposed", "malfunction", "stack", "not_begun"]
"""The grounds of a void round (reading G12)."""
NOT_UNDERSTOOD: Final = "not_understood"
"""Fault code of a frame that the protocol does not explain; no malfunction of the equipment."""
ResolutionAction = Literal[
    "burn",
    "enter_bets",
    "next_round",
    "accept",
    "identify",
    "reassign",
    "continue",
    "void",
    "end_shoe",
    "settle",
    "counts",
    "set_aside",
    "decision",
    "strike",
]
