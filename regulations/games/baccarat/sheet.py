"""The sheet of baccarat."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from regulations.events.vocabulary import Bet, EquipmentKind, Holder
from regulations.games.baccarat.law import LAW
from regulations.games.baccarat.result import BaccaratResult
from regulations.games.baccarat.tableau import points_of
from regulations.law.payouts import WON
from regulations.law.sheet import BetLaw, GameWords, Layout, Options, Sheet


def _lies_open(_owner: Holder, _at: int, options: Options, _kind: EquipmentKind, _split: bool) -> bool:  # noqa: FBT001  a layout's form
    """55/2004 arts. 7.º-2, 16.º."""
    return bool(options.get("deal", "face_up") == "face_up")


def _odds(options: Options) -> Mapping[Bet, Fraction]:
    """55/2004 arts. 17.º, 18.º."""
    banker = WON if options.get("banker_win") == "half_on_six" else Fraction(95, 100)
    pair = Fraction(11)
    return {"player": WON, "banker": banker, "tie": Fraction(8), "player_pair": pair, "banker_pair": pair}


SHEET: Final = Sheet(
    law=LAW,
    result=BaccaratResult,
    bets=BetLaw(
        main="banker",
        first=("player", "banker", "tie"),
        side=("player_pair", "banker_pair"),
        stand_in_tie=frozenset({"player", "banker"}),
        needed=False,
        ends=(frozenset({"player"}), frozenset({"banker"}), frozenset({"tie"})),
        odds=_odds,
    ),
    layout=Layout(
        tops=("player", "banker"),
        cards=2,
        bands=(("banker_pair",), ("player_pair",), ("tie",), ("banker",), ("player",)),
        lies_open=_lies_open,
        points=points_of,
        seats_have_cards=False,
        board="roads",
    ),
    words=GameWords(
        title="Baccarat",
        short="BAC",
        bets={
            "player": "Player",
            "banker": "Banker",
            "tie": "Tie",
            "player_pair": "Player pair",
            "banker_pair": "Banker pair",
        },
        outcomes={"win": ("wins", "+"), "tie": ("tie", "=")},
        always=("player", "banker", "tie"),
    ),
)
