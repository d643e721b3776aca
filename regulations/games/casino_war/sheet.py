"""The sheet of casino war."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from regulations.events.vocabulary import Bet
from regulations.games.casino_war.law import LAW, most_cards
from regulations.games.casino_war.result import CasinoWarResult
from regulations.law.payouts import WON
from regulations.law.sheet import BetLaw, Choice, GameWords, Layout, Options, Sheet, all_open


def _cards_needed(options: Options, seats: int) -> int:
    return most_cards(seats, per_player=options.get("croupier_war_card") == "per_player")[-1] if seats else 0


def _odds(_options: Options) -> Mapping[Bet, Fraction]:
    """74/2005 art. 7.º; a war that ties pays as much as lies there with the raise."""
    return {"ante": WON, "tie": Fraction(10)}


SHEET: Final = Sheet(
    law=LAW,
    result=CasinoWarResult,
    bets=BetLaw(
        main="ante",
        first=("ante",),
        side=("tie",),
        needs={"tie": "ante"},
        needs_own=True,
        usual="ante",
        odds=_odds,
        own_ends=(frozenset({"ante"}), frozenset({"tie"})),
    ),
    choices=(
        Choice(name="challenge", says="go to war", raises="own"),
        Choice(name="surrender", says="surrender", aside="Seat %(seat)s: surrender"),
    ),
    layout=Layout(tops=("croupier",), cards=1, bands=(("tie",), ("ante",)), lies_open=all_open),
    words=GameWords(
        title="Casino War",
        short="WAR",
        bets={"tie": "Tie", "ante": "Ante"},
        outcomes={
            "win": ("wins", "+"),
            "lose": ("loses", "−"),
            "surrendered": ("surrendered", "−"),
            "stands": ("stand-off", "="),
            "war_win": ("wins the war", "+"),
            "war_tie": ("ties the war", "+"),
            "war_lose": ("loses the war", "−"),
        },
    ),
    cards_needed=_cards_needed,
)
