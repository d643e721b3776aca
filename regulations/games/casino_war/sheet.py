"""The sheet of casino war."""

from typing import Final

from regulations.games.casino_war.law import LAW, most_cards
from regulations.games.casino_war.result import CasinoWarResult
from regulations.games.casino_war.settlement import PAYOUTS
from regulations.law.sheet import BetLaw, Choice, GameWords, Layout, Options, Sheet, all_open


def _cards_needed(options: Options, seats: int) -> int:
    return most_cards(seats, per_player=options.get("croupier_war_card") == "per_player")[-1] if seats else 0


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
        payouts=PAYOUTS,
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
