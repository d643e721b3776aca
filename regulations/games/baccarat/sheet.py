"""The sheet of baccarat."""

from collections.abc import Collection
from typing import Final

from regulations.events.vocabulary import EquipmentKind, Holder
from regulations.games.baccarat.law import LAW
from regulations.games.baccarat.result import BaccaratResult
from regulations.games.baccarat.settlement import PAYOUTS
from regulations.games.baccarat.tableau import points_of
from regulations.law.sheet import BetLaw, GameWords, Layout, Options, Sheet


def _lies_open(_owner: Holder, _at: int, options: Options, _kind: EquipmentKind, _split: bool) -> bool:  # noqa: FBT001  a layout's form
    """55/2004 arts. 7.º-2, 16.º."""
    return bool(options.get("deal", "face_up") == "face_up")


def _unpaid(options: Options) -> Collection[str]:
    """55/2004 art. 18.º-1, 2: with a commission the banker's wins are never paid whole."""
    return () if options.get("banker_win") == "half_on_six" else ("pay@banker[banker_wins]",)


SHEET: Final = Sheet(
    law=LAW,
    result=BaccaratResult,
    bets=BetLaw(
        main="banker",
        first=("player", "banker", "tie"),
        side=("player_pair", "banker_pair"),
        stand_in_tie=frozenset({"player", "banker"}),
        needed=False,
        ends=lambda _options: (frozenset({"player"}), frozenset({"banker"}), frozenset({"tie"})),
        payouts=PAYOUTS,
        unpaid=_unpaid,
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
