"""A croupier's knowledge of each game that no prompt tells: how cards lie, who cuts, how many a round may take."""

from collections.abc import Mapping
from typing import Any, Final

from regulations.events.outputs import Next
from regulations.events.vocabulary import Cutter, EquipmentKind, Game, Holder

_HIDDEN: Final[frozenset[Game]] = frozenset({"q_poker", "three_card_baccarat"})
"""In these all cards are dealt face down."""
_LAST_CARD: Final = 0
"""Cards behind the cut card in q poker: it is placed last."""
_CUT_CARD_BEHIND: Final = 14
"""Cards behind the cut card where no option says how many (55/2004 art. 2.º-1)."""
_HIDDEN_CARDS: Final = 2
"""Blackjack, first procedure: so many cards of a hand lie face down (56/2004 art. 5.º-2)."""
_PACKET: Final = 3
"""Cards of a hand that a machine gives together, where it does."""
_TIES_MAX: Final = 3
"""Casino war: so many seats at most can tie the croupier, for a rank has four cards (reading W6)."""
_WAR_CARDS: Final = 4
"""Casino war: three burned and one dealt, for each side of a challenge (74/2005 art. 7.º-5)."""


def cutter(game: Game, ordered: Cutter) -> Cutter:
    """Who cuts: as ordered, but in q poker the croupier always."""
    return "croupier" if game == "q_poker" else ordered


def cut_card_behind(game: Game, options: Mapping[str, Any]) -> int:
    """How many cards lie behind the cut card, as the table's options say."""
    behind = options.get("cut_card_behind", _LAST_CARD if game == "q_poker" else _CUT_CARD_BEHIND)
    return int(behind)


def lies_open(game: Game, options: Mapping[str, Any], equipment: EquipmentKind, prompt: Next, *, split: bool) -> bool:
    """True if the card that is to be drawn now is laid face up, so that everybody sees it.

    Args:
        game: the game that is dealt.
        options: the table's.
        equipment: what it is dealt from.
        prompt: ``draw``; for anything else, whether a card of this game that comes unasked is seen.
        split: whether the hand comes from a split.
    """
    if game in _HIDDEN or prompt.do == "burn":
        return False
    if game == "baccarat":
        return bool(options.get("deal", "face_up") == "face_up")
    if game == "casino_war":
        return True
    if prompt.do == "decide":
        # The card is the hand's hit (reading J30).
        return True
    position = prompt.position if isinstance(prompt.position, int) else 0
    if prompt.to == "croupier":
        return equipment != "box" or position != _HIDDEN_CARDS
    if prompt.to == "seat":
        return split or options.get("procedure") == "second" or position > _HIDDEN_CARDS
    return False


def cards_needed(game: Game, options: Mapping[str, Any], seats: int) -> int:
    """Cards that must be left before a round with so many seats can begin.

    Casino war, reading W6: the round's worst case. Three-card baccarat: the burn and three for each hand, which a box
    may not have. In the other games the cut card sees to it.
    """
    if game == "three_card_baccarat":
        return 1 + _PACKET * (seats + 1)
    if game != "casino_war":
        return 0
    ties = min(_TIES_MAX, seats)
    if options.get("croupier_war_card") == "per_player":
        return seats + 1 + 2 * _WAR_CARDS * ties
    return seats + 1 + _WAR_CARDS * ties + _WAR_CARDS


def cards_at_once(game: Game, options: Mapping[str, Any]) -> int:
    """How many cards a machine gives at a time (q poker art. 7.º-2; reading T11): what is more has come by mistake."""
    return _PACKET if game == "q_poker" or options.get("deal") == "three_at_a_time" else 1


SEEN_TOO_SOON: Final[Mapping[Game, Holder]] = {"q_poker": "croupier", "three_card_baccarat": "banker"}
"""Whose cards a croupier in a hurry shows too soon."""
