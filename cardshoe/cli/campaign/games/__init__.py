"""Rules and odds of each game a second time, without the law's code."""

from typing import Final

from cardshoe.cli.campaign.games.baccarat import Baccarat
from cardshoe.cli.campaign.games.blackjack import Blackjack
from cardshoe.cli.campaign.games.casino_war import CasinoWar
from cardshoe.cli.campaign.games.played_game import PlayedGame
from cardshoe.cli.campaign.games.q_poker import QPoker
from cardshoe.cli.campaign.games.three_card_baccarat import ThreeCardBaccarat

PLAYED: Final[dict[str, PlayedGame]] = {
    one.game: one for one in (Baccarat(), Blackjack(), CasinoWar(), QPoker(), ThreeCardBaccarat())
}
