"""The laws of the games alone, for whoever asks what a table may have and plays none: without rules and rounds."""

from typing import Final

from regulations.games.baccarat.law import LAW as BACCARAT
from regulations.games.blackjack.law import LAW as BLACKJACK
from regulations.games.casino_war.law import LAW as CASINO_WAR
from regulations.games.q_poker.law import LAW as Q_POKER
from regulations.games.three_card_baccarat.law import LAW as THREE_CARD_BACCARAT
from regulations.law.game_law import GameLaw

LAWS: Final[dict[str, GameLaw]] = {
    law.game: law for law in (BACCARAT, BLACKJACK, CASINO_WAR, THREE_CARD_BACCARAT, Q_POKER)
}
"""The law of every game by its name in the table log."""
