"""Results of rounds at which seats end differently."""

from typing import Final

from regulations.games.q_poker.result import PokerCroupier, PokerSeat, QPokerResult
from regulations.games.three_card_baccarat.result import ThreeCardBanker, ThreeCardResult, ThreeCardSeat

Q_POKER: Final = QPokerResult(
    croupier=PokerCroupier(cards=["KS", "TH", "2D"], category="odd_cards", qualifies=True),
    seats=[
        PokerSeat(seat=1, cards=["9S", "9D", "2C"], category="pair", outcome="not_qualified"),
        PokerSeat(seat=2, cards=["9H", "8D", "7C"], category="straight"),
    ],
    article="art. 9.º",
)
THREE_CARD: Final = ThreeCardResult(
    banker=ThreeCardBanker(cards=["KS", "TH", "7D"], combination=9, points=7),
    seats=[ThreeCardSeat(seat=4, cards=["9S", "TD", "8C"], combination=12, outcome="lose")],
    article="art. 7.º",
)
