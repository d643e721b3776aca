"""The games of the tests: a hand-written table, and which of them this edition enforces already."""

from typing import Final

from regulations.games.registry import GAMES
from tests.regulations.support.games.baccarat import BACCARAT
from tests.regulations.support.games.blackjack import BLACKJACK
from tests.regulations.support.games.casino_war import CASINO_WAR
from tests.regulations.support.games.kit import GameKit
from tests.regulations.support.games.q_poker import Q_POKER
from tests.regulations.support.games.three_card_baccarat import THREE_CARD_BACCARAT

KITS: Final[dict[str, GameKit]] = {
    kit.game: kit for kit in (BACCARAT, BLACKJACK, CASINO_WAR, Q_POKER, THREE_CARD_BACCARAT)
}
ENFORCED: Final = tuple(game for game in KITS if game in GAMES)
"""The games whose cases run; the others have not landed yet."""
