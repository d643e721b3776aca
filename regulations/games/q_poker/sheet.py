"""The sheet of q poker."""

from typing import Final

from regulations.games.q_poker.law import HAND_CARDS, LAW
from regulations.games.q_poker.result import QPokerResult
from regulations.games.q_poker.settlement import PAYOUTS
from regulations.law.sheet import BetLaw, Choice, GameWords, Layout, Options, Sheet, nothing_open


def _packet(_options: Options) -> int:
    return HAND_CARDS


SHEET: Final = Sheet(
    law=LAW,
    result=QPokerResult,
    # Reading Q9: each wager is for itself.
    bets=BetLaw(main="ante", first=("ante", "pair_plus"), side=("pair_plus",), usual="ante", payouts=PAYOUTS),
    choices=(Choice(name="play", says="play"), Choice(name="fold", says="fold")),
    layout=Layout(tops=("croupier",), cards=HAND_CARDS, bands=(("pair_plus",), ("ante",)), lies_open=nothing_open),
    words=GameWords(
        title="Q Poker",
        short="QP",
        bets={"ante": "Ante", "pair_plus": "Pair plus"},
        outcomes={
            "win": ("wins", "+"),
            "lose": ("loses", "−"),
            "folded": ("folded", "−"),
            "not_qualified": ("croupier does not qualify", "+"),
        },
    ),
    packet=_packet,
    hidden_house="croupier",
    void_if_seen=True,
)
