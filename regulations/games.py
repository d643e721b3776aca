"""The games that this edition enforces."""

from typing import Final

from regulations.baccarat.game import GAME as BACCARAT
from regulations.blackjack.game import GAME as BLACKJACK
from regulations.casino_war.game import GAME as CASINO_WAR
from regulations.game import Game
from regulations.q_poker.game import GAME as Q_POKER
from regulations.three_card_baccarat.game import GAME as THREE_CARD_BACCARAT

GAMES: Final[dict[str, Game]] = {
    game.law.game: game for game in (BACCARAT, BLACKJACK, CASINO_WAR, THREE_CARD_BACCARAT, Q_POKER)
}
"""Every game by its name in the table log."""
